import type { StreamOptions } from "../types.js";

/** A variable for one request: the provider's own environment, else that of the process. Empty counts as unset. */
export function environmentVariable(name: string, options: StreamOptions | undefined): string | undefined {
  return options?.env?.[name]?.trim() || process.env[name]?.trim() || undefined;
}
