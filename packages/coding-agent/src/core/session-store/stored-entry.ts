import type { FileEntry, SessionEntry } from "./entries.js";
import { factsOf, type LineFacts } from "./line-facts.js";

/** An entry with all that storing it takes. */
export interface StoredEntry {
  entry: SessionEntry;
  facts: LineFacts;
  /** Without a line feed. */
  line: Buffer;
}

export const lineFeed = Buffer.from("\n");

/** undefined for what has no id. */
export function storedEntry(entry: unknown): StoredEntry | undefined {
  const facts = factsOf(entry);
  return facts && { entry: entry as SessionEntry, facts, line: Buffer.from(JSON.stringify(entry)) };
}

/** With its line feed. */
export function lineOf(entry: FileEntry): Buffer {
  return Buffer.from(`${JSON.stringify(entry)}\n`);
}

/** A conversation nobody has spoken in leaves no file. */
export function startsFile({ facts: { type, role } }: StoredEntry): boolean {
  return type === "message" && (role === "user" || role === "assistant");
}
