import { AppendLog } from "../storage/append-log.js";
import { mayWrite } from "../storage/files.js";
import type { SessionHeader } from "./entries.js";
import type { EntryStore } from "./entry-store.js";
import { copiedLines, replaceByMigrated } from "./migrate-file.js";
import { isOldVersion } from "./parse.js";
import { readSessionHeader } from "./session-lookup.js";

/** What is to be done with a file of an older format before something is written. */
export type OldFileFate =
  /** It has the current format by now. */
  | "current"
  | "missing"
  /** Something else is in its place: it is left alone. */
  | "lost";

/** A session file of an older format that could not be replaced when it was read: its entries are in memory. */
export class OldFile {
  /** What was read: tells what became of the file since. */
  readonly #log: AppendLog;
  /** So many entries are in the file; those behind them wait to be written. */
  readonly entries: number;

  /** @param store takes the entries */
  constructor(path: string, store: EntryStore) {
    this.#log = AppendLog.open(path);
    for (const line of copiedLines(path)) store.holdLine(line);
    store.settle();
    this.entries = store.index.count;
  }

  /**
   * Brings the file to the current format, unless somebody did that meanwhile or it is not what it was. The right to
   * write it comes first.
   * @throws what the operating system says; nothing has changed then
   */
  migrate({ id }: SessionHeader): OldFileFate {
    const { path } = this.#log;
    const { change } = this.#log.look();
    if (change === "missing") return "missing";
    const header = readSessionHeader(path);
    if (header?.id !== id) return "lost";
    if (!isOldVersion(header.version)) return "current";
    if (change === "cut" || change === "overwritten" || change === "replaced") return "lost";
    migrateFile(path);
    return "current";
  }

  close(): void {
    this.#log.close();
  }
}

/** @throws what the operating system says; the file is as it was then */
export function migrateFile(path: string): void {
  // A folder may let a file be replaced that may not be written.
  if (!mayWrite(path)) throw new Error("it may only be read");
  replaceByMigrated(path);
}
