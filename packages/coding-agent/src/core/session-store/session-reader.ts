import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { SessionContext, SessionEntry, SessionProjection, SessionTreeNode } from "./entries.js";
import { type EntryIndex, NO_PARENT } from "./entry-index.js";
import type { EntryStore } from "./entry-store.js";
import { type LabelMap, Labels } from "./labels.js";
import { LineWindow } from "./line-window.js";
import { sessionTree } from "./session-tree.js";
import { StoreContext } from "./store-context.js";
import { entriesJson, treeJson } from "./store-json.js";
import type { SessionTotals } from "./totals.js";
import { holdsEntries } from "./verify-lines.js";

/** What can be asked of a session: entries, the tree, the context of the leaf, figures. */
export abstract class SessionReader {
  readonly #labels = new Labels();

  protected abstract get store(): EntryStore;

  /** In the order they were appended. Reads all of them: see `entriesJson` for large sessions. */
  getEntries(): SessionEntry[] {
    return Array.from({ length: this.index.count }, (_, at) => this.store.entry(at));
  }

  getEntryCount(): number {
    return this.index.count;
  }

  /** Lines of the file that are no entries here: broken, without an id, or with one that is taken. */
  getLeftOutLineCount(): number {
    return this.store.leftOutLines;
  }

  /** Nothing was stored yet but what the session is called. */
  hasOnlyNames(): boolean {
    return this.index.names.length === this.index.count;
  }

  getEntry(id: string): SessionEntry | undefined {
    const at = this.index.find(id);
    return at === undefined ? undefined : this.store.entry(at);
  }

  getChildren(parentId: string | null): SessionEntry[] {
    const parent = parentId === null ? NO_PARENT : this.index.find(parentId);
    const children: SessionEntry[] = [];
    for (let at = 0; at < this.index.count; at++) {
      if (this.index.parent(at) === parent) children.push(this.store.entry(at));
    }
    return children;
  }

  abstract getLeafId(): string | null;

  getLeafEntry(): SessionEntry | undefined {
    const leafId = this.getLeafId();
    return leafId === null ? undefined : this.getEntry(leafId);
  }

  /** From a root to the entry (default: the leaf). */
  getBranch(fromId: string | null = this.getLeafId()): SessionEntry[] {
    return this.pathTo(fromId).map((at) => this.store.entry(at));
  }

  getTree(): SessionTreeNode[] {
    return sessionTree(this.store, this.labels);
  }

  getLabel(id: string): string | undefined {
    return this.labels.get(id)?.label;
  }

  getSessionName(): string | undefined {
    const last = this.index.names.at(-1);
    const info = last === undefined ? undefined : this.store.entry(last);
    return (info?.type === "session_info" && typeof info.name === "string" && info.name.trim()) || undefined;
  }

  buildContextEntries(): SessionEntry[] {
    return this.#context().entries();
  }

  buildSessionProjection(): SessionProjection {
    return this.#context().projection();
  }

  buildSessionContext(): SessionContext {
    const { messages, thinkingLevel, model } = this.buildSessionProjection();
    return { messages, thinkingLevel, model };
  }

  /** `buildSessionContext().messages.length`, without reading the messages. */
  getContextMessageCount(): number {
    return this.#context().messageCount();
  }

  /** The model that the branch ends with; reads at most a few entries. */
  getContextModel(): SessionContext["model"] {
    return this.#context().settings().model;
  }

  /** The thinking level that the branch ends with; reads at most a few entries. */
  getContextThinkingLevel(): string {
    return this.#context().settings().thinkingLevel;
  }

  /** Figures over all entries, whatever their branch; counted while they are read and written. */
  getStatistics(): SessionTotals {
    return this.store.totals.get();
  }

  /**
   * JSON array of the entries behind `sinceId`, or of all, in pieces: the bytes of the file.
   * @throws `Entry not found: <id>`, and for a file that was cut; so do the other JSON texts
   */
  entriesJson(sinceId?: string): Iterable<Buffer> {
    const since = sinceId === undefined ? -1 : this.index.find(sinceId);
    if (since === undefined) throw new Error(`Entry not found: ${sinceId}`);
    this.#assertWhole();
    return entriesJson(this.store, since + 1);
  }

  /** JSON of each entry, in the order they were appended: the bytes of the file. Each is valid until the next. */
  *entryLines(): Generator<Buffer, void> {
    this.#assertWhole();
    const window = new LineWindow(this.store);
    for (let at = 0, { count } = this.index; at < count; at++) yield window.json(at);
  }

  /** JSON of `getTree()`, in pieces: entries as the bytes of the file. */
  treeJson(): Iterable<Buffer> {
    this.#assertWhole();
    return treeJson(this.store, this.labels);
  }

  /**
   * JSON of `buildSessionContext().messages`, in pieces: messages as the bytes of the file where nothing changes them.
   * @param adapt changes messages of the user's commands for whoever reads them
   */
  contextMessagesJson(adapt: (message: AgentMessage) => object = (message) => message): Iterable<Buffer> {
    this.#assertWhole();
    return this.#context().messagesJson(adapt);
  }

  protected get index(): EntryIndex {
    return this.store.index;
  }

  protected get labels(): LabelMap {
    return this.#labels.of(this.store);
  }

  /** Numbers from a root to the entry. */
  protected pathTo(id: string | null): number[] {
    const at = id === null ? undefined : this.index.find(id);
    return at === undefined ? [] : this.index.path(at);
  }

  /** Lines are handed on as they are: they must be the ones that were read. */
  #assertWhole(): void {
    const { log, index } = this.store;
    log?.assertWhole(() => holdsEntries(log, index));
  }

  #context(): StoreContext {
    const leafId = this.getLeafId();
    return new StoreContext(this.store, leafId === null ? undefined : this.index.find(leafId));
  }
}
