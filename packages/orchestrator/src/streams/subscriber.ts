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
}

/** What a subscriber needs of the instance it follows. */
export interface StreamSource {
  readonly record: InstanceRecord;
  readonly firstSeq: number;
  readonly lastSeq: number;
  eventsAfter(seq: number): NumberedLine[];
  /** The response line of `get_entries`; undefined while there is no agent to ask. */
  entriesSince(entryId: string | null): Promise<string | undefined>;
}
