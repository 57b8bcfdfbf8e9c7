import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeDirectories } from "./make-directories.js";

/** Whether an error says that the file or a folder on its way does not exist. */
export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === "ENOENT" || code === "ENOTDIR";
}

/** Makes a folder that only its owner may enter; existing folders keep their mode. */
export function ensurePrivateDir(path: string): void {
  makeDirectories(path, 0o700);
}

/** Something in a folder, by its name. */
export interface NamedFile {
  path: string;
  /** Unix time in ms; of a link that leads nowhere its own. */
  modified: number;
  /** False: a directory, a pipe, a link that leads nowhere, ... */
  isFile: boolean;
}

/** What is in a folder under names that end in `suffix`, newest first by modification time. A missing folder has nothing. */
export function namedByAge(dir: string, suffix: string): NamedFile[] {
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  const found: NamedFile[] = [];
  for (const name of names) {
    if (!name.endsWith(suffix)) continue;
    const path = join(dir, name);
    const stats = readableStats(path);
    const modified = (stats ?? lstatSync(path, { throwIfNoEntry: false }))?.mtimeMs;
    if (modified !== undefined) found.push({ path, modified, isFile: stats?.isFile() === true });
  }
  return found.sort((a, b) => b.modified - a.modified);
}

/** As `namedByAge`, files alone. */
export function filesByAge(dir: string, suffix: string): NamedFile[] {
  return namedByAge(dir, suffix).filter(({ isFile }) => isFile);
}

/** Folders in a folder, and links to such, without what cannot be looked at. A missing folder has none. */
export function foldersIn(dir: string): string[] {
  try {
    return readdirSync(dir)
      .map((name) => join(dir, name))
      .filter((path) => readableStats(path)?.isDirectory());
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Undefined also for what cannot be looked at, as links that lead in circles. */
function readableStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What is at the path; undefined when nothing is, also when a file stands where a folder on its way should be. */
export function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether somebody else than its owner has rights to a file. Windows has other rights, which nobody asks here. */
export function othersMayRead(path: string): boolean {
  // Of what cannot be looked at, whoever reads it says why.
  return process.platform !== "win32" && ((readableStats(path)?.mode ?? 0) & 0o077) !== 0;
}

/** The last bytes of a file as text. */
export function readTail(path: string, length: number): string {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.min(length, size));
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, size - bytes.length));
  } finally {
    closeSync(descriptor);
  }
}

/** Whether both paths lead to one existing file, however they are spelt. */
export function isSameFile(a: string, b: string): boolean {
  const [first, second] = [a, b].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return first !== undefined && second !== undefined && first.ino === second.ino && first.dev === second.dev;
}

/** Size in bytes, or undefined when there is no such file. */
export function fileSize(path: string): number | undefined {
  return statIfExists(path)?.size;
}

/** Whether the path is an existing folder; what cannot be looked at is none. */
export function isDirectory(path: string): boolean {
  return readableStats(path)?.isDirectory() === true;
}

/**
 * Makes a file in one step, readable by its owner only; false when there is one already, which then stays as it is.
 */
export function createFileOnce(path: string, content: string): boolean {
  ensurePrivateDir(dirname(path));
  const temporary = `${path}.${process.pid}.${Date.now().toString(36)}.tmp`;
  try {
    writeFileSync(temporary, content, { flag: "wx", mode: 0o600 });
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Copies a file for its owner alone; false when the target exists already, which then stays as it is. */
export function copyOnce(source: string, target: string): boolean {
  ensurePrivateDir(dirname(target));
  try {
    copyFileSync(source, target, constants.COPYFILE_EXCL);
    chmodSync(target, 0o600);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Whether the path exists, as whatever it may be. */
export function pathExists(path: string): boolean {
  return existsSync(path);
}

/** Gives a file another name. */
export function renameFile(from: string, to: string): void {
  renameSync(from, to);
}

/** The folder itself where links lead to it; as it is when it does not exist. */
export function canonicalFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Names in a folder, broken links too. Nothing of a folder that cannot be listed can be used, so it has none. */
export function namesIn(folder: string): Set<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}

/** Removes a file or a folder with all in it; it may be gone already. */
export function removeTree(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Whether this process has the right to change a file and its folder. Room on the disk is another matter. */
export function mayWrite(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether there is a name, whatever it leads to. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A part of the way is no folder.
    return false;
  }
}
