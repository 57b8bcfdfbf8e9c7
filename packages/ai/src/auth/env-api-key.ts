import { withEnv } from "./auth-context.js";
import type { ApiKeyAuth, ApiKeyAuthRequest } from "./types.js";

/**
 * A key that is stored, or in the first of the variables that is set.
 * @param name what to call the key when asking for it: `OpenAI API key`
 */
export function envApiKeyAuth(name: string, envVars: readonly string[]): ApiKeyAuth {
  const find = async ({ ctx, credential }: ApiKeyAuthRequest): Promise<{ source: string; key: string } | undefined> => {
    if (credential?.key) return { source: "stored", key: credential.key };
    // A stored entry owns its provider: only its own variables may complete it.
    if (credential && !credential.env) return undefined;
    const context = withEnv(ctx, credential?.env);
    for (const source of envVars) {
      const key = await context.env(source);
      if (key) return { source, key };
    }
    return undefined;
  };
  return {
    name,
    async login({ prompt, signal }) {
      return { type: "api_key", key: (await prompt({ type: "secret", message: `Enter ${name}`, signal })).trim() };
    },
    async check(request) {
      const found = await find(request);
      return found && { type: "api_key", source: found.source };
    },
    async resolve(request) {
      const found = await find(request);
      if (!found) return undefined;
      const env = request.credential?.env;
      return { auth: { apiKey: found.key }, source: found.source, ...(env && { env }) };
    },
  };
}
