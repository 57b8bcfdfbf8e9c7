/** `grep` by ripgrep. Source: agent-and-tools.md B6. */
import { basename, dirname } from "node:path";
import type { GrepQuery, GrepResult } from "./grep-query.js";
import { type FoundLine, LineCollector } from "./line-collector.js";
import { RgMatches } from "./rg-matches.js";
import { RG_OUTPUT_OPTIONS, rgOutputReader } from "./rg-output.js";
import { runRipgrep } from "./ripgrep.js";
import { isGitData } from "./walk.js";

/** Text of matches kept for sorting, in UTF-16 units. */
const MAX_KEPT = 16 * 1024 * 1024;

/**
 * The first matches in the order of paths.
 *
 * Searching in order takes one thread, searching with all of them has no order. So first all threads search, and what
 * they find is sorted; when it is far more than wanted, it is dropped and searched in order, which then ends early.
 */
export async function searchWithRipgrep(
  program: string,
  query: GrepQuery,
  signal: AbortSignal | undefined,
): Promise<GrepResult> {
  const { path, isDirectory, limit, context } = query;
  const run = (options: readonly string[], onLine: (line: FoundLine) => "continue" | "stop") => {
    const args = [...ripgrepOptions(query), ...options, "--", query.pattern, isDirectory ? "." : path];
    return runRipgrep(program, args, isDirectory ? path : dirname(path), signal, rgOutputReader(onLine));
  };
  const collector = new LineCollector({ limit, context, ...(!isDirectory && { fileName: basename(path) }) });
  const matches = new RgMatches({ matches: Math.max(1000, 20 * limit), length: MAX_KEPT });
  let isFull = !isDirectory;
  if (isDirectory) {
    // No file has a say in more than the limit and the question whether there is more.
    const perFile = context === 0 && limit < 1_000_000 ? ["--max-count", String(limit + 1)] : [];
    await run(perFile, (line) => {
      isFull = matches.push(line) === "full";
      return isFull ? "stop" : "continue";
    });
  }
  if (isFull) await run(isDirectory ? ["--sort", "path"] : [], (line) => collector.push(line));
  else for (const line of matches.sorted()) if (collector.push(line) === "stop") break;
  return collector;
}

function ripgrepOptions({ path, isDirectory, glob, ignoreCase, literal, context }: GrepQuery): string[] {
  const options = ["--no-config", ...RG_OUTPUT_OPTIONS, "--hidden"];
  // A file that is asked for by name is searched whatever it holds.
  if (!isDirectory) options.push("--text");
  if (ignoreCase) options.push("--ignore-case");
  if (literal) options.push("--fixed-strings");
  if (glob) options.push("--glob", glob.replace(/^(!?)(?:\.\/+)+/, "$1"));
  if (!isGitData(path)) options.push("--glob", "!.git");
  if (context > 0) options.push("--context", String(context));
  return options;
}
