import type { ProviderHeaders } from "../types.js";

/**
 * Lays header lists over each other; later ones win, names compare without regard to case. Unlike the merge of a
 * finished request, null stays: it removes what an API would add by itself.
 */
export function overlayHeaders(...lists: (ProviderHeaders | undefined)[]): ProviderHeaders {
  const merged = new Map<string, [name: string, value: string | null]>();
  for (const list of lists) {
    for (const [name, value] of Object.entries(list ?? {})) {
      if (value !== undefined) merged.set(name.toLowerCase(), [name, value]);
    }
  }
  return Object.fromEntries(merged.values());
}
