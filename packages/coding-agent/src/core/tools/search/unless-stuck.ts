/** Ripgrep with a way out when it waits for what never comes. */
import type { GrepQuery, GrepResult } from "./grep-query.js";
import { searchWithRipgrep } from "./rg-search.js";

/** Most searches are done by then, in ms; only longer ones are worth the look. */
const PATIENCE_MS = 250;

/**
 * Searches with ripgrep. When that takes a while, ignore files are looked at meanwhile; if one is a pipe or a device,
 * ripgrep is ended.
 *
 * @returns undefined when it was ended so
 * @throws as `searchWithRipgrep`
 */
export async function searchUnlessStuck(
  program: string,
  query: GrepQuery,
  signal: AbortSignal | undefined,
): Promise<GrepResult | undefined> {
  const stuck = new AbortController();
  const over = new AbortController();
  const look = async () => {
    const { hasSpecialRuleFile } = await import("./special-rules.js");
    if (await hasSpecialRuleFile(query.path, query.isDirectory, over.signal)) stuck.abort();
  };
  // A look that fails has found nothing.
  const timer = setTimeout(() => look().catch(() => undefined), PATIENCE_MS);
  try {
    return await searchWithRipgrep(program, query, signal ? AbortSignal.any([signal, stuck.signal]) : stuck.signal);
  } catch (error) {
    if (stuck.signal.aborted && !signal?.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}
