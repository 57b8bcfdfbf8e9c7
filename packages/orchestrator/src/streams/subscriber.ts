import type { InstanceRecord, PromptRecord } from "../types.js";
import type { NumberedLine } from "./live-ring.js";

/** One who follows an instance. None of these waits: whoever is slow is so for himself. */
export interface Subscriber {
  event(record: NumberedLine): void;
  entriesMayHaveCome(): void;
  /** The process of the moment ended. `isComplete`: all it said is known. */
  processEnded(isComplete: boolean): void;
  instance(record: InstanceRecord): void;
  promptState(prompt: PromptRecord): void;
  /** A dialog was answered, or its time is over. */
  dialogClosed(dialogId: string): void;
}

/** What a subscriber needs of the instance it follows. */
export interface StreamSource {
  readonly record: InstanceRecord;
  /** Of the process whose events these are: the record may be ahead of them, or wait for them. */
  readonly generation: number;
  /** Whether that process has ended, and all it said is known. */
  readonly isComplete: boolean;
  readonly firstSeq: number;
  readonly lastSeq: number;
  eventsAfter(seq: number): NumberedLine[];
  /** The response line of `get_entries`; undefined while it cannot be told. */
  entriesSince(entryId: string | null): Promise<string | undefined>;
}
