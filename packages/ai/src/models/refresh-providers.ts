import { type AuthSurroundings, resolveAuth } from "./resolve-auth.js";
import type { ModelsRefreshOptions, ModelsRefreshResult, ModelsStore, Provider } from "./types.js";

export interface RefreshSurroundings extends AuthSurroundings {
  modelsStore: ModelsStore;
}

/** Asks all given providers at once for their models. One provider's failure is none of the others'. */
export async function refreshProviders(
  providers: readonly Provider[],
  surroundings: RefreshSurroundings,
  { allowNetwork = true, force, signal: callerSignal }: ModelsRefreshOptions,
): Promise<ModelsRefreshResult> {
  const signal = callerSignal ?? new AbortController().signal;
  const errors = new Map<string, Error>();
  const refreshOne = async (provider: Provider): Promise<void> => {
    if (!provider.refreshModels || signal.aborted) return;
    try {
      await refresh(provider, surroundings, { allowNetwork, force, signal });
    } catch (error) {
      if (!signal.aborted) errors.set(provider.id, error instanceof Error ? error : new Error(String(error)));
    }
  };
  await Promise.all(providers.map(refreshOne));
  return { aborted: signal.aborted, errors };
}

async function refresh(
  provider: Provider,
  { credentials, modelsStore, authContext }: RefreshSurroundings,
  { allowNetwork, force, signal }: { allowNetwork: boolean; force: boolean | undefined; signal: AbortSignal },
): Promise<void> {
  const stored = await modelsStore.read(provider.id, { signal });
  let credential = await credentials.read(provider.id, { signal });
  let mayAsk = allowNetwork;
  if (allowNetwork) {
    // Renews the token too, so that the provider is not asked with one that has ended.
    const auth = await resolveAuth(provider, { credentials, authContext }, { signal });
    credential = await credentials.read(provider.id, { signal });
    mayAsk = provider.refreshModelsAuth === "credential" ? credential !== undefined : auth !== undefined;
  }
  await provider.refreshModels?.({
    credential,
    stored,
    allowNetwork: mayAsk,
    force,
    signal,
    baseUrl: provider.baseUrl,
    async publish({ persist, update }) {
      if (signal.aborted) return false;
      if (persist === null) await modelsStore.delete(provider.id, { signal });
      else if (persist) await modelsStore.write(provider.id, persist, { signal });
      if (signal.aborted) return false;
      update?.();
      return true;
    },
  });
}
