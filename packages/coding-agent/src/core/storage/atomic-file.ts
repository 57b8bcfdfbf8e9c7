import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makeDirectories } from "./make-directories.js";

/**
 * Replaces a file in one step: after a crash there is the old content or the new one. An existing file keeps its mode;
 * a new one is readable by its owner only.
 */
export function replaceFile(path: string, content: string): void {
  writePieces(path, [Buffer.from(content, "utf8")]);
}

/**
 * As `replaceFile`, with content that need not be in memory at once.
 * @throws for a directory, what making the pieces throws, and what the operating system says; nothing is left behind then
 */
export function writePieces(path: string, pieces: Iterable<Uint8Array>): void {
  makeDirectories(dirname(path), 0o700);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw new Error(`Cannot write ${path}: it is a directory. Name a file.`);
  const mode = stats?.mode ?? 0o600;
  const temporary = `${path}.${process.pid}.${Date.now().toString(36)}.tmp`;
  const descriptor = openSync(temporary, "wx", mode & 0o777);
  try {
    for (const bytes of pieces) {
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    }
    fsyncSync(descriptor);
  } catch (error) {
    closeSync(descriptor);
    rmSync(temporary, { force: true });
    throw error;
  }
  closeSync(descriptor);
  try {
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
