import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makeDirectories } from "./make-directories.js";
import { writingError } from "./writing-error.js";

/**
 * Replaces a file in one step: after a crash there is the old content or the new one. An existing file keeps its mode;
 * a new one is readable by its owner only.
 * @param mode takes the place of an existing file's
 */
export function replaceFile(path: string, content: string, mode?: number): void {
  writePieces(path, [Buffer.from(content, "utf8")], mode);
}

/**
 * As `replaceFile`, with content that need not be in memory at once.
 * @throws for a directory, what making the pieces throws, and UnwritableFileError; nothing is left behind then
 */
export function writePieces(path: string, pieces: Iterable<Uint8Array>, mode?: number): void {
  const file = new Replacement(path, mode);
  try {
    for (const bytes of pieces) file.write(bytes);
    file.finish();
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** Other work has its turn after so long, in ms. */
const turnMs = 20;

/**
 * As `writePieces`, letting other work in between.
 * @returns settles when the file is there
 */
export async function writePiecesInTurns(path: string, pieces: Iterable<Uint8Array>): Promise<void> {
  const file = new Replacement(path);
  try {
    let turn = performance.now();
    for (const bytes of pieces) {
      file.write(bytes);
      if (performance.now() - turn < turnMs) continue;
      await new Promise((resolve) => setImmediate(resolve));
      turn = performance.now();
    }
    file.finish();
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** What a file is replaced by, until it is whole. */
class Replacement {
  readonly #path: string;
  readonly #temporary: string;
  #descriptor: number | undefined;

  constructor(path: string, mode?: number) {
    this.#path = path;
    this.#temporary = `${path}.${process.pid}.${randomUUID().slice(0, 8)}.tmp`;
    this.#descriptor = this.#writing(() => {
      makeDirectories(dirname(path), 0o700);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats?.isDirectory()) throw new Error(`Cannot write ${path}: it is a directory. Name a file.`);
      return openSync(this.#temporary, "wx", (mode ?? stats?.mode ?? 0o600) & 0o777);
    });
  }

  write(bytes: Uint8Array): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return;
    this.#writing(() => {
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    });
  }

  finish(): void {
    this.#writing(() => {
      if (this.#descriptor !== undefined) fsyncSync(this.#descriptor);
      this.#close();
      renameSync(this.#temporary, this.#path);
    });
  }

  /** What the system says names the temporary file, or none when it is the disk that is full. */
  #writing<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      throw writingError(this.#path, error);
    }
  }

  discard(): void {
    this.#close();
    rmSync(this.#temporary, { force: true });
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
