import { withMembers } from "./edit-line.js";
import type { SessionHeader } from "./entries.js";
import type { EntryStore } from "./entry-store.js";
import type { LabelMap } from "./labels.js";
import { LineWindow } from "./line-window.js";
import { newEntryId } from "./parse.js";
import { lineFeed, lineOf } from "./stored-entry.js";

/**
 * The lines of one branch as a session of its own: the path without its labels, linked anew where one is missing, then
 * one label for each labelled entry. Lines that need no change are the same bytes.
 * Source: sessions.md section 3, createBranchedSession.
 */
export function* branchLines(store: EntryStore, labels: LabelMap, path: readonly number[]): Generator<Buffer, void> {
  const window = new LineWindow(store);
  const { index } = store;
  const kept = path.filter((at) => index.type(at) !== "label");
  let parentId: string | null = null;
  for (const at of kept) {
    const line = window.line(at);
    const isMoved = index.parentId(at) !== parentId || store.isRewritten(at);
    const changes = { ...(isMoved && { parentId }), ...firstKept(store, path, at, line) };
    // Only a line that can be parsed can be changed.
    const entry = isMoved ? store.parsed(at, line) : undefined;
    if (entry && store.isDamaged(at)) yield Buffer.from(JSON.stringify({ ...entry, parentId }));
    else yield Object.keys(changes).length === 0 ? line : withMembers(line, changes);
    parentId = index.id(at);
  }
  for (const at of kept) {
    const label = labels.get(index.id(at));
    if (!label) continue;
    const id = newEntryId((id) => index.find(id) !== undefined);
    yield Buffer.from(
      JSON.stringify({
        type: "label",
        id,
        parentId,
        timestamp: label.labelTimestamp,
        targetId: index.id(at),
        label: label.label,
      }),
    );
    parentId = id;
  }
}

/** One branch alone as a file of its own: header, then one chain. In pieces. Source: sessions.md section 8, JSONL. */
export function* chainFile(
  { parentSession: _, ...header }: SessionHeader,
  store: EntryStore,
  path: readonly number[],
): Generator<Buffer, void> {
  yield lineOf({ ...header, timestamp: new Date().toISOString() });
  const window = new LineWindow(store);
  for (const at of path) yield Buffer.concat([window.json(at), lineFeed]);
}

/** A compaction that kept from a label on keeps from the entry behind it. */
function firstKept(
  store: EntryStore,
  path: readonly number[],
  at: number,
  line: Buffer,
): { firstKeptEntryId?: string } {
  const { index } = store;
  const entry = index.type(at) === "compaction" ? store.parsed(at, line) : undefined;
  const named = entry?.type === "compaction" ? index.find(entry.firstKeptEntryId) : undefined;
  if (named === undefined || index.type(named) !== "label") return {};
  const next = path.slice(path.indexOf(named)).find((one) => index.type(one) !== "label");
  return next === undefined ? {} : { firstKeptEntryId: index.id(next) };
}
