import { withEnv } from "./auth-context.js";
import type { ApiKeyAuth, ApiKeyAuthRequest, AuthResult } from "./types.js";

/**
 * A key that is stored, or in the first of the variables that is set.
 * @param name what to call the key when asking for it: `OpenAI API key`
 */
export function envApiKeyAuth(name: string, envVars: readonly string[]): ApiKeyAuth {
  const fromEnvironment = async ({ ctx, credential }: ApiKeyAuthRequest) => {
    const context = withEnv(ctx, credential?.env);
    for (const variable of envVars) {
      const value = await context.env(variable);
      if (value) return { variable, value };
    }
    return undefined;
  };
  return {
    name,
    async login({ prompt, signal }) {
      return { type: "api_key", key: (await prompt({ type: "secret", message: `Enter ${name}`, signal })).trim() };
    },
    async check(request) {
      if (request.credential?.key) return { type: "api_key", source: "stored" };
      const found = await fromEnvironment(request);
      return found && { type: "api_key", source: found.variable };
    },
    async resolve(request) {
      const { credential } = request;
      const found = credential?.key
        ? { value: credential.key, variable: "stored" }
        : // A stored entry owns its provider: only its own variables may complete it.
          credential && !credential.env
          ? undefined
          : await fromEnvironment(request);
      if (!found) return undefined;
      const result: AuthResult = { auth: { apiKey: found.value }, source: found.variable };
      if (credential?.env) result.env = credential.env;
      return result;
    },
  };
}
