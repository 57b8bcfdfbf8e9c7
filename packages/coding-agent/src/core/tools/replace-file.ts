/**
 * Writing a file so that a crash or a full disk leaves the old content or the new one, never half of it.
 */
import { constants } from "node:fs";
import { access, type FileHandle, lstat, open, readlink, realpath, rename, stat, unlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { writeRegularFile } from "./regular-file.js";
import { removeStrayFiles, temporaryPath } from "./temporary-file.js";

/** Where the directory cannot hold a temporary file, or its owner cannot be kept, the file is written in place. */
const IN_PLACE_CODES = new Set(["EACCES", "EPERM", "EROFS", "EXDEV", "EBUSY", "ENOTSUP", "EINVAL", "ENAMETOOLONG"]);
const MAX_LINKS = 40;

/**
 * Replaces the content of a file, or creates it; links are followed.
 *
 * The new content is written to a temporary file beside the real target, flushed, given the target's mode and owner,
 * and renamed over it. Hard-linked files, and files in a directory that cannot be written, are written in place
 * instead. What a killed process left beside the target is removed.
 *
 * @throws NotRegularFileError; Node's error for the path as given, e.g. `EACCES: permission denied, open '<path>'`
 */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const target = await followLinks(path);
  const current = await statOrUndefined(target);
  if (current) {
    // A rename needs no permission on the file itself: a write-protected file must stay one.
    const writable = await access(target, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (!writable || !current.isFile() || current.nlink > 1) return writeRegularFile(path, content);
  }
  const temporary = temporaryPath(target);
  let handle: FileHandle;
  try {
    handle = await open(temporary, "wx", current ? 0o600 : 0o666);
  } catch (error) {
    // Not on a full disk: opening the file itself would empty it before the write fails.
    if (!isInPlaceCase(error, "ENOENT", "ENOTDIR")) throw error;
    return writeRegularFile(path, content);
  }
  try {
    try {
      await handle.writeFile(content);
      if (current) await copyOwnership(handle, current);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    if (!isInPlaceCase(error)) throw error;
    return writeRegularFile(path, content);
  }
  await removeStrayFiles(target);
}

function isInPlaceCase(error: unknown, ...more: string[]): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return IN_PLACE_CODES.has(code) || more.includes(code);
}

async function copyOwnership(handle: FileHandle, current: { uid: number; gid: number; mode: number }): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== current.uid || own.gid !== current.gid) await handle.chown(current.uid, current.gid);
  // After chown, which clears the set-user-id bits.
  await handle.chmod(current.mode & 0o7777);
}

/** The real target of a chain of links, also when its end does not exist yet. */
async function followLinks(path: string): Promise<string> {
  let target = path;
  for (let i = 0; i < MAX_LINKS; i++) {
    const info = await lstat(target).catch(() => undefined);
    if (!info?.isSymbolicLink()) return target;
    target = resolve(await realDirectory(target), await readlink(target));
  }
  return path;
}

/** A link's target is relative to the real place of the link. */
async function realDirectory(path: string): Promise<string> {
  return realpath(dirname(path));
}

async function statOrUndefined(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
