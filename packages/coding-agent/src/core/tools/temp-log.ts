/**
 * A file in the temporary directory that takes output as fast as the disk can, and never fails the command over it.
 */
import { randomBytes } from "node:crypto";
import { createWriteStream, openSync, type WriteStream } from "node:fs";
import { lstat, readdir, readlink, realpath, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Old files of ours are removed when a new one is made, at most once per process and prefix. */
const purged = new Set<string>();
const KEPT_MS = 24 * 60 * 60 * 1000;
/** Bytes in memory before `write` asks to wait. */
const BUFFERED = 1024 * 1024;

export class TempLog {
  readonly path: string;
  /** Why the output is not (fully) in the file. */
  error: Error | undefined;
  private stream: WriteStream | undefined;
  private draining: Promise<void> | undefined;

  /** Creates `<tmpdir>/<prefix>-<16 hex>.log`, readable by its owner only. Failing is no error of the command. */
  constructor(prefix: string) {
    this.path = join(tmpdir(), `${prefix}-${randomBytes(8).toString("hex")}.log`);
    try {
      const fd = openSync(this.path, "wx", 0o600);
      this.stream = createWriteStream(this.path, { fd, highWaterMark: BUFFERED });
      this.stream.on("error", (error) => {
        this.error ??= error;
      });
    } catch (error) {
      this.error = error instanceof Error ? error : new Error(String(error));
    }
    if (!purged.has(prefix)) {
      purged.add(prefix);
      // Housekeeping: another process may be at it, or the directory may not be readable.
      purgeOldLogs(prefix).catch(() => undefined);
    }
  }

  /** @returns a promise while too much waits to be written; it resolves, never rejects */
  write(chunk: Buffer): Promise<void> | undefined {
    const { stream } = this;
    if (!stream || this.error || stream.write(chunk)) return undefined;
    this.draining ??= new Promise((resolve) => {
      const done = () => {
        stream.off("drain", done);
        stream.off("close", done);
        this.draining = undefined;
        resolve();
      };
      stream.on("drain", done);
      stream.on("close", done);
    });
    return this.draining;
  }

  /** Resolves when everything so far is in the file, or cannot be. */
  flushed(): Promise<void> {
    const { stream } = this;
    if (!stream || this.error || stream.writableEnded) return Promise.resolve();
    return new Promise((resolve) => {
      stream.write(Buffer.alloc(0), () => resolve());
    });
  }

  /** Resolves when the file is closed. */
  close(): Promise<void> {
    const { stream } = this;
    if (!stream || stream.closed) return Promise.resolve();
    return new Promise((resolve) => {
      stream.once("close", () => resolve());
      stream.end();
    });
  }

  /** Closes and deletes the file. */
  async remove(): Promise<void> {
    await this.close();
    // Gone already, which is what was wanted.
    if (this.stream) await unlink(this.path).catch(() => undefined);
  }
}

/**
 * Removes logs of the same user and prefix that nobody has written for a day. What a living process has open stays,
 * where that can be told, which is on Linux; links are no logs.
 */
export async function purgeOldLogs(prefix: string, dir: string = tmpdir(), now: number = Date.now()): Promise<void> {
  const name = new RegExp(`^${prefix}-[0-9a-f]{16}\\.log$`);
  const old: string[] = [];
  for (const entry of await readdir(dir)) {
    if (!name.test(entry)) continue;
    const info = await lstat(join(dir, entry)).catch(() => undefined);
    const isOwn = !process.getuid || info?.uid === process.getuid();
    if (info?.isFile() && isOwn && info.mtimeMs < now - KEPT_MS) old.push(entry);
  }
  if (old.length === 0) return;
  const real = await realpath(dir);
  const open = await openFiles(real);
  for (const entry of old) {
    if (!open.has(join(real, entry))) await unlink(join(dir, entry)).catch(() => undefined);
  }
}

/** Paths of what living processes have open in a directory, as far as the system tells. */
async function openFiles(dir: string): Promise<Set<string>> {
  const open = new Set<string>();
  for (const pid of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    // Processes of others, and such as end meanwhile, show nothing.
    const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const targets = descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => ""));
    for (const target of await Promise.all(targets)) if (dirname(target) === dir) open.add(target);
  }
  return open;
}
