/** Reads ignore files: of the directories above a search, of each directory on the way, and of the user. */
import { basename, dirname, join, resolve } from "node:path";
import { homeFolder } from "../../../config.js";
import { pathExists } from "../path-utils.js";
import { readRegularFile } from "../regular-file.js";
import { IGNORE_FILES, RuleFile, type RuleKind, type RuleLevel } from "./ignore-rules.js";

const NAMES = Object.entries(IGNORE_FILES) as [keyof typeof IGNORE_FILES, string][];

/** A directory whose rules are read. */
interface Place {
  readonly dir: string;
  /** Seen from the search directory. */
  readonly base: string;
  /** From there to the search directory, ending in `/`, when it lies above that. */
  readonly above: string;
}

/** The levels of the directories above the search directory. */
export async function levelsAbove(root: string): Promise<RuleLevel | undefined> {
  const places: Place[] = [];
  let above = "";
  for (let dir = root; dir !== dirname(dir); ) {
    above = `${basename(dir)}/${above}`;
    dir = dirname(dir);
    places.unshift({ dir, base: "", above });
  }
  let level: RuleLevel | undefined;
  for (const place of places) {
    const names = NAMES.map(([, name]) => name);
    level = await readLevel(place, [...names, ".git"], level);
  }
  return level;
}

/** The level of a directory of the search; the one above when it has no rules of its own. */
export function levelOf(root: string, path: string, names: readonly string[], above: RuleLevel | undefined) {
  return readLevel({ dir: join(root, path), base: path, above: "" }, names, above);
}

async function readLevel(
  place: Place,
  names: readonly string[],
  above: RuleLevel | undefined,
): Promise<RuleLevel | undefined> {
  const files: Partial<Record<RuleKind, RuleFile>> = {};
  const isRepository = names.includes(".git") && (await pathExists(join(place.dir, ".git")));
  for (const [kind, name] of NAMES) {
    if (!names.includes(name)) continue;
    const file = await readRules(join(place.dir, name), place);
    if (file) files[kind] = file;
  }
  if (isRepository) {
    const exclude = await readRules(join(await gitDirectory(place.dir), "info", "exclude"), place);
    if (exclude) files.exclude = exclude;
  }
  if (!isRepository && Object.keys(files).length === 0) return above;
  return { above, isRepository, files };
}

/** Of linked worktrees and submodules, the directory that `.git` names, or the one it shares. */
async function gitDirectory(dir: string): Promise<string> {
  const dotGit = join(dir, ".git");
  const named = /^gitdir: (.+)/.exec((await readText(dotGit)) ?? "")?.[1];
  if (!named) return dotGit;
  const own = resolve(dir, named.trim());
  const shared = await readText(join(own, "commondir"));
  return shared === undefined ? own : resolve(own, shared.trim());
}

/** Excludes of the user for all repositories, as git is configured. */
export async function globalRules(env: NodeJS.ProcessEnv = process.env): Promise<RuleFile | undefined> {
  const home = env["HOME"] ?? homeFolder();
  const config = env["XDG_CONFIG_HOME"] || join(home, ".config");
  for (const path of [join(home, ".gitconfig"), join(config, "git", "config")]) {
    const named = /^\s*excludesfile\s*=\s*"?\s*(\S+?)\s*"?\s*$/im.exec((await readText(path)) ?? "")?.[1];
    if (named) return readRules(named.replace(/^~(?=\/|$)/, home), { dir: "", base: "", above: "" });
  }
  return readRules(join(config, "git", "ignore"), { dir: "", base: "", above: "" });
}

async function readRules(path: string, { base, above }: Place): Promise<RuleFile | undefined> {
  const text = await readText(path);
  if (text === undefined || text.trim() === "") return undefined;
  const { default: ignore } = await import("ignore");
  let file = new RuleFile(ignore, text, base, above);
  // Whoever searches inside an ignored directory means to.
  for (let end = above.indexOf("/"); end !== -1; end = above.indexOf("/", end + 1)) {
    file = file.sparingAbove(above.slice(0, end));
  }
  return file;
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return (await readRegularFile(path)).toString("utf8");
  } catch {
    // No such file, which is the usual case, or none to read.
    return undefined;
  }
}
