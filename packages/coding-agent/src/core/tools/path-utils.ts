/**
 * Paths as models write them. Source: agent-and-tools.md B0 (path resolution).
 */
import { access } from "node:fs/promises";
import { isAbsolute, posix, resolve, sep, win32 } from "node:path";
import { fileURLToPath } from "node:url";
import { homeFolder } from "../../config.js";

const UNUSUAL_SPACES = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;
const NARROW_NO_BREAK_SPACE = "\u202F";

/** What path resolution asks of the machine; given so that the rules can be tested on any. */
export interface PathEnvironment {
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

const here = (): PathEnvironment => ({ platform: process.platform, home: homeFolder() });

/** Spells a path out: odd spaces, one leading `@`, drive paths of Unix shells on Windows, `~`, `file://`. */
export function expandPath(path: string, environment: PathEnvironment = here()): string {
  let expanded = path.replace(UNUSUAL_SPACES, " ");
  if (expanded.startsWith("@")) expanded = expanded.slice(1);
  if (environment.platform === "win32") {
    const drive = /^\/(?:mnt\/|cygdrive\/)?([a-zA-Z])(?:\/(.*))?$/.exec(expanded);
    if (drive?.[1]) return `${drive[1].toUpperCase()}:\\${(drive[2] ?? "").replaceAll("/", "\\")}`;
  }
  if (expanded === "~") return environment.home;
  if (expanded.startsWith("~/") || (environment.platform === "win32" && expanded.startsWith("~\\"))) {
    return (environment.platform === "win32" ? win32 : posix).join(environment.home, expanded.slice(2));
  }
  if (/^file:\/\//i.test(expanded)) {
    try {
      return fileURLToPath(expanded);
    } catch {
      // Not a local file URL: the literal path fails later and names itself.
      return expanded;
    }
  }
  return expanded;
}

/**
 * Absolute path of what a model wrote, seen from `cwd`. The empty path is `cwd`.
 *
 * @throws Error `Invalid path: it contains a NUL character: <path>`
 */
export function resolveToCwd(path: string, cwd: string): string {
  if (path.includes("\0")) {
    throw new Error(`Invalid path: it contains a NUL character: ${path.replaceAll("\0", "\\0")}`);
  }
  const expanded = expandPath(path);
  return isAbsolute(expanded) ? resolve(expanded) : resolve(cwd, expanded);
}

/** Spellings under which an existing file may hide, in the order they are tried. */
export function readPathVariants(path: string): string[] {
  const nfd = path.normalize("NFD");
  return [
    path.replace(/ (AM|PM)\./gi, `${NARROW_NO_BREAK_SPACE}$1.`),
    nfd,
    path.replaceAll("'", "\u2019"),
    nfd.replaceAll("'", "\u2019"),
  ].filter((variant) => variant !== path);
}

/** As `resolveToCwd`, but a missing file is also looked for under the spellings that macOS gives names. */
export async function resolveReadPath(path: string, cwd: string): Promise<string> {
  const plain = resolveToCwd(path, cwd);
  for (const candidate of [plain, ...readPathVariants(plain)]) {
    if (await pathExists(candidate)) return candidate;
  }
  return plain;
}

/** Whether something is reachable under the path; links are followed. */
export async function pathExists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

/** A path as results show it: relative parts joined by `/` on every platform. */
export function toPosixPath(path: string): string {
  return sep === "\\" ? path.replaceAll(sep, "/") : path;
}
