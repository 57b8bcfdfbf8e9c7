import type { CacheRetention, StreamOptions } from "../types.js";

/** How long the provider may keep the prompt: as asked for, else `PI_CACHE_RETENTION=long`, else short. */
export function cacheRetention(options: StreamOptions | undefined): CacheRetention {
  if (options?.cacheRetention) return options.cacheRetention;
  const wanted = options?.env?.["PI_CACHE_RETENTION"] ?? process.env["PI_CACHE_RETENTION"];
  return wanted === "long" ? "long" : "short";
}
