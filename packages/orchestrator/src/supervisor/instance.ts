import { headOf, promptCommands, sessionCommands } from "../agent-protocol.js";
import { dialogPrefix } from "../holder/protocol.js";
import { type OpenDialog, OpenDialogs } from "../open-dialogs.js";
import { RequestError } from "../request-error.js";
import { AgentUnreachableError, type RpcProcess } from "../rpc-process.js";
import type { PromptCommand } from "../store/prompt-journal.js";
import { entriesOfFile } from "../store/session-entries.js";
import { LiveRing, type NumberedLine } from "../streams/live-ring.js";
import type { StreamSource, Subscriber } from "../streams/subscriber.js";
import type { InstanceRecord } from "../types.js";
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

/** After these, the agent may be in another session, which its extensions have made. */
const sessionEvents: ReadonlySet<string> = new Set(["agent_start", "entry_appended", "session_info_changed"]);

export interface InstanceEvents {
  /** The record has changed; it may wait with being written down. */
  onChange(instance: Instance): void;
  /** It has a prompt, and so needs a process. */
  onPrompt(instance: Instance): void;
}

/** What was there before a supervisor took an agent back. */
export interface HeldState {
  /** Number of its last record until then. */
  lastSeq: number;
  dialogs: readonly OpenDialog[];
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
  readonly dialogs = new OpenDialogs((id) => {
    // Whatever waited for it goes on now.
    this.lastActive = Date.now();
    for (const subscriber of this.#subscribers) subscriber.dialogClosed(id);
  });
  /** When it last had something to do, in ms. */
  lastActive = Date.now();
  readonly #ring = new LiveRing(ringLimit);
  readonly #subscribers = new Set<Subscriber>();
  readonly #events: InstanceEvents;
  #process: RpcProcess | undefined;
  /** Of the process whose events the ring has. */
  #generation: number;
  #isComplete = false;
  /** Records up to this one were said before this supervisor came. */
  #saidBefore = 0;
  #refreshing: Promise<void> | undefined;
  #mustRefreshAgain = false;

  /** @param makePrompts gets the way to this instance, whose session they are looked for in */
  constructor(record: InstanceRecord, makePrompts: (instance: Instance) => Prompts, events: InstanceEvents) {
    this.record = record;
    this.#generation = record.generation;
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
  connect(process: RpcProcess, held: HeldState = { lastSeq: 0, dialogs: [] }): void {
    this.#process = process;
    this.#ring.clear();
    this.#generation = this.record.generation;
    this.#isComplete = false;
    this.#saidBefore = held.lastSeq;
    for (const open of held.dialogs) this.dialogs.add(open);
    this.lastActive = Date.now();
  }

  /** @param isComplete whether all it said is known */
  disconnect(isComplete: boolean): void {
    this.#process = undefined;
    this.#isComplete = isComplete;
    this.dialogs.clear();
    for (const subscriber of this.#subscribers) subscriber.processEnded(isComplete);
  }

  takeRecord(seq: number, line: string): void {
    const head = line === "" ? undefined : headOf(line);
    // Events are the many; only a few of them are looked into.
    if (head?.type === "response") {
      this.#ring.add("", seq);
      const isOfPrompt = head.id !== undefined && this.prompts.takeResponse(line, head.id);
      if (isOfPrompt) this.#sessionMayHaveChanged();
      return;
    }
    const numbered = this.#ring.add(line, seq);
    if (head) this.#notice(head.type, line, seq);
    for (const subscriber of this.#subscribers) subscriber.event(numbered);
    if (head && entryEvents.has(head.type)) this.#entriesMayHaveCome();
  }

  /**
   * Sends a command of a client. Resolves with the response line, which bears the client's id.
   * @throws AgentUnreachableError; RequestError for prompts that nobody will ever run
   */
  async rpc(command: Command): Promise<string> {
    const { id, ...rest } = command;
    this.lastActive = Date.now();
    const line = await (isPrompt(rest) ? this.#ask(rest) : this.#online().request(rest));
    if (rest.type === "clear_queue") void this.prompts.queueCleared();
    if (sessionCommands.has(rest.type)) await this.refreshState();
    return withId(line, id);
  }

  /** @throws RequestError when there is nobody who will ever run a prompt */
  assertTakesPrompts(): void {
    const { status, reason } = this.record;
    if (status !== "error" && status !== "stopping") return;
    const why = reason === undefined ? "" : ` ${reason}`;
    throw new RequestError("wrong_state", `Instance ${this.id} is ${status}:${why} Spawn another one.`);
  }

  /** The first answer counts: false for others, and when its time is over. */
  answerDialog(answer: { id: string; [field: string]: unknown }): boolean {
    if (!this.dialogs.close(answer.id)) return false;
    this.#process?.sendOnce(
      `${dialogPrefix}${answer.id}`,
      JSON.stringify({ ...answer, type: "extension_ui_response" }),
    );
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

  get generation(): number {
    return this.#generation;
  }

  get isComplete(): boolean {
    return this.#isComplete;
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
    const { status, sessionFile } = this.record;
    // Without a process the file is the session; one that is about to start or to end may be changing it.
    if (status === "stopped" || status === "error" || status === "queued") {
      return sessionFile === undefined ? undefined : entriesOfFile(sessionFile, entryId);
    }
    if (status !== "online") return undefined;
    return this.#process?.request({ type: "get_entries", ...(entryId !== null && { since: entryId }) });
  }

  #entriesMayHaveCome(): void {
    for (const subscriber of this.#subscribers) subscriber.entriesMayHaveCome();
  }

  async #ask(command: PromptCommand): Promise<string> {
    this.assertTakesPrompts();
    const { response } = await this.prompts.ask(command);
    this.#events.onPrompt(this);
    return response;
  }

  /** Those who ask while it asks share the next question. */
  #sessionMayHaveChanged(): void {
    if (this.#refreshing) {
      this.#mustRefreshAgain = true;
      return;
    }
    // When it ends meanwhile, what is known holds.
    this.#refreshing = this.refreshState()
      .then(
        () => {},
        () => {},
      )
      .then(() => {
        this.#refreshing = undefined;
        if (!this.#mustRefreshAgain) return;
        this.#mustRefreshAgain = false;
        this.#sessionMayHaveChanged();
      });
  }

  #notice(type: string, line: string, seq: number): void {
    if (sessionEvents.has(type)) this.#sessionMayHaveChanged();
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
        // Of those from before, the holder knows which are open still.
        if (seq > this.#saidBefore) this.dialogs.take(line);
        break;
      case "queue_update":
      case "message_end":
        this.prompts.takeEvent(type, line);
        break;
      default:
        break;
    }
  }

  #online(): RpcProcess {
    if (this.#process && this.record.status === "online") return this.#process;
    const { status } = this.record;
    const advice = status === "stopped" ? "A prompt starts it again." : "Try again when it is online.";
    throw new AgentUnreachableError(`Instance ${this.id} is ${status}. ${advice}`);
  }
}

/** What the agent would refuse as a prompt is none. */
function isPrompt(command: Command): command is PromptCommand {
  return promptCommands.has(command.type) && typeof command["message"] === "string";
}

/** A response line with the id that the client gave its command. */
function withId(line: string, id: unknown): string {
  const comma = line.indexOf(",");
  return id === undefined ? `{${line.slice(comma + 1)}` : `{"id":${JSON.stringify(id)}${line.slice(comma)}`;
}
