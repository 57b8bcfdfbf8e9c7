import type { ProviderEnv } from "../types.js";
import { findProviderInfo } from "./provider-table.js";

export const ANTHROPIC_AUTH_TOKEN_ENV = "ANTHROPIC_AUTH_TOKEN";
export const ANTHROPIC_OAUTH_TOKEN_ENV = "ANTHROPIC_OAUTH_TOKEN";
export const ANTHROPIC_API_KEY_ENV = "ANTHROPIC_API_KEY";
export const ANTHROPIC_FEDERATION_RULE_ID_ENV = "ANTHROPIC_FEDERATION_RULE_ID";
export const ANTHROPIC_ORGANIZATION_ID_ENV = "ANTHROPIC_ORGANIZATION_ID";
export const ANTHROPIC_SERVICE_ACCOUNT_ID_ENV = "ANTHROPIC_SERVICE_ACCOUNT_ID";
export const ANTHROPIC_IDENTITY_TOKEN_FILE_ENV = "ANTHROPIC_IDENTITY_TOKEN_FILE";
export const ANTHROPIC_WORKSPACE_ID_ENV = "ANTHROPIC_WORKSPACE_ID";

/** Stands for credentials that other software resolves; never sent. */
export const AMBIENT_CREDENTIALS = "<authenticated>";

/**
 * The variables that hold a provider's key and are set, first the one that wins; those of ambient credentials where
 * there is no key. Undefined when nothing is set or the provider is unknown.
 * @param env wins over the process environment
 */
export function findEnvKeys(provider: string, env?: ProviderEnv): string[] | undefined {
  const info = findProviderInfo(provider);
  if (!info) return undefined;
  const isSet = (name: string): boolean => Boolean(env?.[name] ?? process.env[name]);
  const found = info.env.filter(isSet);
  if (found.length > 0) return found;
  const ambient = info.ambientEnv?.find((group) => group.every(isSet));
  return ambient ? [...ambient] : undefined;
}

/**
 * The provider's key from the environment; `"<authenticated>"` for ambient cloud credentials.
 * @param env wins over the process environment
 */
export function getEnvApiKey(provider: string, env?: ProviderEnv): string | undefined {
  const [name] = findEnvKeys(provider, env) ?? [];
  if (name === undefined) return undefined;
  if (!findProviderInfo(provider)?.env.includes(name)) return AMBIENT_CREDENTIALS;
  return env?.[name] ?? process.env[name];
}
