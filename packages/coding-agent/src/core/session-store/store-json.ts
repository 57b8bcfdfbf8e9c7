/** Whole sessions as JSON text in pieces, made of the lines as they are stored: bodies are not parsed. */
import type { EntryStore } from "./entry-store.js";
import { JsonPieces } from "./json-pieces.js";
import type { LabelMap } from "./labels.js";
import { LineWindow } from "./line-window.js";
import { TreeOrder } from "./tree-order.js";

/** The JSON array of the entries from number `from` on, in the order of the file. */
export function* entriesJson(store: EntryStore, from: number): Generator<Buffer, void> {
  const window = new LineWindow(store);
  const pieces = new JsonPieces();
  const { count } = store.index;
  pieces.text("[");
  for (let at = from; at < count; at++) {
    if (at > from) pieces.text(",");
    pieces.bytes(window.json(at));
    if (pieces.hasPieces) yield* pieces.take();
  }
  pieces.text("]");
  yield* pieces.end();
}

/** The JSON array of the roots with their children. */
export function* treeJson(store: EntryStore, labels: LabelMap): Generator<Buffer, void> {
  const window = new LineWindow(store);
  const pieces = new JsonPieces();
  const enter = (at: number, isFirst: boolean): Buffer[] | undefined => {
    pieces.text(isFirst ? '{"entry":' : ',{"entry":');
    pieces.bytes(window.json(at));
    pieces.text(',"children":[');
    return pieces.hasPieces ? pieces.take() : undefined;
  };
  const leave = (at: number): void => {
    const label = labels.get(store.index.id(at));
    pieces.text(label ? `],${JSON.stringify(label).slice(1)}` : "]}");
  };
  pieces.text("[");
  for (const ready of new TreeOrder(store.index).walk(enter, leave)) yield* ready;
  pieces.text("]");
  yield* pieces.end();
}
