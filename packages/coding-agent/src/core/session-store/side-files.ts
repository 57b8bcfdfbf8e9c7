/** Files beside a session file: what is kept of it when it was not as it should be. */
import { createFile } from "../storage/create-file.js";
import { fileSize, pathExists, readTail } from "../storage/files.js";
import type { TornTail } from "./entry-store.js";

/** `<name>-1.jsonl`, or the next number that is free. */
export function freeName(path: string): string {
  const base = path.replace(/\.jsonl$/, "");
  return firstFree((number) => `${base}-${number}.jsonl`);
}

/** `<file>.bak`, or with the next number that is free. */
export function backupName(path: string): string {
  return pathExists(`${path}.bak`) ? firstFree((number) => `${path}.bak${number}`) : `${path}.bak`;
}

/**
 * Copies a torn line beside the session, under a name that is no session's.
 * @returns the copy; undefined when it was made before
 */
export function keepTornTail(path: string, { offset }: TornTail, bytes: Buffer): string | undefined {
  const name = `${path}.torn-${offset}`;
  for (let number = 0; ; number++) {
    // Another session may have been at this path, and have been torn at the same place.
    const copy = number === 0 ? name : `${name}-${number}`;
    if (holds(copy, bytes)) return undefined;
    if (pathExists(copy)) continue;
    createFile(copy, [bytes], true);
    return copy;
  }
}

function holds(path: string, bytes: Buffer): boolean {
  return fileSize(path) === bytes.length && readTail(path, bytes.length) === bytes.toString("utf8");
}

function firstFree(name: (number: number) => string): string {
  for (let number = 1; ; number++) if (!pathExists(name(number))) return name(number);
}
