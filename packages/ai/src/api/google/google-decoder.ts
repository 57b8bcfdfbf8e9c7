import type {
  AssistantMessageBuilder,
  FinalReason,
  TextBuilder,
  ThinkingBuilder,
} from "../../assistant-message-builder.js";
import { isObject } from "../../json/objects.js";
import { parseJsonWithRepair } from "../../json/repair-json.js";
import { invalidEvent, record, text, tokens } from "../event-fields.js";
import type { StreamDecoder } from "../run-request.js";
import type { ServerSentEvent } from "../server-sent-events.js";

const FINISH_REASONS: ReadonlyMap<string, FinalReason> = new Map([
  ["STOP", "stop"],
  ["MAX_TOKENS", "length"],
  ["CONTINUATION", "length"],
]);

/** Decodes the chunks of both Google APIs. Source: llm-wire.md section 7. */
export class GoogleDecoder implements StreamDecoder {
  readonly #builder: AssistantMessageBuilder;
  #hasCalls = false;
  #open: TextBuilder | ThinkingBuilder | undefined;
  #finishReason: string | undefined;

  constructor(builder: AssistantMessageBuilder) {
    this.#builder = builder;
  }

  take({ data }: ServerSentEvent): boolean {
    const chunk = parseChunk(data);
    // The text of the event is the text of the failure, as with a refused request.
    if (chunk["error"] !== undefined) throw new Error(data);
    const candidates = chunk["candidates"];
    if (Array.isArray(candidates) && candidates.length > 0) this.#takeCandidate(record(candidates[0]));
    const responseId = text(chunk["responseId"]);
    if (responseId) this.#builder.message.responseId = responseId;
    this.#builder.noteResponseModel(chunk["modelVersion"]);
    if (isObject(chunk["usageMetadata"])) this.#takeUsage(chunk["usageMetadata"]);
    const blocked = text(record(chunk["promptFeedback"])["blockReason"]);
    if (blocked) this.#finishReason ??= blocked;
    return false;
  }

  finish(): void {
    this.#close();
    const raw = this.#finishReason;
    if (raw === undefined) throw new Error("Google stream ended without a finish reason");
    this.#builder.message.rawStopReason = raw;
    const reason = FINISH_REASONS.get(raw);
    if (reason === undefined) throw new Error(`Provider stopped with: ${raw}`);
    this.#builder.done(reason === "stop" && this.#hasCalls ? "toolUse" : reason);
  }

  #takeCandidate(candidate: Record<string, unknown>): void {
    const parts = record(candidate["content"])["parts"];
    if (Array.isArray(parts)) for (const part of parts) this.#takePart(record(part));
    const reason = text(candidate["finishReason"]);
    if (reason) this.#finishReason = reason;
  }

  #takePart(part: Record<string, unknown>): void {
    if (isObject(part["functionCall"])) {
      this.#takeCall(part["functionCall"], text(part["thoughtSignature"]));
      return;
    }
    const delta = text(part["text"]);
    if (delta !== undefined) this.#takeText(delta, part["thought"] === true, text(part["thoughtSignature"]));
  }

  #takeText(delta: string, isThought: boolean, signature: string | undefined): void {
    if (delta === "" && !signature) return;
    const block = this.#block(isThought);
    block.append(delta);
    if (!signature) return;
    if (block.kind === "text") block.block.textSignature = signature;
    else block.block.thinkingSignature = signature;
  }

  /** The block that is open, if it is of the kind; else a new one. */
  #block(isThought: boolean): TextBuilder | ThinkingBuilder {
    if (this.#open && (this.#open.kind === "thinking") === isThought) return this.#open;
    this.#close();
    this.#open = isThought ? this.#builder.openThinking() : this.#builder.openText();
    return this.#open;
  }

  #close(): void {
    this.#open?.end();
    this.#open = undefined;
  }

  /** Calls come whole. */
  #takeCall(call: Record<string, unknown>, signature: string | undefined): void {
    this.#close();
    this.#hasCalls = true;
    // Gemini 2.5 sends no ids.
    const block = this.#builder.openToolCall(text(call["id"]) ?? "", text(call["name"]) ?? "");
    if (signature) block.block.thoughtSignature = signature;
    block.append(JSON.stringify(call["args"] ?? {}));
    block.end();
  }

  /** Each chunk brings the figures so far. */
  #takeUsage(wire: Record<string, unknown>): void {
    const { usage } = this.#builder.message;
    const thoughts = tokens(wire["thoughtsTokenCount"]) ?? 0;
    usage.cacheRead = tokens(wire["cachedContentTokenCount"]) ?? 0;
    usage.input = Math.max(0, (tokens(wire["promptTokenCount"]) ?? 0) - usage.cacheRead);
    usage.output = (tokens(wire["candidatesTokenCount"]) ?? 0) + thoughts;
    if (thoughts > 0) usage.reasoning = thoughts;
    usage.totalTokens = tokens(wire["totalTokenCount"]) ?? usage.input + usage.output + usage.cacheRead;
    this.#builder.updateCost();
  }
}

function parseChunk(data: string): Record<string, unknown> {
  try {
    return record(parseJsonWithRepair(data));
  } catch (error) {
    throw invalidEvent("Google", data, error);
  }
}
