import type { AgentMessage } from "@earendil-works/pi-agent-core";
import {
  contextMessagesOf,
  cutAtCompaction,
  type EntryLook,
  latestEdits,
  modelOf,
  projectEntries,
  thinkingLevelOf,
} from "./context.js";
import type { ContextEditEntry, SessionContext, SessionEntry, SessionProjection } from "./entries.js";
import type { EntryStore } from "./entry-store.js";
import { JsonPieces } from "./json-pieces.js";
import type { EntryType } from "./line-facts.js";
import { LineWindow } from "./line-window.js";
import { storedMessage } from "./message-shape.js";

/** The context of one leaf, from the index as far as that goes; bodies are read where they are needed. */
export class StoreContext {
  readonly #store: EntryStore;
  readonly #path: number[];
  #selected: number[] | undefined;

  /** @param leaf number of the last entry; undefined = an empty context */
  constructor(store: EntryStore, leaf: number | undefined) {
    this.#store = store;
    this.#path = leaf === undefined ? [] : store.index.path(leaf);
  }

  entries(): SessionEntry[] {
    return this.#entries().map((at) => this.#store.entry(at));
  }

  projection(): SessionProjection {
    const entries = projectEntries(this.entries());
    return { entries, messages: entries.flatMap(({ messages }) => messages), ...this.settings() };
  }

  settings(): Pick<SessionContext, "thinkingLevel" | "model"> {
    return {
      thinkingLevel: this.#latest(["thinking_level_change"], thinkingLevelOf) ?? "off",
      model: this.#latest(["model_change", "message"], modelOf),
    };
  }

  /** How many messages the context has. */
  messageCount(): number {
    const edits = this.#edits();
    let count = 0;
    for (const [index, at] of this.#entries().entries()) {
      if (this.#store.index.isOneMessage(at) && !edits.has(this.#store.index.id(at))) count++;
      else if (this.#canBeMessage(at)) count += this.#messages(this.#store.entry(at), index, edits).length;
    }
    return count;
  }

  /**
   * The messages as JSON, in pieces: as stored where nothing edits or repairs them.
   * @param adapt changes messages of the user's commands; the bytes of others that are sound are not looked at
   */
  *messagesJson(adapt: (message: AgentMessage) => object): Generator<Buffer, void> {
    const edits = this.#edits();
    const window = new LineWindow(this.#store);
    const pieces = new JsonPieces();
    let separator = "[";
    for (const [index, at] of this.#entries().entries()) {
      if (!this.#canBeMessage(at)) continue;
      const { index: known } = this.#store;
      const mayBeStored =
        known.type(at) === "message" && known.role(at) !== "bashExecution" && !edits.has(known.id(at));
      const stored = mayBeStored ? messageOf(window.line(at), known.soundMessageAt(at)) : undefined;
      if (stored) {
        pieces.text(separator);
        separator = ",";
        pieces.bytes(stored);
      } else {
        for (const message of this.#messages(this.#store.parse(at), index, edits)) {
          pieces.text(separator);
          separator = ",";
          pieces.text(JSON.stringify(adapt(message)));
        }
      }
      if (pieces.hasPieces) yield* pieces.take();
    }
    pieces.text(separator === "[" ? "[]" : "]");
    yield* pieces.end();
  }

  #entries(): number[] {
    const { index } = this.#store;
    const look: EntryLook<number> = {
      isCompaction: (at) => index.type(at) === "compaction",
      isSystemMessage: (at) => index.type(at) === "message" && index.role(at) === "system",
      id: (at) => index.id(at),
      firstKeptEntryId: (at) => (this.#store.entry(at) as { firstKeptEntryId?: unknown }).firstKeptEntryId,
    };
    this.#selected ??= cutAtCompaction(this.#path, look);
    return this.#selected;
  }

  #edits(): Map<string, ContextEditEntry> {
    const edits = this.#entries().filter((at) => this.#store.index.type(at) === "context_edit");
    return latestEdits(edits.map((at) => this.#store.entry(at)));
  }

  #messages(entry: SessionEntry, index: number, edits: ReadonlyMap<string, ContextEditEntry>): AgentMessage[] {
    return contextMessagesOf(entry, index, edits.get(entry.id));
  }

  #canBeMessage(at: number): boolean {
    return messageTypes.has(this.#store.index.type(at));
  }

  /** From the end of the path on, the first value that an entry of these types gives. */
  #latest<Value>(types: readonly EntryType[], read: (entry: SessionEntry) => Value | null): Value | null {
    const { index } = this.#store;
    for (const at of this.#path.toReversed()) {
      const type = index.type(at);
      if (!types.includes(type) || (type === "message" && index.role(at) !== "assistant")) continue;
      const value = read(this.#store.entry(at));
      if (value !== null) return value;
    }
    return null;
  }
}

const messageTypes: ReadonlySet<EntryType> = new Set(["message", "custom_message", "branch_summary", "compaction"]);

/** The bytes of the message in a line; undefined when it may need repair. @param soundAt where one begins that needs none */
function messageOf(line: Buffer, soundAt: number): Buffer | undefined {
  return soundAt > 0 ? line.subarray(soundAt, line.lastIndexOf(0x7d)) : storedMessage(line);
}
