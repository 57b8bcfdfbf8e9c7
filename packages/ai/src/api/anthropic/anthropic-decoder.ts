import type {
  AssistantMessageBuilder,
  FinalReason,
  TextBuilder,
  ThinkingBuilder,
  ToolCallBuilder,
} from "../../assistant-message-builder.js";
import { isObject } from "../../json/objects.js";
import { parseJsonWithRepair } from "../../json/repair-json.js";
import type { Usage } from "../../types.js";
import { invalidEvent, record, text, tokens } from "../event-fields.js";
import type { StreamDecoder } from "../run-request.js";
import type { ServerSentEvent } from "../server-sent-events.js";

const KNOWN_EVENTS: ReadonlySet<string> = new Set([
  "message_start",
  "message_delta",
  "message_stop",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "ping",
  "error",
]);

const STOP_REASONS: ReadonlyMap<string, FinalReason> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["pause_turn", "stop"],
  ["max_tokens", "length"],
  ["tool_use", "toolUse"],
]);

const REFUSED = "The model refused to complete the request";

type OpenBlock = TextBuilder | ThinkingBuilder | ToolCallBuilder;

/** Decodes the events of the Messages API. Source: llm-wire.md section 6. */
export class AnthropicDecoder implements StreamDecoder {
  readonly #builder: AssistantMessageBuilder;
  readonly #blocks = new Map<unknown, OpenBlock>();
  /** Blocks of kinds that mean nothing here, whose pieces are passed over. */
  readonly #passedOver = new Set<unknown>();
  #stopped = false;
  #stopReason: string | undefined;
  #stopExplanation: string | undefined;

  constructor(builder: AssistantMessageBuilder) {
    this.#builder = builder;
  }

  take({ event, data }: ServerSentEvent): boolean {
    if (event !== undefined && !KNOWN_EVENTS.has(event)) return false;
    if (event === "error") throw new Error(data);
    const value = parseEvent(data);
    switch (value["type"] ?? event) {
      case "content_block_delta":
        this.#takeDelta(value["index"], record(value["delta"]));
        return false;
      case "content_block_start":
        this.#openBlock(value["index"], record(value["content_block"]));
        return false;
      case "content_block_stop":
        this.#blocks.get(value["index"])?.end();
        this.#blocks.delete(value["index"]);
        return false;
      case "message_start":
        this.#takeStart(record(value["message"]));
        return false;
      case "message_delta":
        this.#takeMessageDelta(record(value["delta"]), record(value["usage"]));
        return false;
      case "message_stop":
        this.#stopped = true;
        return true;
      case "error":
        throw new Error(data);
      default:
        return false;
    }
  }

  finish(): void {
    if (!this.#stopped) throw new Error("Anthropic stream ended before message_stop");
    if (this.#stopReason === undefined) throw new Error("Anthropic stream ended without a stop reason");
    // Blocks without a stop event are complete by now all the same.
    for (const block of this.#blocks.values()) block.end();
    const reason = STOP_REASONS.get(this.#stopReason);
    if (reason !== undefined) this.#builder.done(reason);
    else if (this.#stopReason === "refusal") throw new Error(this.#stopExplanation ?? REFUSED);
    else throw new Error(`Unhandled stop reason: ${this.#stopReason}`);
  }

  #takeStart(message: Record<string, unknown>): void {
    const responseId = text(message["id"]);
    if (responseId) this.#builder.message.responseId = responseId;
    this.#builder.noteResponseModel(message["model"]);
    this.#takeUsage(record(message["usage"]));
  }

  #takeMessageDelta(delta: Record<string, unknown>, usage: Record<string, unknown>): void {
    const reason = text(delta["stop_reason"]);
    if (reason) {
      this.#stopReason = reason;
      this.#builder.message.rawStopReason = reason;
      this.#stopExplanation = text(record(delta["stop_details"])["explanation"]);
    }
    this.#takeUsage(usage);
  }

  /** Each event brings some of the figures; later ones win. */
  #takeUsage(wire: Record<string, unknown>): void {
    const { usage } = this.#builder.message;
    const take = (
      field: "input" | "output" | "cacheRead" | "cacheWrite" | "cacheWrite1h" | "reasoning",
      value: unknown,
    ) => {
      const count = tokens(value);
      if (count !== undefined) usage[field] = count;
    };
    take("input", wire["input_tokens"]);
    take("output", wire["output_tokens"]);
    take("cacheRead", wire["cache_read_input_tokens"]);
    take("cacheWrite", wire["cache_creation_input_tokens"]);
    take("cacheWrite1h", record(wire["cache_creation"])["ephemeral_1h_input_tokens"]);
    take("reasoning", record(wire["output_tokens_details"])["thinking_tokens"]);
    usage.totalTokens = totalTokens(usage);
    this.#builder.updateCost();
  }

  #openBlock(index: unknown, block: Record<string, unknown>): void {
    switch (block["type"]) {
      case "text": {
        const builder = this.#builder.openText();
        builder.append(text(block["text"]) ?? "");
        this.#blocks.set(index, builder);
        return;
      }
      case "thinking": {
        const builder = this.#builder.openThinking();
        builder.append(text(block["thinking"]) ?? "");
        builder.block.thinkingSignature = text(block["signature"]) ?? "";
        this.#blocks.set(index, builder);
        return;
      }
      case "redacted_thinking": {
        const builder = this.#builder.openThinking();
        builder.block.redacted = true;
        builder.block.thinkingSignature = text(block["data"]) ?? "";
        builder.append("[Reasoning redacted]");
        this.#blocks.set(index, builder);
        return;
      }
      case "tool_use": {
        const builder = this.#builder.openToolCall(text(block["id"]) ?? "", text(block["name"]) ?? "");
        // Some servers send the whole input at once instead of deltas.
        const { input } = block;
        if (isObject(input) && Object.keys(input).length > 0) builder.append(JSON.stringify(input));
        this.#blocks.set(index, builder);
        return;
      }
      default:
        this.#passedOver.add(index);
    }
  }

  #takeDelta(index: unknown, delta: Record<string, unknown>): void {
    const block = this.#blocks.get(index);
    switch (delta["type"]) {
      case "text_delta": {
        // Text that nothing announced is shown all the same.
        const piece = text(delta["text"]) ?? "";
        const open = block?.kind === "text" ? block : piece && this.#begun(index, this.#builder.openText());
        if (open) open.append(piece);
        return;
      }
      case "thinking_delta": {
        const piece = text(delta["thinking"]) ?? "";
        const open = block?.kind === "thinking" ? block : piece && this.#begun(index, this.#builder.openThinking());
        if (open) open.append(piece);
        return;
      }
      case "signature_delta":
        if (block?.kind === "thinking") {
          block.block.thinkingSignature = (block.block.thinkingSignature ?? "") + (text(delta["signature"]) ?? "");
        }
        return;
      case "input_json_delta":
        if (block?.kind === "toolCall") block.append(text(delta["partial_json"]) ?? "");
        else if (!block && !this.#passedOver.has(index)) {
          throw new Error("Anthropic stream sent arguments of a tool call that it did not begin");
        }
        return;
    }
  }

  /** A block that begins with its first piece. */
  #begun<B extends OpenBlock>(index: unknown, block: B): B {
    this.#blocks.get(index)?.end();
    this.#blocks.set(index, block);
    return block;
  }
}

function parseEvent(data: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJsonWithRepair(data);
  } catch (error) {
    throw invalidEvent("Anthropic", data, error);
  }
  return record(value);
}

function totalTokens(usage: Usage): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}
