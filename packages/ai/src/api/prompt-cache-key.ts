/** Longest cache key OpenAI accepts, in code points. */
const MAX_CACHE_KEY_LENGTH = 64;

/** The cache key of a session; undefined without one. */
export function cacheKey(sessionId: string | undefined): string | undefined {
  if (!sessionId) return undefined;
  return sessionId.length <= MAX_CACHE_KEY_LENGTH ? sessionId : [...sessionId].slice(0, MAX_CACHE_KEY_LENGTH).join("");
}
