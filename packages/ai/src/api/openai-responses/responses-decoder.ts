import type {
  AssistantMessageBuilder,
  TextBuilder,
  ThinkingBuilder,
  ToolCallBuilder,
} from "../../assistant-message-builder.js";
import { isObject } from "../../json/objects.js";
import { parseJsonWithRepair } from "../../json/repair-json.js";
import { scaleCost } from "../../models/cost.js";
import type { Model } from "../../types.js";
import { invalidEvent, record, text, tokens } from "../event-fields.js";
import { GrammarInput, type GrammarTools, NO_GRAMMAR_TOOLS } from "../grammar-tools.js";
import type { StreamDecoder } from "../run-request.js";
import type { ServerSentEvent } from "../server-sent-events.js";

/** Between the parts of a reasoning summary. */
const PART_SEPARATOR = "\n\n";

type Item = Record<string, unknown>;

/** Blocks that the kinds of items become. */
const KINDS: Readonly<Partial<Record<string, OpenItem["block"]["kind"]>>> = {
  message: "text",
  reasoning: "thinking",
  function_call: "toolCall",
  custom_tool_call: "toolCall",
};

interface OpenItem {
  block: TextBuilder | ThinkingBuilder | ToolCallBuilder;
  /** Of a call with bare text. */
  input: GrammarInput | undefined;
  /** Reasoning: a part has ended, so the next one begins after a separator. */
  partEnded: boolean;
}

/** Where the relatives of the API deviate from it, and what a request asked for. */
export interface ResponsesDecoderOptions {
  /** The service tier asked for. */
  serviceTier?: string | undefined;
  /** The text of an error in the stream, where the API has one of its own. */
  describeError?: (error: Record<string, unknown>) => string | undefined;
  /** The tools that were declared with grammars. */
  grammars?: GrammarTools;
}

/** Decodes the events of the Responses API. Source: llm-wire.md section 3. */
export class ResponsesDecoder implements StreamDecoder {
  readonly #builder: AssistantMessageBuilder;
  readonly #model: Model;
  readonly #options: ResponsesDecoderOptions;
  /** By output index. */
  readonly #open = new Map<unknown, OpenItem>();
  /** Finished thinking blocks by item id: their encrypted content may come late. */
  readonly #reasoning = new Map<unknown, { block: ThinkingBuilder; item: Item }>();
  #hasCalls = false;
  #final: Item | undefined;

  constructor(builder: AssistantMessageBuilder, model: Model, options: ResponsesDecoderOptions = {}) {
    this.#builder = builder;
    this.#model = model;
    this.#options = options;
  }

  take({ data }: ServerSentEvent): boolean {
    if (data === "[DONE]") return true;
    const event = parseEvent(data);
    switch (event["type"]) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        this.#appendText(event);
        return false;
      case "response.function_call_arguments.delta":
        this.#call(event).append(argumentsText(event["delta"]) ?? "");
        return false;
      case "response.function_call_arguments.done":
        this.#replaceArguments(this.#call(event), event["arguments"]);
        return false;
      case "response.custom_tool_call_input.delta":
        this.#open.get(event["output_index"])?.input?.append(text(event["delta"]) ?? "");
        return false;
      case "response.custom_tool_call_input.done":
        this.#open.get(event["output_index"])?.input?.finish(text(event["input"]) ?? "");
        return false;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        this.#appendThinking(event);
        return false;
      case "response.reasoning_summary_part.done":
        this.#endPart(event);
        return false;
      case "response.output_item.added":
        this.#openItem(event["output_index"], record(event["item"]));
        return false;
      case "response.output_item.done":
        this.#closeItem(event["output_index"], record(event["item"]));
        return false;
      case "response.created":
        this.#noteResponse(record(event["response"]));
        return false;
      case "response.completed":
      case "response.incomplete":
        this.#final = record(event["response"]);
        return true;
      case "response.failed":
      case "response.cancelled":
        this.#noteEnd(record(event["response"]));
        throw new Error(this.#failureText(record(event["response"])));
      case "error": {
        // Some servers wrap the error.
        const error = isObject(event["error"]) ? event["error"] : event;
        throw new Error(this.#options.describeError?.(error) ?? errorEventText(error));
      }
      default:
        return false;
    }
  }

  finish(): void {
    const response = this.#final;
    if (!response) throw new Error("OpenAI Responses stream ended before a terminal response event");
    this.#noteEnd(response);
    this.#backfillEncryptedContent(response);
    const status = text(response["status"]) ?? "completed";
    if (status === "failed" || status === "cancelled") throw new Error(this.#failureText(response));
    this.#takeWhole(response);
    this.#endOpenItems(status === "incomplete");
    if (status !== "incomplete") {
      this.#builder.done(this.#hasCalls ? "toolUse" : "stop");
      return;
    }
    const reason = text(record(response["incomplete_details"])["reason"]) ?? "unknown";
    if (reason !== "max_output_tokens") throw new Error(`Response incomplete: ${reason}`);
    this.#builder.done("length");
  }

  #failureText(response: Item): string {
    return this.#options.describeError?.(record(response["error"])) ?? failureText(response);
  }

  #noteResponse(response: Item): void {
    const id = text(response["id"]);
    if (id) this.#builder.message.responseId = id;
    this.#builder.noteResponseModel(response["model"]);
  }

