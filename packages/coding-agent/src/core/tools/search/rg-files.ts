/** Files by ripgrep. Source: agent-and-tools.md B7 (Semantics). */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { findRipgrep, RipgrepStartError, runRipgrep } from "./ripgrep.js";
import { isGitData } from "./walk.js";

/**
 * The files below a directory that ignore files do not hide, in no order, relative with `/`; undefined when no ripgrep
 * runs here. Directories that cannot be read are passed over.
 *
 * @param wants whether a path is of interest
 * @throws `Operation aborted`
 */
export async function listFilesWithRipgrep(
  dir: string,
  wants: (path: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<string[] | undefined> {
  const program = await findRipgrep();
  if (!program) return undefined;
  // Names may hold line breaks, so NUL separates them.
  const args = ["--no-config", "--files", "--null", "--hidden", "--color=never"];
  // Outside a repository `.gitignore` counts all the same; inside one, the rules above its root must not.
  if (!isInRepository(dir)) args.push("--no-require-git");
  if (!isGitData(dir)) args.push("--glob", "!.git");
  const decoder = new TextDecoder();
  const found: string[] = [];
  let rest = "";
  try {
    await runRipgrep(program, args, dir, signal, (chunk) => {
      const names = (rest + decoder.decode(chunk, { stream: true })).split("\0");
      rest = names.pop() ?? "";
      for (const name of names) {
        const path = process.platform === "win32" ? name.replaceAll("\\", "/") : name;
        if (wants(path)) found.push(path);
      }
      return "continue";
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    if (error instanceof RipgrepStartError) return undefined;
    // What it could not read it says at the end; what it found counts.
  }
  return found;
}

function isInRepository(dir: string): boolean {
  if (existsSync(join(dir, ".git"))) return true;
  return dirname(dir) !== dir && isInRepository(dirname(dir));
}
