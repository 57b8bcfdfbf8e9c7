/**
 * Ignore files that are none: ripgrep opens what is called `.gitignore` whatever it is, and waits for ever at a pipe.
 */
import type { Dirent } from "node:fs";
import { dirname, join } from "node:path";
import { homeFolder } from "../../../config.js";
import { checkRegularFile, NotRegularFileError } from "../regular-file.js";
import { IGNORE_FILES } from "./ignore-rules.js";
import { walk } from "./walk.js";

const EXCLUDES = join("info", "exclude");
/** What ripgrep opens of a directory, if it is there, to learn the rules. */
const RULE_FILES = [...Object.values(IGNORE_FILES), ".git", join(".git", EXCLUDES)];
const NAMES: ReadonlySet<string> = new Set(RULE_FILES);

/**
 * Whether a search may wait for ever at a pipe or device in the place of an ignore file. The ordinary walk finds such
 * things without opening them; places that only ripgrep would not visit count too, which does no harm.
 *
 * @param path a directory, with all that is in it, or a file
 */
export async function hasSpecialRuleFile(path: string, isDirectory: boolean, signal: AbortSignal): Promise<boolean> {
  const outside = [...personalRuleFiles(), ...directoriesAbove(path).flatMap(ruleFilesOf)];
  if (await anySpecial(outside)) return true;
  if (!isDirectory) return false;
  const suspects: string[] = [];
  const enough = new AbortController();
  const look = (relative: string, entry: Dirent) => {
    if (!NAMES.has(entry.name) || entry.isFile()) return false;
    if (entry.isDirectory() || entry.isSymbolicLink()) suspects.push(join(path, relative));
    else enough.abort();
    return false;
  };
  await walk({ root: path, requireGit: true, wants: look, signal: AbortSignal.any([signal, enough.signal]) });
  if (enough.signal.aborted) return true;
  return anySpecial(suspects.flatMap((suspect) => [suspect, join(suspect, EXCLUDES)]));
}

function directoriesAbove(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...directoriesAbove(parent)];
}

function ruleFilesOf(directory: string): string[] {
  return RULE_FILES.map((name) => join(directory, name));
}

function personalRuleFiles(): string[] {
  const home = process.env["HOME"] ?? homeFolder();
  const config = process.env["XDG_CONFIG_HOME"] || join(home, ".config");
  return [join(home, ".gitconfig"), join(config, "git", "config"), join(config, "git", "ignore")];
}

async function anySpecial(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    try {
      await checkRegularFile(path);
    } catch (error) {
      // Others are not there, or cannot be looked at: nobody waits for those.
      if (error instanceof NotRegularFileError) return true;
    }
  }
  return false;
}
