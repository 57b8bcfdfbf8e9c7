import type {
  AssistantMessageBuilder,
  FinalReason,
  TextBuilder,
  ThinkingBuilder,
  ToolCallBuilder,
} from "../../assistant-message-builder.js";
import { isObject } from "../../json/objects.js";
import { record, text, tokens } from "../event-fields.js";

const STOP_REASONS: ReadonlyMap<string, FinalReason> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "toolUse"],
]);

type Fields = Record<string, unknown>;

/** Decodes the events of ConverseStream, each under the name of its type. Source: llm-wire.md section 9. */
export class BedrockDecoder {
  readonly #builder: AssistantMessageBuilder;
  readonly #blocks = new Map<unknown, TextBuilder | ThinkingBuilder | ToolCallBuilder>();
  /** Withheld thinking comes in pieces of base64. */
  readonly #redacted = new Map<unknown, Buffer[]>();
  #started = false;
  #stopReason: string | undefined;

  constructor(builder: AssistantMessageBuilder) {
    this.#builder = builder;
  }

  /** @throws Error whose message becomes the `errorMessage` of the answer */
  take(event: Fields): void {
    if (!this.#started) {
      this.#started = true;
      this.#builder.start();
    }
    if (event["contentBlockDelta"]) this.#takeDelta(record(event["contentBlockDelta"]));
    else if (event["contentBlockStart"]) this.#openCall(record(event["contentBlockStart"]));
    else if (event["contentBlockStop"]) this.#close(record(event["contentBlockStop"])["contentBlockIndex"]);
    else if (event["messageStop"]) this.#stopReason = text(record(event["messageStop"])["stopReason"]);
    else if (event["metadata"]) this.#takeUsage(record(record(event["metadata"])["usage"]));
  }

  finish(): void {
    for (const index of [...this.#blocks.keys()]) this.#close(index);
    const raw = this.#stopReason;
    if (raw === undefined) throw new Error("Bedrock stream ended without a stop reason");
    this.#builder.message.rawStopReason = raw;
    const reason = STOP_REASONS.get(raw);
    if (reason === undefined) throw new Error(`Provider stopped with: ${raw}`);
    this.#builder.done(reason);
  }

  /** Only calls announce themselves; text and thinking begin with their first piece. */
  #openCall(event: Fields): void {
    const call = record(event["start"])["toolUse"];
    if (!isObject(call)) return;
    const block = this.#builder.openToolCall(text(call["toolUseId"]) ?? "", text(call["name"]) ?? "");
    this.#blocks.set(event["contentBlockIndex"], block);
  }

  #takeDelta(event: Fields): void {
    const index = event["contentBlockIndex"];
    const delta = record(event["delta"]);
    if (typeof delta["text"] === "string") {
      const block = this.#blocks.get(index) ?? this.#opened(index, this.#builder.openText());
      if (block.kind === "text") block.append(delta["text"]);
    } else if (delta["toolUse"]) {
      const block = this.#blocks.get(index);
      if (block?.kind === "toolCall") block.append(text(record(delta["toolUse"])["input"]) ?? "");
    } else if (delta["reasoningContent"]) {
      this.#takeReasoning(index, record(delta["reasoningContent"]));
    }
  }

  #takeReasoning(index: unknown, delta: Fields): void {
    const block = this.#blocks.get(index) ?? this.#opened(index, this.#builder.openThinking());
    if (block.kind !== "thinking") return;
    block.append(text(delta["text"]) ?? "");
    const signature = text(delta["signature"]);
    if (signature) block.block.thinkingSignature = (block.block.thinkingSignature ?? "") + signature;
    const bytes = delta["redactedContent"];
    if (typeof bytes !== "string") return;
    const pieces = this.#redacted.get(index) ?? [];
    pieces.push(Buffer.from(bytes, "base64"));
    this.#redacted.set(index, pieces);
  }

  #opened<B extends TextBuilder | ThinkingBuilder>(index: unknown, block: B): B {
    this.#blocks.set(index, block);
    return block;
  }

  #close(index: unknown): void {
    const block = this.#blocks.get(index);
    if (!block) return;
    const pieces = this.#redacted.get(index);
    if (block.kind === "thinking" && pieces) {
      block.block.redacted = true;
      block.block.thinkingSignature = Buffer.concat(pieces).toString("base64");
      if (block.block.thinking === "") block.append("[Reasoning redacted]");
    }
    block.end();
    this.#blocks.delete(index);
  }

  #takeUsage(wire: Fields): void {
    const { usage } = this.#builder.message;
    usage.input = tokens(wire["inputTokens"]) ?? 0;
    usage.output = tokens(wire["outputTokens"]) ?? 0;
    usage.cacheRead = tokens(wire["cacheReadInputTokens"]) ?? 0;
    usage.cacheWrite = tokens(wire["cacheWriteInputTokens"]) ?? 0;
    const sum = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
    usage.totalTokens = tokens(wire["totalTokens"]) ?? sum;
    this.#builder.updateCost();
  }
}
