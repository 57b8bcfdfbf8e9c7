import type {
  AssistantMessageBuilder,
  FinalReason,
  TextBuilder,
  ThinkingBuilder,
  ToolCallBuilder,
} from "../../assistant-message-builder.js";
import { isObject } from "../../json/objects.js";
import { parseJsonWithRepair } from "../../json/repair-json.js";
import { invalidEvent, record, text, tokens } from "../event-fields.js";
import type { StreamDecoder } from "../run-request.js";
import type { ServerSentEvent } from "../server-sent-events.js";
import { MistralToolCallIds } from "../tool-call-ids.js";

const FINISH_REASONS: ReadonlyMap<string, FinalReason> = new Map([
  ["stop", "stop"],
  ["length", "length"],
  ["model_length", "length"],
  ["tool_calls", "toolUse"],
]);

/** Decodes the chunks of Mistral's chat API. Source: llm-wire.md section 8. */
export class MistralDecoder implements StreamDecoder {
  readonly #builder: AssistantMessageBuilder;
  /** By index and id: servers number calls, or do not. */
  readonly #calls = new Map<string, ToolCallBuilder>();
  readonly #ids = new MistralToolCallIds();
  #open: TextBuilder | ThinkingBuilder | undefined;
  #finishReason: string | undefined;

  constructor(builder: AssistantMessageBuilder) {
    this.#builder = builder;
  }

  take({ data }: ServerSentEvent): boolean {
    if (data === "[DONE]") return true;
    const chunk = parseChunk(data);
    if (chunk["error"] !== undefined || chunk["object"] === "error") throw new Error(data);
    const choices = chunk["choices"];
    if (Array.isArray(choices) && choices.length > 0) this.#takeChoice(record(choices[0]));
    const id = text(chunk["id"]);
    if (id) this.#builder.message.responseId = id;
    this.#builder.noteResponseModel(chunk["model"]);
    if (isObject(chunk["usage"])) this.#takeUsage(chunk["usage"]);
    return false;
  }

  finish(): void {
    this.#close();
    for (const call of this.#calls.values()) call.end();
    const raw = this.#finishReason;
    if (raw === undefined) throw new Error("Mistral stream ended without a finish reason");
    this.#builder.message.rawStopReason = raw;
    const reason = FINISH_REASONS.get(raw);
    if (reason !== undefined) this.#builder.done(reason);
    else throw new Error(`Provider stopped with: ${raw}${raw === "error" ? " (server error)" : ""}`);
  }

  #takeChoice(choice: Record<string, unknown>): void {
    // Some servers answer whole in spite of what was asked.
    const delta = record(choice["delta"] ?? choice["message"]);
    const { content } = delta;
    if (typeof content === "string") this.#append("text", content);
    else if (Array.isArray(content)) for (const part of content) this.#takePart(record(part));
    const calls = delta["tool_calls"];
    if (Array.isArray(calls)) for (const call of calls) this.#takeCall(record(call));
    const reason = text(choice["finish_reason"]);
    if (reason) this.#finishReason = reason;
  }

  #takePart(part: Record<string, unknown>): void {
    if (part["type"] === "text") this.#append("text", text(part["text"]) ?? "");
    if (part["type"] !== "thinking") return;
    const inner = part["thinking"];
    if (typeof inner === "string") this.#append("thinking", inner);
    else if (Array.isArray(inner))
      for (const piece of inner) this.#append("thinking", text(record(piece)["text"]) ?? "");
  }

  #append(kind: "text" | "thinking", delta: string): void {
    if (delta === "") return;
    if (this.#open?.kind !== kind) {
      this.#close();
      this.#open = kind === "text" ? this.#builder.openText() : this.#builder.openThinking();
    }
    this.#open.append(delta);
  }

  #close(): void {
    this.#open?.end();
    this.#open = undefined;
  }

  #takeCall(call: Record<string, unknown>): void {
    const called = record(call["function"]);
    const { arguments: pieces } = called;
    const block = this.#call(call, text(called["name"]) ?? "", pieces);
    if (typeof pieces === "string") block.append(pieces);
    else if (isObject(pieces)) block.append(JSON.stringify(pieces));
  }

  /** The call a piece belongs to. A piece without an id continues the call of its index. */
  #call(call: Record<string, unknown>, name: string, pieces: unknown): ToolCallBuilder {
    const last = [...this.#calls.values()].at(-1);
    if (last && call["index"] === undefined && name === "" && !text(call["id"])) return last;
    const index = typeof call["index"] === "number" ? call["index"] : 0;
    const given = text(call["id"]);
    const id = given && given !== "null" ? given : undefined;
    const key = `${index}`;
    const current = this.#calls.get(key);
    const isNamed = name !== "";
    const isSame = id === undefined ? !isNamed : id === current?.givenId;
    if (current && isSame && !(isNamed && current.isFollowedBy(pieces))) return current;
    this.#close();
    const block = this.#builder.openToolCall(id ?? this.#ids.of(`${name}:${this.#calls.size}`), name);
    // Servers that do not number their calls say index 0 of each: the earlier one stays, under a key of its own.
    if (current) this.#calls.set(`${key}:${current.block.id}`, current);
    this.#calls.delete(key);
    this.#calls.set(key, block);
    return block;
  }

  #takeUsage(wire: Record<string, unknown>): void {
    const { usage } = this.#builder.message;
    const cached = record(wire["prompt_tokens_details"])["cached_tokens"] ?? wire["num_cached_tokens"];
    usage.cacheRead = tokens(cached) ?? 0;
    usage.input = Math.max(0, (tokens(wire["prompt_tokens"]) ?? 0) - usage.cacheRead);
    usage.output = tokens(wire["completion_tokens"]) ?? 0;
    usage.totalTokens = usage.input + usage.output + usage.cacheRead;
    this.#builder.updateCost();
  }
}

function parseChunk(data: string): Record<string, unknown> {
  try {
    return record(parseJsonWithRepair(data));
  } catch (error) {
    throw invalidEvent("Mistral", data, error);
  }
}
