/**
 * Temporary files beside the files that they are to replace. Their names tell who made them, so that those of a killed
 * process can be told from those of one that is just writing.
 */
import { randomBytes } from "node:crypto";
import { readdir, stat, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

/** Bytes of names: file systems take 255. */
const MAX_BASE = 100;
const MAX_HOST = 60;
/** Of another machine, which may share the directory; nothing is written for so long. */
const FOREIGN_AGE_MS = 60 * 60 * 1000;

/** A new name beside the target, `.<name>.<pid>-<host>-<random>.tmp`. */
export function temporaryPath(target: string): string {
  const name = `${prefixOf(target)}${process.pid}-${host()}-${randomBytes(4).toString("hex")}.tmp`;
  return join(dirname(target), name);
}

/** Removes what processes that are gone left beside the target. Never fails: this is housekeeping. */
export async function removeStrayFiles(target: string): Promise<void> {
  const prefix = prefixOf(target);
  for (const name of await readdir(dirname(target)).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const owner = /^(\d+)-(.*)-[0-9a-f]{8}\.tmp$/.exec(name.slice(prefix.length));
    if (!owner) continue;
    const path = join(dirname(target), name);
    const isStray = owner[2] === host() ? !isAlive(Number(owner[1])) : await isOld(path);
    // Another process may be at the same housekeeping.
    if (isStray) await unlink(path).catch(() => undefined);
  }
}

function prefixOf(target: string): string {
  const name = Buffer.from(basename(target));
  let end = Math.min(name.length, MAX_BASE);
  while (end < name.length && ((name[end] ?? 0) & 0xc0) === 0x80) end--;
  return `.${name.toString("utf8", 0, end)}.`;
}

function host(): string {
  return hostname()
    .replace(/[^\w.]/g, "_")
    .slice(0, MAX_HOST);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function isOld(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => undefined);
  return info !== undefined && Date.now() - info.mtimeMs > FOREIGN_AGE_MS;
}
