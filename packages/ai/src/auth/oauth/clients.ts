/**
 * Whom pi is when a user signs in: one row per provider with the flow, the endpoints and the scopes. Client ids belong
 * to whoever registered them with the provider, so there are none here: a sign-in without one says how to set it.
 * Source: llm.md section 11.4.
 */

/** How a sign-in runs. */
export type OAuthFlow =
  /** Browser with PKCE and a callback on this machine, or a code that is pasted. */
  | "loopback"
  /** A code that is entered elsewhere (RFC 8628). */
  | "device"
  /** The user chooses between the two. */
  | "loopback-or-device"
  /** As `loopback`, but what is handed out is a key that does not end. */
  | "key"
  /** As `device`, and the token is exchanged for a short-lived one. */
  | "copilot";

/** One row; every member can be set in `auth-clients.json`. */
export interface OAuthClient {
  /** What the sign-in is called. */
  name: string;
  loginLabel?: string;
  isSubscription?: boolean;
  flow: OAuthFlow;
  clientId?: string;
  /** Some registrations of installed programs have one; it is no secret then. */
  clientSecret?: string;
  authorizeUrl?: string;
  tokenUrl?: string;
  deviceUrl?: string;
  /** Of `copilot`: where a GitHub token becomes a Copilot token. Default: GitHub's own. */
  exchangeUrl?: string;
  scopes?: readonly string[];
  /** Further parameters of the authorisation request. */
  authorizeParams?: Readonly<Record<string, string>>;
  /** Where the browser returns to. Port 0 = any free one. */
  redirect?: { host: string; port: number; path: string };
  /** How the token endpoint is asked. Default: form. */
  tokenFormat?: "form" | "json";
  /** Stored ends lie this much before the real ones, in ms. */
  expiryMarginMs?: number;
  /** Member of the credential to fill from a claim of the access token: `{accountId: [claim, member]}`. */
  claims?: Readonly<Record<string, readonly string[]>>;
  /** How the token is sent. Default: as the provider's key. */
  sendAs?: "key" | "bearer";
  /** Needs no client id. */
  isPublic?: boolean;
}

/** What a user configured for a provider; wins member by member. */
export type OAuthClientOverride = Partial<OAuthClient>;

const table: Readonly<Record<string, OAuthClient>> = {
  anthropic: {
    name: "Anthropic (Claude Pro/Max)",
    isSubscription: true,
    flow: "loopback",
    redirect: { host: "localhost", port: 53692, path: "/callback" },
    tokenFormat: "json",
    expiryMarginMs: 5 * 60_000,
    sendAs: "bearer",
  },
  openai: {
    name: "OpenAI",
    loginLabel: "Sign in with ChatGPT",
    flow: "loopback",
    authorizeUrl: "https://auth.openai.com/oauth/authorize",
    tokenUrl: "https://auth.openai.com/oauth/token",
    scopes: ["openid", "profile", "email", "offline_access"],
    redirect: { host: "127.0.0.1", port: 1455, path: "/auth/callback" },
  },
  "openai-codex": {
    name: "OpenAI (ChatGPT Plus/Pro)",
    isSubscription: true,
    flow: "loopback-or-device",
    authorizeUrl: "https://auth.openai.com/oauth/authorize",
    tokenUrl: "https://auth.openai.com/oauth/token",
    scopes: ["openid", "profile", "email", "offline_access"],
    redirect: { host: "localhost", port: 1455, path: "/auth/callback" },
    claims: { accountId: ["https://api.openai.com/auth", "chatgpt_account_id"] },
  },
  "github-copilot": {
    name: "GitHub Copilot",
    isSubscription: true,
    flow: "copilot",
    deviceUrl: "https://github.com/login/device/code",
    tokenUrl: "https://github.com/login/oauth/access_token",
    scopes: ["read:user"],
  },
  openrouter: {
    name: "OpenRouter",
    loginLabel: "Sign in with OpenRouter",
    flow: "key",
    authorizeUrl: "https://openrouter.ai/auth",
    tokenUrl: "https://openrouter.ai/api/v1/auth/keys",
    redirect: { host: "localhost", port: 0, path: "/callback" },
    isPublic: true,
  },
  xai: { name: "xAI", flow: "device" },
  "kimi-coding": { name: "Kimi For Coding", isSubscription: true, flow: "device", sendAs: "bearer" },
  meta: { name: "Meta", flow: "device" },
  radius: {
    name: "Radius",
    flow: "loopback-or-device",
    redirect: { host: "127.0.0.1", port: 1456, path: "/callback" },
  },
};

/** Ids of the providers with a row. */
export const oauthProviderIds: readonly string[] = Object.keys(table);

/** The variable that holds the client id for a provider: `PI_OAUTH_CLIENT_ID_OPENAI_CODEX`. */
export function clientIdVariable(provider: string): string {
  return `PI_OAUTH_CLIENT_ID_${provider.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
}

/** The row of a provider with what the user configured laid over it; undefined when neither says anything. */
export function oauthClient(provider: string, override?: OAuthClientOverride): OAuthClient | undefined {
  const row = Object.hasOwn(table, provider) ? table[provider] : undefined;
  if (!row && !override) return undefined;
  const fromEnvironment = process.env[clientIdVariable(provider)];
  return {
    name: provider,
    flow: override?.deviceUrl && !override.authorizeUrl ? "device" : "loopback",
    ...row,
    ...(fromEnvironment && { clientId: fromEnvironment }),
    ...override,
  };
}

/** Members a flow cannot do without. */
const NEEDED: Readonly<Record<OAuthFlow, readonly (keyof OAuthClient)[]>> = {
  loopback: ["clientId", "authorizeUrl", "tokenUrl"],
  device: ["clientId", "deviceUrl", "tokenUrl"],
  "loopback-or-device": ["clientId", "tokenUrl"],
  key: ["authorizeUrl", "tokenUrl"],
  copilot: ["clientId", "deviceUrl", "tokenUrl"],
};

/** @throws Error saying what is missing and where to put it */
export function requireConfigured(provider: string, client: OAuthClient): void {
  const missing = NEEDED[client.flow].filter((key) => !client[key] && !(key === "clientId" && client.isPublic));
  if (missing.length === 0) return;
  const noId = missing.includes("clientId");
  throw new Error(
    `Signing in to ${client.name} needs ${noId ? "a client id of your own registration" : "an endpoint"}. ` +
      `Set ${missing.join(", ")} for "${provider}" in auth-clients.json in the agent directory` +
      `${noId ? `, or the id in ${clientIdVariable(provider)}` : ""}. ` +
      `A key works without: pi auth login ${provider} --api-key`,
  );
}
