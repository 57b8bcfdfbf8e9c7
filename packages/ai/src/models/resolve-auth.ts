import { withEnv } from "../auth/auth-context.js";
import type { AuthCheck, AuthContext, AuthResult, CredentialStore, OAuthAuth, OAuthCredential } from "../auth/types.js";
import { ModelsError } from "./models-error.js";
import type { AuthOverrides, Provider } from "./types.js";

/** An access token that ends sooner is renewed before use, in ms. Source: llm.md section 11.4. */
export const MIN_OAUTH_VALIDITY_MS = 5 * 60_000;
/** How long a renewal may take, in ms. */
const REFRESH_TIMEOUT_MS = 15_000;

export interface AuthSurroundings {
  credentials: CredentialStore;
  authContext: AuthContext;
}

/**
 * The way into a provider. In order: a key given for this request, the stored entry, the surroundings. A stored entry
 * owns its provider: when it fails, or has no handler, nothing else is tried. Source: llm.md section 11.1.
 * @throws ModelsError `auth` or `oauth`
 */
export async function resolveAuth(
  provider: Provider,
  { credentials, authContext }: AuthSurroundings,
  overrides: AuthOverrides = {},
): Promise<AuthResult | undefined> {
  const { signal, env } = overrides;
  const ctx = withEnv(authContext, env);
  const { apiKey, oauth } = provider.auth;
  if (overrides.apiKey) {
    const credential = { type: "api_key" as const, key: overrides.apiKey, ...(env && { env }) };
    const result = await attempt(provider.id, async () => apiKey?.resolve({ ctx, credential, signal }));
    return result ?? { auth: { apiKey: overrides.apiKey } };
  }
  const stored = await credentials.read(provider.id, { signal });
  if (stored?.type === "oauth") {
    if (!oauth) return undefined;
    const minValidityMs = Math.max(overrides.minOAuthValidityMs ?? 0, MIN_OAUTH_VALIDITY_MS);
    const credential = await validOAuth(provider.id, oauth, stored, credentials, minValidityMs, signal);
    return { auth: await oauth.toAuth(credential), source: "OAuth" };
  }
  return attempt(provider.id, async () => apiKey?.resolve({ ctx, credential: stored, signal }));
}

/** Whether there is a way in, without asking anybody. */
export async function checkProviderAuth(
  provider: Provider,
  { credentials, authContext }: AuthSurroundings,
  signal: AbortSignal | undefined,
): Promise<AuthCheck | undefined> {
  const stored = await credentials.read(provider.id, { signal });
  const { apiKey, oauth } = provider.auth;
  if (stored?.type === "oauth") return oauth && { type: "oauth", source: "OAuth" };
  if (!apiKey) return undefined;
  const request = { ctx: authContext, credential: stored, signal };
  if (apiKey.check) return apiKey.check(request);
  const result = await apiKey.resolve(request);
  return result && { type: "api_key", ...(result.source !== undefined && { source: result.source }) };
}

async function attempt<T>(providerId: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ModelsError) throw error;
    // A resolver that says what is wrong is quoted; the rest is named by its provider.
    const detail = error instanceof Error ? error.message : String(error);
    throw new ModelsError("auth", detail || `API key auth failed for provider ${providerId}`, { cause: error });
  }
}

/** The stored token, renewed first when it ends soon. The store's lock makes one process renew for all. */
async function validOAuth(
  providerId: string,
  oauth: OAuthAuth,
  stored: OAuthCredential,
  credentials: CredentialStore,
  minValidityMs: number,
  signal: AbortSignal | undefined,
): Promise<OAuthCredential> {
  const endsSoon = ({ expires }: OAuthCredential): boolean => expires - Date.now() < minValidityMs;
  if (!endsSoon(stored)) return stored;
  try {
    const renewing = credentials.modify(
      providerId,
      async (latest) => {
        // Somebody else was faster, or the user signed out or in another way.
        if (latest?.type !== "oauth" || !endsSoon(latest)) return undefined;
        // From here on the caller's abort is ignored: a rotated token that is not stored is lost for good.
        const renewed = await withinTime((limit) => oauth.refresh(latest, limit), REFRESH_TIMEOUT_MS);
        return { ...latest, ...renewed, type: "oauth" };
      },
      { signal },
    );
    const current = await unlessAborted(renewing, signal);
    if (current?.type === "oauth") return current;
    throw new Error("The user signed out meanwhile");
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ModelsError("oauth", `OAuth refresh failed for ${providerId}`, { cause: error });
  }
}

/** Ends a wait even for code that does not heed its signal. */
function withinTime<T>(run: (signal: AbortSignal) => Promise<T>, limitMs: number): Promise<T> {
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new Error(`no answer within ${limitMs / 1000} s`);
      controller.abort(error);
      reject(error);
    }, limitMs);
    run(controller.signal)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** The promise's outcome, or a rejection as soon as the caller gives up; what was started goes on. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise<T>((resolve, reject) => {
    const giveUp = (): void => reject(new Error("Request was aborted"));
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}
