import { shownUrl } from "../http.js";
import type { Model, ProviderEnv } from "../types.js";

/** Stands for a part of the address that belongs to the user's account. */
const PLACEHOLDER = /\{([A-Z][A-Z0-9_]*)\}/g;

/**
 * The address of a request: the model's base URL with account parts from the environment, and the path of the API.
 * @throws Error when an account part is not set, or what there is cannot be asked
 */
export function requestUrl(model: Model, path: string, env: ProviderEnv | undefined): string {
  const base = model.baseUrl.replace(PLACEHOLDER, (_match, name: string) => {
    const value = env?.[name] ?? process.env[name];
    if (!value) throw new Error(`The base URL of provider ${model.provider} needs the environment variable ${name}`);
    return encodeURIComponent(value);
  });
  if (!isWebAddress(base)) {
    throw new Error(
      `The base URL of provider ${model.provider} is not a URL: "${shownUrl(base)}". It has to begin with http:// or https://.`,
    );
  }
  // Some gateways want a query of their own with each request.
  const queryAt = base.search(/[?#]|$/);
  return base.slice(0, queryAt).replace(/\/+$/, "") + path + base.slice(queryAt);
}

function isWebAddress(text: string): boolean {
  try {
    return /^(?:https?|wss?):$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}
