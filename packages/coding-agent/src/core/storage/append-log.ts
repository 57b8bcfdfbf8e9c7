import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makeDirectories } from "./make-directories.js";

/**
 * A file that only grows, by whole lines. An append either adds its line or leaves the file as it was.
 *
 * Each append is one write to a descriptor opened for appending, and is done when it returns: a killed process loses
 * nothing that was acknowledged.
 */
export class AppendLog {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Makes a new file with these lines.
   * @throws when the file exists or cannot be written; nothing is left behind then
   */
  static create(path: string, lines: readonly string[]): AppendLog {
    makeDirectories(dirname(path), 0o700);
    const descriptor = openSync(path, "ax", 0o600);
    try {
      appendWhole(descriptor, lines.map((line) => `${line}\n`).join(""));
    } finally {
      closeSync(descriptor);
    }
    return new AppendLog(path);
  }

  /**
   * Takes up an existing file for writing. A last line without its line feed gets one, so that the next line cannot
   * be glued to a torn one.
   */
  static open(path: string): AppendLog {
    const descriptor = openSync(path, "a+");
    try {
      const { size } = fstatSync(descriptor);
      if (size > 0) {
        const last = Buffer.alloc(1);
        readSync(descriptor, last, 0, 1, size - 1);
        if (last[0] !== 0x0a) appendWhole(descriptor, "\n");
      }
    } finally {
      closeSync(descriptor);
    }
    return new AppendLog(path);
  }

  /**
   * Adds one line.
   * @throws the operating system's error; the file is as it was before the call then
   */
  append(line: string): void {
    const descriptor = openSync(this.path, "a");
    try {
      appendWhole(descriptor, `${line}\n`);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Waits until everything appended so far is on the disk itself. */
  sync(): void {
    const descriptor = openSync(this.path, "r+");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** All bytes or none: what a failing write left is cut off again. */
function appendWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  const before = fstatSync(descriptor).size;
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  } catch (error) {
    if (written > 0 || fstatSync(descriptor).size > before) ftruncateSync(descriptor, before);
    throw error;
  }
}
