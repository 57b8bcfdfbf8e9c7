/**
 * Opening files of which nobody knows what they are. Opening or reading a pipe, a terminal or a device may wait for
 * ever, and the thread that waits holds even the end of the process.
 */
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";

/** `Not a regular file: <path> (it is a named pipe)`. */
export class NotRegularFileError extends Error {}

/**
 * Refuses what is neither a regular file nor a directory; links are followed.
 *
 * @throws NotRegularFileError; Node's error when there is nothing under the path
 */
export async function checkRegularFile(path: string): Promise<void> {
  refuseSpecial(path, await stat(path));
}

/**
 * Opens a file without ever waiting, also when it was exchanged after it was looked at, or when reading would wait as
 * some files of /proc do: that fails with `EAGAIN`. A directory opens for reading, as with Node.
 *
 * @param flags of `fs.constants`
 * @throws NotRegularFileError; Node's error of `open`
 */
export async function openRegularFile(path: string, flags: number, mode?: number): Promise<FileHandle> {
  const info = await stat(path).catch(() => undefined);
  if (info) refuseSpecial(path, info);
  // Windows has neither flag.
  const unwaiting = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
  const handle = await open(path, flags | unwaiting, mode);
  try {
    refuseSpecial(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** As Node's `readFile`, without waiting. */
export async function readRegularFile(path: string): Promise<Buffer> {
  const handle = await openRegularFile(path, constants.O_RDONLY);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** As Node's `writeFile`, without waiting. */
export async function writeRegularFile(path: string, content: string | Uint8Array): Promise<void> {
  const handle = await openRegularFile(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o666);
  try {
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
}

function refuseSpecial(path: string, info: Stats): void {
  if (info.isFile() || info.isDirectory()) return;
  throw new NotRegularFileError(`Not a regular file: ${path} (it is a ${kindOf(info)})`);
}

function kindOf(info: Stats): string {
  if (info.isFIFO()) return "named pipe";
  if (info.isSocket()) return "socket";
  return info.isBlockDevice() ? "block device" : "character device";
}
