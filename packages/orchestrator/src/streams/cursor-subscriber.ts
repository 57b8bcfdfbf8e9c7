import type { InstanceRecord, PromptRecord } from "../types.js";
import { type Cursor, formatCursor, parseCursor } from "./cursor.js";
import type { NumberedLine } from "./live-ring.js";
import { mostWaiting, type Sink } from "./sink.js";
import type { StreamSource, Subscriber } from "./subscriber.js";

/**
 * A stream with cursors. Entries of the session are fetched from where the reader is, so each comes once and in order,
 * whatever crashed meanwhile. Events come as they happen; those that the ring no longer has, or that a slow reader could
 * not take, are left out and counted by a `gap`.
 */
export class CursorSubscriber implements Subscriber {
  readonly #source: StreamSource;
  readonly #sink: Sink;
  readonly #at: Cursor;
  /** Only what comes is wanted: what there is, is counted but not sent. */
  #skipsEntries: boolean;
  #sessionId: string | undefined;
  #isFetching = false;
  #mustFetchAgain = false;
  /** Events come only when those before them were sent. */
  #isLive = false;
  #isWaiting = false;
  /** Whether the reader has all that the process before said. */
  #hasAllOfThePast = false;

  /** @throws for a cursor that is none */
  constructor(source: StreamSource, sink: Sink, cursor: string) {
    this.#source = source;
    this.#sink = sink;
    this.#skipsEntries = cursor === "now";
    this.#at = this.#skipsEntries
      ? { generation: source.generation, seq: source.lastSeq, entryId: null }
      : { ...parseCursor(cursor) };
    this.#sessionId = source.record.sessionId;
  }

  /** Sends what the reader does not have yet, and then what comes. */
  begin(): void {
    this.#isLive = true;
    this.#catchUp();
    if (this.#source.isComplete) this.processEnded(true);
    this.entriesMayHaveCome();
  }

  event(record: NumberedLine): void {
    if (!this.#isLive || this.#isWaiting) return;
    if (this.#sink.waiting > mostWaiting) {
      this.#waitForReader();
      return;
    }
    const { generation } = this.#source;
    // The first event of a new process, or one after others that were missed.
    if (generation !== this.#at.generation || record.seq !== this.#at.seq + 1) this.#catchUp();
    else this.#sendEvent(record);
  }

  entriesMayHaveCome(): void {
    if (this.#isFetching) this.#mustFetchAgain = true;
    else void this.#fetch();
  }

  processEnded(isComplete: boolean): void {
    const { generation, lastSeq } = this.#source;
    this.#hasAllOfThePast = isComplete && this.#at.generation === generation && this.#at.seq === lastSeq;
  }

  instance(instance: InstanceRecord): void {
    this.#send({ type: "instance", instance });
    if (instance.status === "online") this.entriesMayHaveCome();
  }

  promptState(prompt: PromptRecord): void {
    this.#send({ type: "prompt_state", prompt });
  }

  dialogClosed(dialogId: string): void {
    this.#send({ type: "dialog_closed", dialogId });
  }

  get #cursor(): string {
    return formatCursor(this.#at);
  }

  /** Events of the process of the moment that the reader does not have. */
  #catchUp(): void {
    const { generation, firstSeq } = this.#source;
    if (generation !== this.#at.generation) {
      const mayHaveMissed = this.#at.generation !== 0 && !this.#hasAllOfThePast;
      this.#at.generation = generation;
      this.#at.seq = 0;
      this.#hasAllOfThePast = false;
      if (mayHaveMissed) this.#send({ type: "gap", cursor: this.#cursor, missed: null });
    }
    // A reader may be ahead of a supervisor that has just come: what it has is not sent again.
    const missed = firstSeq - 1 - this.#at.seq;
    if (missed > 0) {
      this.#at.seq = firstSeq - 1;
      this.#send({ type: "gap", cursor: this.#cursor, missed });
    }
    for (const event of this.#source.eventsAfter(this.#at.seq)) {
      if (this.#sink.waiting > mostWaiting) {
        this.#waitForReader();
        return;
      }
      this.#sendEvent(event);
    }
  }

  #waitForReader(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#sink.onDrained(() => {
      this.#isWaiting = false;
      this.#catchUp();
    });
  }

  #sendEvent({ seq, line }: NumberedLine): void {
    this.#at.seq = seq;
    // Answers to somebody's commands are nobody else's.
    if (line === "") return;
    this.#sink.write(`{"type":"event","cursor":"${this.#cursor}","event":${line}}\n`);
  }

  async #fetch(): Promise<void> {
    this.#isFetching = true;
    do {
      this.#mustFetchAgain = false;
      await this.#drained();
      const line = await this.#source.entriesSince(this.#at.entryId).catch(() => undefined);
      if (line !== undefined) this.#takeEntries(line);
    } while (this.#mustFetchAgain);
    this.#isFetching = false;
  }

  #takeEntries(line: string): void {
    const response = JSON.parse(line) as { success: boolean; data?: { entries: { id: string }[] } };
    if (!response.success) {
      // The agent works on another session: this entry is not in it.
      if (this.#at.entryId === null) return;
      this.#at.entryId = null;
      this.#beginSession();
      this.#mustFetchAgain = true;
      return;
    }
    const { sessionId } = this.#source.record;
    if (this.#sessionId !== undefined && sessionId !== this.#sessionId && this.#at.entryId === null)
      this.#beginSession();
    this.#sessionId = sessionId;
    for (const entry of response.data?.entries ?? []) {
      this.#at.entryId = entry.id;
      if (!this.#skipsEntries) this.#send({ type: "entry", cursor: this.#cursor, entry });
    }
    this.#skipsEntries = false;
  }

  #beginSession(): void {
    const { sessionId } = this.#source.record;
    this.#sessionId = sessionId;
    this.#skipsEntries = false;
    this.#send({ type: "session_changed", cursor: this.#cursor, ...(sessionId !== undefined && { sessionId }) });
  }

  #drained(): Promise<void> | undefined {
    if (this.#sink.waiting <= mostWaiting) return undefined;
    return new Promise((resolve) => this.#sink.onDrained(resolve));
  }

  #send(frame: object): void {
    this.#sink.write(`${JSON.stringify(frame)}\n`);
  }
}
