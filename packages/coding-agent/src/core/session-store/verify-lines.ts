import type { AppendLog } from "../storage/append-log.js";
import { scanLines } from "../storage/scan-lines.js";
import { type EntryIndex, NOT_IN_FILE } from "./entry-index.js";
import type { LineFacts } from "./line-facts.js";
import { LineReader } from "./line-reader.js";

/**
 * Whether the file still holds the entries of the index, each at its place: what was written over in the middle is found,
 * but for texts that are as long as the ones before. Reads the whole file, and keeps none of it.
 */
export function holdsEntries(log: AppendLog, index: EntryIndex): boolean {
  const reader = new LineReader();
  let found = 0;
  const visit = (bytes: Buffer, from: number, end: number, offset: number) => {
    const facts = reader.read(bytes, from, end);
    const at = facts && index.find(facts.id);
    if (at === undefined || index.offset(at) !== offset) return;
    if (facts && isSame(index, at, facts, end - from)) found++;
  };
  const read = (buffer: Buffer, offset: number) => log.readInto(buffer, offset);
  const tail = scanLines(read, 0, log.size, visit);
  if (tail < log.size) {
    const last = log.read(tail, log.size - tail);
    visit(last, 0, last.length, tail);
  }
  return found === storedCount(index);
}

function isSame(index: EntryIndex, at: number, facts: LineFacts, length: number): boolean {
  return (
    index.length(at) === length &&
    index.type(at) === facts.type &&
    index.role(at) === facts.role &&
    index.time(at) === facts.time &&
    (index.isMoved(at) || index.parentId(at) === facts.parentId)
  );
}

function storedCount(index: EntryIndex): number {
  let count = 0;
  for (let at = 0; at < index.count; at++) if (index.offset(at) !== NOT_IN_FILE) count++;
  return count;
}
