import type { Model, ProviderHeaders, StreamOptions } from "../types.js";

/**
 * Merges header lists; later ones win, names compare without regard to case, `null` removes a header.
 * Names come out in lower case.
 */
export function mergeHeaders(...lists: (ProviderHeaders | undefined)[]): Record<string, string> {
  const merged = new Map<string, string>();
  for (const list of lists) {
    for (const [name, value] of Object.entries(list ?? {})) {
      if (value === null) merged.delete(name.toLowerCase());
      else if (value !== undefined) merged.set(name.toLowerCase(), value);
    }
  }
  return Object.fromEntries(merged);
}

/** True when a header list has one of the names with a value. */
export function hasHeader(headers: ProviderHeaders | undefined, ...names: string[]): boolean {
  return Object.entries(headers ?? {}).some(([name, value]) => value !== null && names.includes(name.toLowerCase()));
}

/** Headers by which a provider may know the caller. */
const AUTH_HEADERS = ["authorization", "x-api-key", "api-key", "x-goog-api-key", "cf-aig-authorization"];

/**
 * The key of a request; empty when headers already say who calls.
 * @throws Error `No API key for provider: ID` when there is neither
 */
export function requireApiKey(model: Model, options: StreamOptions | undefined): string {
  const key = options?.apiKey?.trim();
  if (key) return key;
  if (hasHeader(options?.headers, ...AUTH_HEADERS) || hasHeader(model.headers, ...AUTH_HEADERS)) return "";
  throw new Error(`No API key for provider: ${model.provider}`);
}
