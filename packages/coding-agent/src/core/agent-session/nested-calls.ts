import type { JsonValue, NestedToolCallRecord, ToolResultMessage, Usage } from "@earendil-works/pi-ai";
import { addUsage } from "../compaction/summary-request.js";

/** Longest arguments that are kept of one call, and of all calls of a result, in bytes. */
const MAX_ARGUMENTS = 8 * 1024;
const MAX_ALL_ARGUMENTS = 32 * 1024;
const MAX_CALLS = 256;
/** Longest words of a failure that are kept, in characters. */
const MAX_ERROR = 1000;

interface CallsOfResult {
  calls: NestedToolCallRecord[];
  complete: boolean;
  argumentsBytes: number;
  usage: Usage | undefined;
}

/** What became of a call. */
export interface NestedOutcome {
  isError: boolean;
  durationMs?: number | undefined;
  /** Words of the result, for failures. */
  text: string;
  usage?: Usage | undefined;
}

/**
 * What tools called, until the result of the call of the model that began it is there. Calls of calls belong to that result
 * too. Source: extensions.md section 5.3.
 */
export class NestedCalls {
  readonly #byResult = new Map<string, CallsOfResult>();
  /** Nested calls by the call of the model that they belong to. */
  readonly #roots = new Map<string, string>();

  /** @returns what is called when it has ended */
  begin(id: string, parentId: string, name: string, args: unknown): (outcome: NestedOutcome) => void {
    const root = this.#roots.get(parentId) ?? parentId;
    this.#roots.set(id, root);
    const result = this.#byResult.get(root) ?? { calls: [], complete: true, argumentsBytes: 0, usage: undefined };
    this.#byResult.set(root, result);
    const record: NestedToolCallRecord = { id, name, ...keptArguments(args, result), status: "unfinished" };
    if (result.calls.length < MAX_CALLS) result.calls.push(record);
    else result.complete = false;
    return ({ isError, durationMs, text, usage }) => {
      record.status = isError ? "error" : "ok";
      if (durationMs !== undefined) record.durationMs = durationMs;
      if (isError) record.error = text.slice(0, MAX_ERROR);
      if (usage) result.usage = result.usage ? addUsage(result.usage, usage) : usage;
    };
  }

  /** Puts the calls into the result they belong to, and what they cost to what it cost. */
  addTo(message: ToolResultMessage): void {
    const result = this.#byResult.get(message.toolCallId);
    if (!result) return;
    this.#byResult.delete(message.toolCallId);
    const { calls, complete, usage } = result;
    message.nestedCalls = { calls, complete };
    if (usage) message.usage = message.usage ? addUsage(message.usage, usage) : usage;
  }

  /** Results that never came are not waited for. */
  clear(): void {
    this.#byResult.clear();
    this.#roots.clear();
  }
}

/** Arguments as they may be kept; of those that are too long only how long. */
function keptArguments(
  args: unknown,
  result: CallsOfResult,
): Pick<NestedToolCallRecord, "arguments" | "argumentsBytes"> {
  let text: string | undefined;
  try {
    text = JSON.stringify(args);
  } catch {
    // Validation refuses the call and says why.
  }
  if (text === undefined) return {};
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_ARGUMENTS || result.argumentsBytes + bytes > MAX_ALL_ARGUMENTS) return { argumentsBytes: bytes };
  result.argumentsBytes += bytes;
  // A copy: hooks may still change what the tool gets.
  return { arguments: JSON.parse(text) as JsonValue };
}