  /** Usage and reason of a response that has ended, well or not. */
  #noteEnd(response: Item): void {
    this.#noteResponse(response);
    const status = text(response["status"]);
    const reason = text(record(response["incomplete_details"])["reason"]);
    if (status) this.#builder.message.rawStopReason = reason ? `${status}.${reason}` : status;
    if (isObject(response["usage"])) this.#takeUsage(response["usage"], response["service_tier"]);
  }

  #takeUsage(wire: Item, servedTier: unknown): void {
    const { usage } = this.#builder.message;
    const details = record(wire["input_tokens_details"]);
    usage.cacheRead = tokens(details["cached_tokens"]) ?? 0;
    usage.cacheWrite = tokens(details["cache_write_tokens"]) ?? 0;
    usage.input = Math.max(0, (tokens(wire["input_tokens"]) ?? 0) - usage.cacheRead - usage.cacheWrite);
    usage.output = tokens(wire["output_tokens"]) ?? 0;
    const reasoning = tokens(record(wire["output_tokens_details"])["reasoning_tokens"]);
    if (reasoning !== undefined) usage.reasoning = reasoning;
    usage.totalTokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
    this.#builder.updateCost();
    const tier = text(servedTier) ?? this.#options.serviceTier;
    const factor = tierFactor(this.#model.id, tier);
    if (factor !== 1) scaleCost(usage.cost, factor);
  }

  #openItem(index: unknown, item: Item): OpenItem | undefined {
    const block = this.#newBlock(item);
    if (!block) return undefined;
    const isCustom = block.kind === "toolCall" && item["type"] === "custom_tool_call";
    const { grammars = NO_GRAMMAR_TOOLS } = this.#options;
    const input = isCustom ? new GrammarInput(block, block.block.name, grammars) : undefined;
    input?.append(text(item["input"]) ?? "");
    const open: OpenItem = { block, input, partEnded: false };
    this.#open.set(index, open);
    return open;
  }

  #newBlock(item: Item): OpenItem["block"] | undefined {
    switch (item["type"]) {
      case "reasoning":
        return this.#builder.openThinking();
      case "message":
        return this.#builder.openText();
      case "custom_tool_call":
      case "function_call": {
        this.#hasCalls = true;
        const block = this.#builder.openToolCall(callId(item), text(item["name"]) ?? "");
        const namespace = text(item["namespace"]);
        if (namespace !== undefined) block.block.namespace = namespace;
        block.append(argumentsText(item["arguments"]) ?? "");
        return block;
      }
      default:
        return undefined;
    }
  }

  #appendText(event: Item): void {
    const delta = text(event["delta"]) ?? "";
    const known = this.#open.get(event["output_index"])?.block;
    // Text that nothing announced is shown all the same.
    const block = known ?? (delta && this.#openItem(event["output_index"], { type: "message" })?.block);
    if (block && block.kind === "text") block.append(delta);
  }

  #appendThinking(event: Item): void {
    const open = this.#open.get(event["output_index"]);
    if (open?.block.kind !== "thinking") return;
    const delta = text(event["delta"]) ?? "";
    open.block.append(open.partEnded ? PART_SEPARATOR + delta : delta);
    open.partEnded = false;
  }

  #endPart(event: Item): void {
    const open = this.#open.get(event["output_index"]);
    if (open?.block.kind === "thinking" && open.block.block.thinking !== "") open.partEnded = true;
  }

  #call(event: Item): ToolCallBuilder {
    const block = this.#open.get(event["output_index"])?.block;
    if (block?.kind === "toolCall") return block;
    throw new Error("OpenAI Responses stream sent arguments of a tool call that it did not begin");
  }

  #replaceArguments(block: ToolCallBuilder, value: unknown): void {
    const whole = argumentsText(value);
    if (whole !== undefined) block.replace(whole);
  }

  #closeItem(index: unknown, item: Item): void {
    let open = this.#open.get(index);
    if (open && KINDS[String(item["type"])] !== open.block.kind) {
      // Another item than what began without being announced.
      open.block.end();
      open = undefined;
    }
    open ??= this.#openItem(index, item);
    if (!open) return;
    this.#open.delete(index);
    const { block } = open;
    switch (block.kind) {
      case "thinking":
        block.block.thinking = reasoningText(item) || block.block.thinking;
        block.block.thinkingSignature = JSON.stringify(item);
        this.#reasoning.set(item["id"], { block, item });
        break;
      case "text":
        block.block.text = messageText(item) || block.block.text;
        block.block.textSignature = textSignature(item);
        break;
      case "toolCall":
        this.#builder.changeToolCallId(block, callId(item));
        if (open.input && typeof item["input"] === "string") open.input.finish(item["input"]);
        else this.#replaceArguments(block, item["arguments"]);
        break;
    }
    block.end();
  }

  /** Items without an end of their own. Only a call cut off by the output limit may be among them. */
  #endOpenItems(incomplete: boolean): void {
    for (const { block } of this.#open.values()) {
      if (block.kind === "toolCall" && !incomplete) {
        const { name, id } = block.block;
        throw new Error(`OpenAI Responses stream completed with an unfinished tool call: ${name} (${id})`);
      }
      block.end();
    }
    this.#open.clear();
  }

  /** Some servers say all only at the end. */
  #takeWhole({ output }: Item): void {
    if (this.#builder.message.content.length > 0 || !Array.isArray(output)) return;
    for (const [index, item] of output.entries()) this.#closeItem(index, record(item));
  }

  #backfillEncryptedContent(response: Item): void {
    const output = Array.isArray(response["output"]) ? response["output"] : [];
    for (const value of output) {
      const item = record(value);
      const known = this.#reasoning.get(item["id"]);
      const encrypted = item["encrypted_content"];
      if (!known || known.item["encrypted_content"] || typeof encrypted !== "string") continue;
      known.block.block.thinkingSignature = JSON.stringify({ ...known.item, encrypted_content: encrypted });
    }
  }
}

