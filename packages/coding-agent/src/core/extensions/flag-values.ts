/** Options of the command line that extensions know. Source: extensions.md section 4.1 (`registerFlag`). */
import type { LoadExtensionsResult } from "./types/host.js";

/**
 * Hands options nobody else knows to the extensions that registered them.
 * @param given name -> the word after it, or true without one
 * @returns what is wrong with them, one line each
 */
export function applyFlagValues(
  given: ReadonlyMap<string, boolean | string>,
  { extensions, runtime }: Pick<LoadExtensionsResult, "extensions" | "runtime">,
): string[] {
  const unknown: string[] = [];
  const problems: string[] = [];
  for (const [name, value] of given) {
    const flag = extensions.flatMap(({ flags }) => flags.get(name) ?? [])[0];
    if (!flag) unknown.push(`--${name}`);
    else if (flag.type === "boolean") runtime.flagValues.set(name, true);
    else if (typeof value === "string") runtime.flagValues.set(name, value);
    else problems.push(`Extension flag "--${name}" requires a value`);
  }
  if (unknown.length > 0) problems.unshift(`Unknown option${unknown.length > 1 ? "s" : ""}: ${unknown.join(", ")}`);
  return problems;
}
