import { withEnv } from "../auth/auth-context.js";
import { envApiKeyAuth } from "../auth/env-api-key.js";
import { lazyOAuth } from "../auth/lazy-oauth.js";
import { type OAuthClientOverride, oauthClient } from "../auth/oauth/clients.js";
import type { ApiKeyAuth, ApiKeyAuthRequest, AuthContext, AuthResult, OAuthAuth, ProviderAuth } from "../auth/types.js";
import { ANTHROPIC_AUTH_TOKEN_ENV, ANTHROPIC_OAUTH_TOKEN_ENV } from "./env-keys.js";
import { findProviderInfo, type ProviderInfo } from "./provider-table.js";

/** How users configured the sign-in of a provider; asked at each use. */
export type OAuthClientSource = (provider: string) => OAuthClientOverride | undefined;

/** The ways into a provider: keys for all, sign-ins where there is a row for one or the user configured one. */
export function providerAuth(provider: string, clients: OAuthClientSource = () => undefined): ProviderAuth {
  const info = findProviderInfo(provider);
  const oauth = providerOAuth(provider, clients);
  const apiKey = info ? builtinKeyAuth(info) : envApiKeyAuth(`${provider} API key`, []);
  return { apiKey, ...(oauth && { oauth }) };
}

function providerOAuth(provider: string, clients: OAuthClientSource): OAuthAuth | undefined {
  const client = oauthClient(provider, readable(provider, clients));
  if (!client) return undefined;
  return lazyOAuth({
    name: client.name,
    isSubscription: client.isSubscription,
    loginLabel: client.loginLabel,
    load: async () => {
      const { createOAuth } = await import("../auth/oauth/create-oauth.js");
      return createOAuth(provider, () => oauthClient(provider, clients(provider)) ?? client);
    },
  });
}

/** Keys work without what users configured of sign-ins, also when that cannot be read; the sign-in itself says why. */
function readable(provider: string, clients: OAuthClientSource): OAuthClientOverride | undefined {
  try {
    return clients(provider);
  } catch {
    return undefined;
  }
}

function builtinKeyAuth(info: ProviderInfo): ApiKeyAuth {
  const keys = envApiKeyAuth(`${info.name} API key`, info.env);
  return {
    ...keys,
    async check(request) {
      const found = await keys.check?.(request);
      if (found) return found;
      const source = await ambientSource(info, request);
      return source === undefined ? undefined : { type: "api_key", source };
    },
    async resolve(request) {
      const result = await keys.resolve(request);
      if (result) return shaped(info.id, result);
      const source = await ambientSource(info, request);
      if (source === undefined) return undefined;
      // Other software finds the credentials; the API loads it.
      return { auth: {}, source, ...(request.credential?.env && { env: request.credential.env }) };
    },
  };
}

/** Where a provider wants its key elsewhere than its API does. Source: llm.md section 11.2. */
function shaped(provider: string, result: AuthResult): AuthResult {
  const { apiKey } = result.auth;
  if (apiKey === undefined) return result;
  const { source } = result;
  if (provider === "anthropic" && (source === ANTHROPIC_AUTH_TOKEN_ENV || source === ANTHROPIC_OAUTH_TOKEN_ENV)) {
    return { ...result, auth: { apiKey, headers: { Authorization: `Bearer ${apiKey}`, "x-api-key": null } } };
  }
  if (provider === "cloudflare-ai-gateway") {
    const headers = { "cf-aig-authorization": `Bearer ${apiKey}`, Authorization: null, "x-api-key": null };
    return { ...result, auth: { apiKey, headers } };
  }
  return result;
}

/** Where gcloud keeps the credentials of its user. */
const ADC_FILE = "~/.config/gcloud/application_default_credentials.json";

/** The first complete group of variables behind which other software finds credentials. */
async function ambientSource(
  { ambientEnv = [] }: ProviderInfo,
  { ctx, credential }: ApiKeyAuthRequest,
): Promise<string | undefined> {
  const context = withEnv(ctx, credential?.env);
  for (const group of ambientEnv) {
    const set = await Promise.all(group.map((name) => isSet(name, context)));
    if (set.every(Boolean)) return group[0];
  }
  return undefined;
}

async function isSet(name: string, context: AuthContext): Promise<boolean> {
  if (await context.env(name)) return true;
  return name === "GOOGLE_APPLICATION_CREDENTIALS" && context.fileExists(ADC_FILE);
}
