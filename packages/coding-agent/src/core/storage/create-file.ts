import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { makeDirectories } from "./make-directories.js";

/**
 * Makes a new file that only its owner may read, whole or not at all: under another name first, which does not end as
 * the file's does. Folders on the way are made.
 *
 * @param durable wait until it is on the disk itself
 * @throws `EEXIST` when there is one already, and what the operating system says; nothing is left behind then
 */
export function createFile(path: string, pieces: Iterable<Uint8Array>, durable: boolean): void {
  withTemporary(path, pieces, durable, (temporary) => {
    try {
      linkSync(temporary, path);
    } catch (error) {
      if (!cannotLink(error)) throw error;
      // File systems without hard links: not in one step, but never over another file.
      copyFileSync(temporary, path, constants.COPYFILE_EXCL);
    }
    rmSync(temporary, { force: true });
  });
  if (durable) syncFolder(dirname(path));
}

/**
 * Replaces a file in one step by other content, always waiting for the disk, and keeps the old one under `backup`.
 * @throws what the operating system says; the file is as it was then
 */
export function replaceKeeping(path: string, backup: string, pieces: Iterable<Uint8Array>): void {
  withTemporary(path, pieces, true, (temporary) => {
    copyFileSync(path, backup, constants.COPYFILE_EXCL);
    // The umask had its say in the copy; what only its owner could read stays so.
    chmodSync(backup, 0o600);
    renameSync(temporary, path);
  });
  syncFolder(dirname(path));
}

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written, bytes.length - written);
  }
}

function withTemporary(
  path: string,
  pieces: Iterable<Uint8Array>,
  durable: boolean,
  finish: (temporary: string) => void,
): void {
  makeDirectories(dirname(path), 0o700);
  const temporary = `${path}.${process.pid}.${randomUUID().slice(0, 8)}.tmp`;
  const descriptor = openSync(temporary, "wx", 0o600);
  let isOpen = true;
  try {
    for (const piece of pieces) writeWhole(descriptor, piece);
    if (durable) fsyncSync(descriptor);
    closeSync(descriptor);
    isOpen = false;
    finish(temporary);
  } catch (error) {
    if (isOpen) closeSync(descriptor);
    rmSync(temporary, { force: true });
    throw error;
  }
}

function cannotLink(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EPERM" || code === "ENOTSUP" || code === "EOPNOTSUPP" || code === "ENOSYS" || code === "EMLINK";
}

/** A new name is on the disk once its folder is. Some systems do not let a folder be opened; they need it not. */
function syncFolder(path: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    fsyncSync(descriptor);
  } catch {
    // The file itself is safe.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
