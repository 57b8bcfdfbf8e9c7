import { dialogMethods, headOf, promptCommands, sessionCommands } from "../agent-protocol.js";
import { AgentUnreachableError, type RpcProcess } from "../rpc-process.js";
import type { PromptCommand } from "../store/prompt-journal.js";
import { LiveRing, type NumberedLine } from "../streams/live-ring.js";
import type { StreamSource, Subscriber } from "../streams/subscriber.js";
import type { Dialog, InstanceRecord } from "../types.js";
import type { Prompts } from "./prompts.js";

/** How much of an agent's last events is kept, in characters. */
const ringLimit = 256 * 1024;

/** After these, the session has new entries, or will in a moment. */
const entryEvents: ReadonlySet<string> = new Set([
  "message_end",
  "turn_end",
  "agent_settled",
  "entry_appended",
  "compaction_end",
  "thinking_level_changed",
  "session_info_changed",
]);

export interface InstanceEvents {
  /** The record has changed; it may wait with being written down. */
  onChange(instance: Instance): void;
}

interface Command {
  type: string;
  [field: string]: unknown;
}

/** What the agent says about itself. */
export interface AgentState {
  sessionId: string;
  sessionFile?: string;
  isStreaming: boolean;
}

/** One agent of the table: commands in, events out. Starting and ending it is the lifecycle's. */
export class Instance implements StreamSource {
  record: InstanceRecord;
  readonly prompts: Prompts;
  readonly dialogs = new Map<string, Dialog>();
  /** When it last had something to do, in ms. */
  lastActive = Date.now();
  readonly #ring = new LiveRing(ringLimit);
  readonly #subscribers = new Set<Subscriber>();
  readonly #events: InstanceEvents;
  #process: RpcProcess | undefined;

  /** @param makePrompts gets the way to this instance, whose session they are looked for in */
  constructor(record: InstanceRecord, makePrompts: (instance: Instance) => Prompts, events: InstanceEvents) {
    this.record = record;
    this.#events = events;
    this.prompts = makePrompts(this);
  }

  get id(): string {
    return this.record.id;
  }

  get process(): RpcProcess | undefined {
    return this.#process;
  }

  get subscriberCount(): number {
    return this.#subscribers.size;
  }

  update(change: Partial<InstanceRecord>): void {
    this.record = { ...this.record, ...change };
    this.#events.onChange(this);
    if (change.status !== undefined) for (const subscriber of this.#subscribers) subscriber.instance(this.record);
  }

  /** Takes the fields away. */
  clear(...fields: ("reason" | "pid" | "startTime" | "holder" | "exitCode" | "signal" | "isStreaming")[]): void {
    const record = { ...this.record };
    for (const field of fields) delete record[field];
    this.record = record;
  }

  /** Its process from now on; the events of one before are over. */
  connect(process: RpcProcess): void {
    this.#process = process;
    this.#ring.clear();
    this.lastActive = Date.now();
  }

  /** @param isComplete whether all it said is known */
  disconnect(isComplete: boolean): void {
    this.#process = undefined;
    this.dialogs.clear();
    for (const subscriber of this.#subscribers) subscriber.processEnded(isComplete);
  }

  takeRecord(seq: number, line: string): void {
    const head = line === "" ? undefined : headOf(line);
    // Events are the many; only a few of them are looked into.
    if (head?.type === "response") {
      this.#ring.add("", seq);
      if (head.id !== undefined) this.prompts.takeResponse(line, head.id);
      return;
    }
    const numbered = this.#ring.add(line, seq);
    if (head) this.#notice(head.type, line);
    for (const subscriber of this.#subscribers) subscriber.event(numbered);
    if (head && entryEvents.has(head.type)) this.#entriesMayHaveCome();
  }

  /**
   * Sends a command of a client. Resolves with the response line, which bears the client's id.
   * @throws AgentUnreachableError
   */
  async rpc(command: Command): Promise<string> {
    const { id, ...rest } = command;
    this.lastActive = Date.now();
    const line = promptCommands.has(rest.type)
      ? await this.prompts.ask(rest as PromptCommand)
      : await this.#online().request(rest);
    if (rest.type === "clear_queue") void this.prompts.queueCleared();
    if (sessionCommands.has(rest.type)) await this.refreshState();
    return withId(line, id);
  }

  /** The first answer counts. */
  answerDialog(answer: { id: string; [field: string]: unknown }): boolean {
    if (!this.dialogs.delete(answer.id)) return false;
    this.#process?.sendOnce(`ui_${answer.id}`, JSON.stringify({ ...answer, type: "extension_ui_response" }));
    return true;
  }

  /** Asks the agent how it is. @throws AgentUnreachableError when it does not answer in time */
  async refreshState(timeoutMs?: number): Promise<AgentState> {
    const line = await this.#online().request({ type: "get_state" }, timeoutMs);
    const { data } = JSON.parse(line) as { data: AgentState };
    const { sessionId, sessionFile, isStreaming } = data;
    this.update({
      sessionId,
      isStreaming,
      lastSeenAt: new Date().toISOString(),
      ...(sessionFile !== undefined && { sessionFile }),
    });
    return data;
  }

  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** Tells the followers, too. */
  promptChanged(prompt: Parameters<Subscriber["promptState"]>[0]): void {
    this.lastActive = Date.now();
    for (const subscriber of this.#subscribers) subscriber.promptState(prompt);
  }

  get firstSeq(): number {
    return this.#ring.firstSeq;
  }

  get lastSeq(): number {
    return this.#ring.lastSeq;
  }

  eventsAfter(seq: number): NumberedLine[] {
    return this.#ring.after(seq);
  }

  async entriesSince(entryId: string | null): Promise<string | undefined> {
    if (this.record.status !== "online") return undefined;
    return this.#process?.request({ type: "get_entries", ...(entryId !== null && { since: entryId }) });
  }

  #entriesMayHaveCome(): void {
    for (const subscriber of this.#subscribers) subscriber.entriesMayHaveCome();
  }

  #notice(type: string, line: string): void {
    switch (type) {
      case "agent_start":
        this.lastActive = Date.now();
        this.update({ isStreaming: true });
        break;
      case "turn_end":
        void this.prompts.confirm(false);
        break;
      case "agent_settled":
        this.lastActive = Date.now();
        this.update({ isStreaming: false });
        void this.prompts.confirm(true);
        break;
      case "extension_ui_request":
        this.#noticeDialog(JSON.parse(line) as Dialog & { timeout?: number });
        break;
      default:
        break;
    }
  }

  #noticeDialog(dialog: Dialog & { timeout?: number }): void {
    if (!dialogMethods.has(dialog.method)) return;
    this.dialogs.set(dialog.id, dialog);
    // The agent goes on without an answer then.
    if (dialog.timeout !== undefined) setTimeout(() => this.dialogs.delete(dialog.id), dialog.timeout).unref();
  }

  #online(): RpcProcess {
    if (this.#process && this.record.status === "online") return this.#process;
    throw new AgentUnreachableError(`Instance ${this.id} is ${this.record.status}. Try again when it is online.`);
  }
}

/** A response line with the id that the client gave its command. */
function withId(line: string, id: unknown): string {
  const comma = line.indexOf(",");
  return id === undefined ? `{${line.slice(comma + 1)}` : `{"id":${JSON.stringify(id)}${line.slice(comma)}`;
}
