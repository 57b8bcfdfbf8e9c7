import { readFileSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Bytes of a file that the user named. The pipe that a shell makes of `<(command)` is one, and ends with the command.
 * A pipe in a folder may never get a writer, and a device has no end.
 *
 * @throws Error that says what is there instead; Node's error when it cannot be read
 */
export function readNamedFile(path: string): Buffer {
  const stats = statSync(path);
  if (stats.isCharacterDevice() || stats.isBlockDevice() || stats.isSocket()) {
    throw new Error("it is a device or a socket");
  }
  if (isPipeInFolder(path, stats)) {
    throw new Error(`it is a named pipe, which may wait for ever. Give its text as standard input instead: < ${path}`);
  }
  return readFileSync(path);
}

/** Open files of a process have names too: `/dev/stdin`, `/dev/fd/63`, `/proc/self/fd/63`. */
function isPipeInFolder(path: string, stats: Stats): boolean {
  return stats.isFIFO() && path !== "/dev/stdin" && !/^\/(?:dev|proc\/[^/]+)\/fd$/.test(resolve(dirname(path)));
}
