/** Models on this machine, for whoever has configured nothing. Source: llm.md section 12 (Local servers). */
import type { Model } from "@earendil-works/pi-ai";
import type { ModelRuntime } from "./model-runtime.js";
import { splitProvider } from "./resolution.js";

const LOCAL = "local";

export interface LocalModelsRequest {
  runtime: ModelRuntime;
  /** `--provider`. */
  provider?: string | undefined;
  /** `--model`, or the id of a model that was chosen before with its provider. */
  model?: string | undefined;
  /** Provider of the settings' default model. */
  defaultProvider?: string | undefined;
}

export interface LocalModelsResult {
  /** The model to use when none is named. */
  first?: Model;
  /** One line for the user. */
  message?: string;
  /** Models of this machine were asked for, and there are none. */
  error?: string;
}

/**
 * Asks the usual addresses when models of this machine are asked for, or when there is nothing else: not when a model
 * of another provider is named or can be used. What is found becomes provider `local`.
 */
export async function findLocalModels(request: LocalModelsRequest): Promise<LocalModelsResult> {
  const { runtime, provider, model, defaultProvider } = request;
  const asked = isLocal(provider) || (provider === undefined && model?.toLowerCase().startsWith(`${LOCAL}/`));
  // A provider that the user describes under this name is theirs.
  if (runtime.getProvider(LOCAL)) return asked ? firstOf(runtime.getModels(LOCAL)) : {};
  if (!asked) {
    // A bare name may be one of this machine when there is nothing else.
    if (provider !== undefined || (model !== undefined && splitProvider(model, runtime.providers))) return {};
    if (!isLocal(defaultProvider) && runtime.providers.some((id) => runtime.usable(id))) return {};
  }
  const { createLocalProvider, discoverLocalModels, localServersFromEnvironment } = await import(
    "@earendil-works/pi-ai/providers/local"
  );
  let servers: ReturnType<typeof localServersFromEnvironment>;
  try {
    servers = localServersFromEnvironment();
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
  const { models, found, empty } = await discoverLocalModels(servers);
  if (models.length === 0) {
    if (empty.length > 0) {
      const names = empty.map(({ name, url }) => (name === url ? url : `${name} at ${url}`)).join(", ");
      const error = `A model server answers on this machine but has no models: ${names}. ${loading(empty)}`;
      return asked ? { error } : { message: error };
    }
    if (!asked) return {};
    const addresses = servers.map(({ name, url }) => `${name} at ${url}`).join(", ") || "none";
    return { error: `No model server answers on this machine. Asked: ${addresses}. Start one and try again.` };
  }
  runtime.registerNativeProvider(createLocalProvider(models));
  const where = found.map(({ server, count }) => `${server.name} (${count})`).join(", ");
  const count = models.length === 1 ? "1 model" : `${models.length} models`;
  return { ...firstOf(models), message: `Found ${count} on this machine: ${where}.` };
}

/** How a server gets its first model. */
function loading([first]: readonly { kind: string }[]): string {
  return first?.kind === "ollama"
    ? 'Get one, for example with "ollama pull qwen3:8b".'
    : "Load one there and try again.";
}

function isLocal(provider: string | undefined): boolean {
  return provider?.toLowerCase() === LOCAL;
}

function firstOf([first]: readonly Model[]): LocalModelsResult {
  return first ? { first } : {};
}
