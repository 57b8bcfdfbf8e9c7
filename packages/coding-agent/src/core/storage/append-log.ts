import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { createFile } from "./create-file.js";
import { isMissing } from "./files.js";
import { readingError } from "./reading-error.js";

/** What became of the file since it was last looked at. `touched`: as long as it was, and perhaps written over inside. */
export type LogChange = "none" | "touched" | "grown" | "cut" | "overwritten" | "replaced" | "missing";

/** So many bytes at both ends of what is known tell whether somebody wrote over the file in place. */
const edgeBytes = 256;
const comparedBytes = 1 << 20;
/** A file system on which the time of change moves by itself says nothing with it. */
const mostFalseAlarms = 3;

/**
 * A file that only grows, by whole lines, and is read at any place. An append either adds its bytes or leaves the file
 * as it was, is one write, and is done when it returns: a killed process loses nothing that was acknowledged.
 *
 * The file stays open: what was read from it once can be read again when somebody deletes it.
 */
export class AppendLog {
  readonly path: string;
  readonly #descriptors: Descriptors;
  /** Bytes known to this process; others may have added more. */
  #size: number;
  /** The first and the last bytes of them. */
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);
  /** When the file was last changed, as far as is known. */
  #changed: number;
  #falseAlarms = 0;

  private constructor(path: string, descriptors: Descriptors) {
    this.path = path;
    this.#descriptors = descriptors;
    const { size, ctimeMs } = fstatSync(descriptors.reader);
    this.#size = size;
    this.#changed = ctimeMs;
    this.#readEdges();
    abandoned.register(this, descriptors, this);
  }

  /**
   * Makes a new file, whole or not at all.
   * @param durable wait until it is on the disk itself
   * @throws `EEXIST` when there is one already, and what the operating system says
   */
  static create(path: string, pieces: Iterable<Uint8Array>, durable: boolean): AppendLog {
    createFile(path, pieces, durable);
    return AppendLog.open(path);
  }

  /** @throws Error with the path, for a file that is missing or cannot be read */
  static open(path: string): AppendLog {
    try {
      return new AppendLog(path, { reader: openSync(path, "r"), writer: undefined });
    } catch (error) {
      throw readingError(path, error);
    }
  }

  get size(): number {
    return this.#size;
  }

  /**
   * @param isSame looks at all of the file: asked when its time says that it may have been changed inside
   * @throws when the file was cut or overwritten and does not hold what is known of it
   */
  assertWhole(isSame: () => boolean): void {
    const stats = fstatSync(this.#descriptors.reader);
    if (stats.size < this.#size) throw this.#cut();
    const isChanged = this.#isOverwritten(stats.size) || (this.#isTouched(stats) && !isSame());
    if (isChanged) {
      throw new Error(
        `${this.path} was overwritten by another program. ` +
          "The next message goes on in a new file with what is still in memory.",
      );
    }
    if (this.#isTouched(stats)) this.#noteFalseAlarm(stats);
  }

  /** @throws when the file has been cut and does not hold these bytes any more */
  read(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    if (this.readInto(bytes, offset) < length) throw this.#cut();
    return bytes;
  }

  #cut(): Error {
    const { size } = fstatSync(this.#descriptors.reader);
    return new Error(
      `${this.path} has become shorter: it has ${size} of ${this.#size} bytes. ` +
        "The next message goes on with what is left of it.",
    );
  }

  /** Fills the buffer from `offset` on, with less only at the end of the file. Returns how many bytes there were. */
  readInto(buffer: Buffer, offset: number): number {
    let filled = 0;
    while (filled < buffer.length) {
      const length = readSync(this.#descriptors.reader, buffer, filled, buffer.length - filled, offset + filled);
      if (length === 0) break;
      filled += length;
    }
    return filled;
  }

  /**
   * Compares the file at the path with what is known.
   * @returns with the size of the file: of the one that was opened, where it is not at its path any more
   */
  look(): { change: LogChange; size: number } {
    const own = fstatSync(this.#descriptors.reader);
    const there = statOf(this.path);
    if (!there) return { change: "missing", size: own.size };
    if (there.ino !== own.ino || there.dev !== own.dev) return { change: "replaced", size: own.size };
    if (this.#isOverwritten(there.size)) return { change: "overwritten", size: there.size };
    if (there.size < this.#size) return { change: "cut", size: there.size };
    if (there.size > this.#size) return { change: "grown", size: there.size };
    return { change: this.#isTouched(there) ? "touched" : "none", size: there.size };
  }

  #isTouched({ size, ctimeMs }: Stats): boolean {
    return size === this.#size && ctimeMs !== this.#changed && this.#falseAlarms < mostFalseAlarms;
  }

  #noteFalseAlarm({ ctimeMs }: Stats): void {
    this.#changed = ctimeMs;
    this.#falseAlarms++;
  }

  /** Whether the file at a path begins with all that is known of this one. */
  isBeginningOf(path: string): boolean {
    const other = AppendLog.open(path);
    try {
      for (let at = 0; at < this.#size; at += comparedBytes) {
        const length = Math.min(comparedBytes, this.#size - at);
        if (!this.#readSome(at, length).equals(other.#readSome(at, length))) return false;
      }
      return true;
    } finally {
      other.close();
    }
  }

  /** Takes the file as known up to this size. */
  accept(size: number): void {
    const stats = fstatSync(this.#descriptors.reader);
    if (this.#isTouched(stats)) this.#noteFalseAlarm(stats);
    this.#changed = stats.ctimeMs;
    this.#size = size;
    this.#readEdges();
  }

  #readEdges(): void {
    this.#head = this.#readSome(0, Math.min(edgeBytes, this.#size));
    this.#tail = this.#readSome(Math.max(0, this.#size - edgeBytes), Math.min(edgeBytes, this.#size));
  }

  /** Whether the bytes at both ends of what is known are others now; of a file that was cut the beginning counts. */
  #isOverwritten(size: number): boolean {
    const head = this.#head.subarray(0, size);
    if (!this.#readSome(0, head.length).equals(head)) return true;
    return size >= this.#size && !this.#readSome(this.#size - this.#tail.length, this.#tail.length).equals(this.#tail);
  }

  /** What there is of these bytes. */
  #readSome(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, this.readInto(bytes, offset));
  }

  /** The last byte that is known; undefined for an empty file. */
  lastByte(): number | undefined {
    return this.#size === 0 ? undefined : this.read(this.#size - 1, 1)[0];
  }

  /** @throws the operating system's error when nothing may be added */
  openForAppending(): number {
    this.#descriptors.writer ??= openSync(this.path, "a");
    return this.#descriptors.writer;
  }

  /**
   * Adds bytes at the end.
   * @returns where they begin; undefined when another program wrote at the same time, so that it cannot be told
   * @throws the operating system's error; the file is as it was before the call then
   */
  append(bytes: Uint8Array): number | undefined {
    const writer = this.openForAppending();
    const before = this.#size;
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(writer, bytes, written, bytes.length - written);
    } catch (error) {
      // What was written of it lies at the very end.
      if (written > 0) {
        ftruncateSync(writer, fstatSync(writer).size - written);
        this.#changed = fstatSync(writer).ctimeMs;
      }
      throw error;
    }
    const { size, ctimeMs } = fstatSync(writer);
    this.#size = size;
    this.#changed = ctimeMs;
    if (this.#size !== before + bytes.length) {
      this.#readEdges();
      return undefined;
    }
    if (this.#head.length < edgeBytes) this.#head = Buffer.concat([this.#head, bytes]).subarray(0, edgeBytes);
    this.#tail = Buffer.concat([this.#tail, bytes.subarray(-edgeBytes)]).subarray(-edgeBytes);
    return before;
  }

  /** Waits until everything is on the disk itself. */
  sync(): void {
    if (this.#descriptors.writer !== undefined) fdatasyncSync(this.#descriptors.writer);
  }

  close(): void {
    abandoned.unregister(this);
    closeAll(this.#descriptors);
    // The numbers are another file's soon: whoever still reads gets an error.
    this.#descriptors.reader = -1;
    this.#descriptors.writer = undefined;
  }
}

interface Descriptors {
  reader: number;
  writer: number | undefined;
}

/** Logs that nobody closed: programs open sessions by the hundred, and descriptors are few. */
const abandoned = new FinalizationRegistry<Descriptors>(closeAll);

function closeAll({ reader, writer }: Descriptors): void {
  closeSync(reader);
  if (writer !== undefined) closeSync(writer);
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
