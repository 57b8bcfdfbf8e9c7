import type { AssistantMessageEventStream } from "./event-stream.js";
import { isObject } from "./json/objects.js";
import { ToolCallArgumentsStream } from "./json/tool-call-arguments.js";
import { calculateCost, emptyUsage } from "./models/cost.js";
import { freshToolCallId, ToolCallIdClaims } from "./tool-call-id-claims.js";
import type {
  AssistantMessage,
  Model,
  ModelThinkingLevel,
  StopReason,
  TextContent,
  ThinkingContent,
  ToolCall,
} from "./types.js";

/** How a finished answer may end. */
export type FinalReason = Extract<StopReason, "stop" | "length" | "toolUse" | "deferred">;

/**
 * Grows one assistant message and tells the stream about each step. The message is shared by all events: no step
 * copies it, so a delta costs the same at any length.
 */
export class AssistantMessageBuilder {
  readonly message: AssistantMessage;
  readonly #stream: AssistantMessageEventStream;
  readonly #model: Model;
  readonly #callIds = new ToolCallIdClaims();

  constructor(model: Model, stream: AssistantMessageEventStream, thinkingLevel?: ModelThinkingLevel) {
    this.#model = model;
    this.#stream = stream;
    this.message = {
      role: "assistant",
      content: [],
      api: model.api,
      provider: model.provider,
      model: model.id,
      usage: emptyUsage(),
      stopReason: "pending",
      timestamp: Date.now(),
    };
    if (thinkingLevel !== undefined) this.message.thinkingLevel = thinkingLevel;
  }

  start(): void {
    this.#stream.push({ type: "start", partial: this.message });
  }

  /** Notes the model the server names, if it is another one. */
  noteResponseModel(name: unknown): void {
    if (typeof name === "string" && name !== "" && name !== this.#model.id) this.message.responseModel = name;
  }

  openText(): TextBuilder {
    return new TextBuilder(this.message, this.#stream);
  }

  openThinking(): ThinkingBuilder {
    return new ThinkingBuilder(this.message, this.#stream);
  }

  /**
   * Begins a call under the id the server gives it; under a fresh one where that is empty or has been used in this
   * answer: no provider would take it back.
   */
  openToolCall(givenId: string, name: string): ToolCallBuilder {
    return new ToolCallBuilder(this.message, this.#stream, givenId, this.#claimId(givenId, name), name);
  }

  /** For servers that say only at the end of a call which id it has. */
  changeToolCallId(call: ToolCallBuilder, givenId: string): void {
    const { block } = call;
    block.id = this.#callIds.change(block.id, call.givenId, givenId, () => freshToolCallId(block.name));
  }

  #claimId(givenId: string, name: string): string {
    return this.#callIds.claim(givenId, () => freshToolCallId(name));
  }

  /** Recomputes the cost after the usage changed. */
  updateCost(): void {
    calculateCost(this.#model, this.message.usage);
  }

  done(reason: FinalReason): void {
    this.message.stopReason = reason;
    this.#stream.push({ type: "done", reason, message: this.message });
  }

  /** Ends the answer with what had arrived; ignored after the end. */
  fail(reason: "error" | "aborted", errorMessage: string): void {
    if (this.message.stopReason !== "pending") return;
    this.message.stopReason = reason;
    this.message.errorMessage = errorMessage;
    this.#stream.push({ type: "error", reason, error: this.message });
  }
}

export class TextBuilder {
  readonly kind = "text";
  readonly block: TextContent = { type: "text", text: "" };
  readonly #index: number;

  constructor(
    readonly message: AssistantMessage,
    readonly stream: AssistantMessageEventStream,
  ) {
    this.#index = message.content.push(this.block) - 1;
    stream.push({ type: "text_start", contentIndex: this.#index, partial: message });
  }

  append(delta: string): void {
    if (delta === "") return;
    this.block.text += delta;
    this.stream.push({ type: "text_delta", contentIndex: this.#index, delta, partial: this.message });
  }

  end(): void {
    this.stream.push({
      type: "text_end",
      contentIndex: this.#index,
      content: this.block.text,
      partial: this.message,
    });
  }
}

export class ThinkingBuilder {
  readonly kind = "thinking";
  readonly block: ThinkingContent = { type: "thinking", thinking: "" };
  readonly #index: number;

  constructor(
    readonly message: AssistantMessage,
    readonly stream: AssistantMessageEventStream,
  ) {
    this.#index = message.content.push(this.block) - 1;
    stream.push({ type: "thinking_start", contentIndex: this.#index, partial: message });
  }

  append(delta: string): void {
    if (delta === "") return;
    this.block.thinking += delta;
    this.stream.push({ type: "thinking_delta", contentIndex: this.#index, delta, partial: this.message });
  }

  end(): void {
    this.stream.push({
      type: "thinking_end",
      contentIndex: this.#index,
      content: this.block.thinking,
      partial: this.message,
    });
  }
}

export class ToolCallBuilder {
  readonly kind = "toolCall";
  readonly block: ToolCall;
  readonly #arguments = new ToolCallArgumentsStream();
  readonly #index: number;

  constructor(
    readonly message: AssistantMessage,
    readonly stream: AssistantMessageEventStream,
    /** The server's own id, by which it names the call in later events. */
    readonly givenId: string,
    id: string,
    name: string,
  ) {
    this.block = { type: "toolCall", id, name, arguments: {} };
    this.#index = message.content.push(this.block) - 1;
    stream.push({ type: "toolcall_start", contentIndex: this.#index, partial: message });
  }

  /** True when some arguments text has arrived. */
  get hasText(): boolean {
    return this.#arguments.text !== "";
  }

  /**
   * True when the arguments are whole already and `piece` begins others: servers that give calls no ids, or the same,
   * show only so that another call has begun.
   */
  isFollowedBy(piece: unknown): boolean {
    if (!this.hasText) return false;
    if (typeof piece === "string" ? !piece.trimStart().startsWith("{") : !isObject(piece)) return false;
    try {
      JSON.parse(this.#arguments.text);
      return true;
    } catch {
      return false;
    }
  }

  append(delta: string): void {
    if (delta === "") return;
    this.block.arguments = this.#arguments.append(delta);
    this.#push(delta);
  }

  /** Makes `text` the whole arguments text; what it adds is told as a delta. */
  replace(text: string): void {
    const { delta, arguments: value } = this.#arguments.replace(text);
    this.block.arguments = value;
    if (delta !== undefined) this.#push(delta);
  }

  /** Makes the arguments final. */
  end(): void {
    Object.assign(this.block, this.#arguments.finish());
    this.stream.push({
      type: "toolcall_end",
      contentIndex: this.#index,
      toolCall: this.block,
      partial: this.message,
    });
  }

  #push(delta: string): void {
    this.stream.push({ type: "toolcall_delta", contentIndex: this.#index, delta, partial: this.message });
  }
}
