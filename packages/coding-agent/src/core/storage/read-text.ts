import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { isMissing, isThere } from "./files.js";

/** Something is there under the name of a file, and cannot be read as one. */
export class UnreadableFileError extends Error {
  override name = "UnreadableFileError";
  readonly path: string;
  /** Of the operating system, where it refused. */
  readonly code: string | undefined;
  /** What is wrong, for messages that name the file themselves; without a full stop. */
  readonly reason: string;

  constructor(path: string, { reason, advice }: Problem, cause?: unknown) {
    super(`Cannot read ${path}: ${reason}. ${advice}`, cause === undefined ? undefined : { cause });
    this.path = path;
    this.reason = reason;
    this.code = (cause as NodeJS.ErrnoException | undefined)?.code;
  }
}

interface Problem {
  reason: string;
  advice: string;
}

/**
 * Text of a file without its byte order mark; undefined when there is no such file. This is the door to all files that
 * configure the program: a pipe that nobody writes to would stop it for ever, a device might never end.
 *
 * @throws UnreadableFileError for whatever else is there, as a directory, a pipe or a link to nothing: somebody meant to
 * have something there
 */
export function readTextIfExists(path: string): string | undefined {
  const descriptor = openFile(path);
  if (descriptor === undefined) return undefined;
  try {
    return readFileSync(descriptor, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new UnreadableFileError(path, refusal(error), error);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * For whoever reads a file by other means, as in pieces. No file at all is none that cannot be read.
 * @throws UnreadableFileError as `readTextIfExists` does
 */
export function assertReadable(path: string): void {
  const descriptor = openFile(path);
  if (descriptor !== undefined) closeSync(descriptor);
}

function openFile(path: string): number | undefined {
  let descriptor: number;
  try {
    // Without it, opening a pipe waits for a writer. Regular files know no difference.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (!isMissing(error)) throw new UnreadableFileError(path, refusal(error), error);
    if (isThere(path)) throw new UnreadableFileError(path, nowhere);
    return undefined;
  }
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return descriptor;
  closeSync(descriptor);
  throw new UnreadableFileError(path, noFile(kindOf(stats)));
}

/** What went wrong, for a message that has already named the file; without a full stop. */
export function reasonOf(error: unknown): string {
  if (error instanceof UnreadableFileError) return error.reason;
  return error instanceof Error ? refusal(error).reason.replace(/\.$/, "") : String(error);
}

const nowhere: Problem = { reason: "it is a link to nothing", advice: "Make what it leads to, or remove it." };

function noFile(kind: string): Problem {
  return { reason: `it is a ${kind}, but a file is expected there`, advice: "Move it away, or put a file there." };
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "directory";
  if (stats.isFIFO()) return "named pipe";
  return stats.isSocket() ? "socket" : "device";
}

/** What the operating system says, in words for the user. */
function refusal(error: unknown): Problem {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case "ELOOP":
      return { reason: "it is a link that leads in circles", advice: "Remove it." };
    case "EACCES":
    case "EPERM":
      return { reason: "this user may not read it", advice: "Change its owner or its rights." };
    case "EISDIR":
      return noFile("directory");
    case "ENXIO":
      // Sockets cannot be opened, nor devices that nothing is behind.
      return noFile("socket or a device");
    default:
      return { reason: message, advice: "Look at the disk." };
  }
}
