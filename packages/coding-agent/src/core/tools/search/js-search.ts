/** `grep` without ripgrep: slower, with the same results. Source: agent-and-tools.md B6, F23. */
import { basename, join } from "node:path";
import { throwIfAborted } from "../abort.js";
import { compileGrepGlob } from "./glob.js";
import type { GrepQuery, GrepResult } from "./grep-query.js";
import { type FoundLine, LineCollector } from "./line-collector.js";
import { sortByPath } from "./path-order.js";
import { compilePattern, type LineMatcher } from "./rust-regex.js";
import { readLines } from "./text-lines.js";
import { walk } from "./walk.js";

/** @throws Error for a pattern that is none; `Operation aborted` */
export async function searchWithoutRipgrep(query: GrepQuery, signal: AbortSignal | undefined): Promise<GrepResult> {
  const { path, isDirectory, limit, context } = query;
  const matcher = compilePattern(query.pattern, query);
  const collector = new LineCollector({ limit, context, ...(!isDirectory && { fileName: basename(path) }) });
  const search = new FileSearch(matcher, context, collector, signal);
  if (!isDirectory) {
    await search.run(path, basename(path), true);
    return collector;
  }
  for (const file of await filesOf(query, signal)) {
    try {
      if ((await search.run(join(path, file), file, false)) === "stop") break;
    } catch (error) {
      throwIfAborted(signal);
      // A file that cannot be read holds nothing to show.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }
  return collector;
}

/** Files to search, by path. */
async function filesOf({ path, glob }: GrepQuery, signal: AbortSignal | undefined): Promise<string[]> {
  const files = await walk({
    root: path,
    requireGit: true,
    wants: (_path, entry) => entry.isFile(),
    ...(glob !== undefined && { filter: await compileGrepGlob(glob) }),
    signal,
  });
  throwIfAborted(signal);
  return sortByPath(files).map((file) => file.path);
}

class FileSearch {
  constructor(
    private readonly matcher: LineMatcher,
    private readonly context: number,
    private readonly collector: LineCollector,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Hands matches and their context to the collector, in order; `stop` when it has enough. */
  async run(path: string, name: string, binary: boolean): Promise<"continue" | "stop"> {
    let number = 0;
    let before: string[] = [];
    let after = 0;
    for await (const lines of readLines(path, { binary })) {
      throwIfAborted(this.signal);
      for (const line of lines) {
        number++;
        const isMatch = this.matcher.test(line.endsWith("\n") ? line.slice(0, -1) : line);
        if (isMatch) {
          for (const [i, text] of before.entries()) {
            if (this.emit("context", name, text, number - before.length + i) === "stop") return "stop";
          }
          before = [];
          after = this.context;
          if (this.emit("match", name, line, number) === "stop") return "stop";
        } else if (after > 0) {
          after--;
          if (this.emit("context", name, line, number) === "stop") return "stop";
        } else if (this.context > 0) {
          before.push(line);
          if (before.length > this.context) before.shift();
        }
      }
    }
    return "continue";
  }

  private emit(type: FoundLine["type"], path: string, text: string, line: number): "continue" | "stop" {
    return this.collector.push({ type, path, line, text });
  }
}