function parseEvent(data: string): Item {
  try {
    return record(parseJsonWithRepair(data));
  } catch (error) {
    throw invalidEvent("OpenAI Responses", data, error);
  }
}

/** Both halves are needed to send the call back. */
function callId(item: Item): string {
  const id = text(item["call_id"]) ?? "";
  const itemId = text(item["id"]);
  return itemId ? `${id}|${itemId}` : id;
}

/** Arguments are JSON text, but some servers send the object. */
function argumentsText(value: unknown): string | undefined {
  return isObject(value) ? JSON.stringify(value) : text(value);
}

function reasoningText(item: Item): string {
  return joinedTexts(item["summary"], PART_SEPARATOR) || joinedTexts(item["content"], PART_SEPARATOR);
}

function messageText(item: Item): string {
  return joinedTexts(item["content"], "");
}

function joinedTexts(parts: unknown, separator: string): string {
  if (!Array.isArray(parts)) return "";
  const texts = parts.map((part) => text(record(part)["text"]) ?? text(record(part)["refusal"]) ?? "");
  return texts.filter((part) => part !== "").join(separator);
}

function textSignature(item: Item): string {
  const phase = text(item["phase"]);
  const id = text(item["id"]) ?? "";
  return JSON.stringify(phase === undefined ? { v: 1, id } : { v: 1, id, phase });
}

function failureText(response: Item): string {
  const { code, message } = record(response["error"]);
  if (typeof message === "string") return typeof code === "string" ? `${code}: ${message}` : message;
  const reason = text(record(response["incomplete_details"])["reason"]);
  return reason ? `incomplete: ${reason}` : "Unknown error (no error details in response)";
}

function errorEventText(error: Item): string {
  const code = text(error["code"]) ?? error["code"] ?? text(error["type"]);
  const message = text(error["message"]) ?? "the server did not say what is wrong";
  if (typeof code !== "string" && typeof code !== "number") return `Provider error: ${message}`;
  return `Error Code ${code}: ${message}`;
}

/** What a service tier does to the price. Source: llm.md section 9. */
function tierFactor(modelId: string, tier: string | undefined): number {
  if (tier === "flex") return 0.5;
  if (tier === "priority" || tier === "fast") return modelId === "gpt-5.5" ? 2.5 : 2;
  return 1;
}
