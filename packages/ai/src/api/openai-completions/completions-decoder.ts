import type {
  AssistantMessageBuilder,
  FinalReason,
  TextBuilder,
  ThinkingBuilder,
  ToolCallBuilder,
} from "../../assistant-message-builder.js";
import { isObject } from "../../json/objects.js";
import { parseJsonWithRepair } from "../../json/repair-json.js";
import type { Model } from "../../types.js";
import { invalidEvent, record, text, tokens } from "../event-fields.js";
import { GrammarInput, type GrammarTools, NO_GRAMMAR_TOOLS } from "../grammar-tools.js";
import type { StreamDecoder } from "../run-request.js";
import type { ServerSentEvent } from "../server-sent-events.js";
import { REASONING_FIELDS } from "./completions-messages.js";
import { applyReportedCost } from "./openrouter-cost.js";
import { ReasoningDetails } from "./reasoning-details.js";

const FINISH_REASONS: ReadonlyMap<string, FinalReason> = new Map([
  ["stop", "stop"],
  ["end", "stop"],
  ["length", "length"],
  ["tool_calls", "toolUse"],
  ["function_call", "toolUse"],
]);

/** Decodes the chunks of a chat completion. Source: llm-wire.md section 2. */
export class CompletionsDecoder implements StreamDecoder {
  readonly #builder: AssistantMessageBuilder;
  readonly #model: Model;
  readonly #supportsFinishReason: boolean;
  readonly #grammars: GrammarTools;
  /** In the order in which they began. */
  readonly #blocks: (TextBuilder | ThinkingBuilder | ToolCallBuilder)[] = [];
  #text: TextBuilder | undefined;
  #thinking: ThinkingBuilder | undefined;
  readonly #details = new ReasoningDetails();
  readonly #calls = new Map<unknown, ToolCallBuilder>();
  /** Those that began with an index. */
  readonly #numbered = new Set<ToolCallBuilder>();
  /** Those that come as bare text. */
  readonly #inputs = new Map<ToolCallBuilder, GrammarInput>();
  #hasEvents = false;
  #finishReason: string | undefined;

  /** @param grammars the tools that were declared with grammars */
  constructor(
    builder: AssistantMessageBuilder,
    model: Model,
    supportsFinishReason: boolean,
    grammars: GrammarTools = NO_GRAMMAR_TOOLS,
  ) {
    this.#builder = builder;
    this.#model = model;
    this.#supportsFinishReason = supportsFinishReason;
    this.#grammars = grammars;
  }

  take({ data }: ServerSentEvent): boolean {
    this.#hasEvents = true;
    if (data === "[DONE]") return true;
    const chunk = parseChunk(data);
    const { error } = chunk;
    if (error) throw new Error(typeof error === "string" ? error : JSON.stringify(error));
    const { message } = this.#builder;
    const id = chunk["id"];
    if (message.responseId === undefined && typeof id === "string" && id !== "") message.responseId = id;
    if (message.responseModel === undefined) this.#builder.noteResponseModel(chunk["model"]);
    if (isObject(chunk["usage"])) this.#takeUsage(chunk["usage"]);
    const choices = chunk["choices"];
    const choice = Array.isArray(choices) ? choices[0] : undefined;
    if (isObject(choice)) this.#takeChoice(choice);
    return false;
  }

  finish(): void {
    const reason = this.#finalReason();
    const details = this.#details.signature();
    if (details !== undefined) this.#openThinking().block.thinkingSignature = details;
    for (const input of this.#inputs.values()) input.end();
    for (const block of this.#blocks) block.end();
    this.#builder.done(reason);
  }

  #finalReason(): FinalReason {
    const raw = this.#finishReason;
    if (raw === undefined) {
      // Without any event there was no answer, not an empty one.
      if (this.#supportsFinishReason || !this.#hasEvents) throw new Error("Stream ended without finish_reason");
      return this.#calls.size > 0 ? "toolUse" : "stop";
    }
    const reason = FINISH_REASONS.get(raw);
    if (reason === undefined) throw new Error(`Provider finish_reason: ${raw}`);
    // Some servers say "stop" after tool calls.
    return reason === "stop" && this.#calls.size > 0 ? "toolUse" : reason;
  }

  #takeChoice(choice: Record<string, unknown>): void {
    const { delta, message } = choice;
    if (isObject(delta)) this.#takeDelta(delta);
    // Some servers answer whole in spite of what was asked, and some repeat what they sent in pieces.
    if (isObject(message) && this.#blocks.length === 0) this.#takeDelta(message);
    const finishReason = choice["finish_reason"];
    if (typeof finishReason === "string" && finishReason !== "") {
      this.#finishReason = finishReason;
      this.#builder.message.rawStopReason = finishReason;
    }
    if (isObject(choice["usage"])) this.#takeUsage(choice["usage"]);
  }

  #takeDelta(delta: Record<string, unknown>): void {
    for (const field of REASONING_FIELDS) {
      const reasoning = delta[field];
      if (typeof reasoning !== "string" || reasoning === "") continue;
      const thinking = this.#openThinking();
      thinking.block.thinkingSignature ??= field;
      thinking.append(reasoning);
      break;
    }
    if (Array.isArray(delta["reasoning_details"])) this.#details.add(delta["reasoning_details"]);
    const { content, refusal } = delta;
    if (Array.isArray(content)) for (const part of content) this.#takePart(record(part));
    else this.#takeText(content);
    this.#takeText(refusal);
    const calls = delta["tool_calls"];
    if (!Array.isArray(calls)) return;
    for (const [position, call] of calls.entries()) {
      this.#takeCall(record(call), calls.length === 1 ? undefined : position);
    }
  }

  /** Content in parts is not of the protocol, but some servers send it. */
  #takePart(part: Record<string, unknown>): void {
    if (typeof part["thinking"] === "string") this.#openThinking().append(part["thinking"]);
    else this.#takeText(part["text"] ?? part["refusal"]);
  }

  #takeText(piece: unknown): void {
    if (typeof piece !== "string" || piece === "") return;
    if (!this.#text) {
      this.#text = this.#builder.openText();
      this.#blocks.push(this.#text);
    }
    this.#text.append(piece);
  }

  #openThinking(): ThinkingBuilder {
    if (!this.#thinking) {
      this.#thinking = this.#builder.openThinking();
      this.#blocks.push(this.#thinking);
    }
    return this.#thinking;
  }

  /** @param position in the list, where it holds several */
  #takeCall(call: Record<string, unknown>, position: number | undefined): void {
    const id = text(call["id"]) ?? "";
    const isCustom = isObject(call["custom"]);
    const definition = record(isCustom ? call["custom"] : call["function"]);
    const name = text(definition["name"]) ?? "";
    // Where neither is given, the place in the list tells calls apart.
    const index = call["index"] ?? undefined;
    const key = index ?? (id || (position ?? 0));
    let builder = this.#calls.get(key);
    if (name === "") builder = this.#continued(builder, index, id, position);
    const piece = definition["arguments"];
    if (!builder || (name !== "" && isAnother(builder, id, name, piece))) {
      builder = this.#builder.openToolCall(id, name);
      this.#calls.set(key, builder);
      if (index !== undefined) this.#numbered.add(builder);
      this.#blocks.push(builder);
    } else if (builder.block.name === "") {
      builder.block.name = name;
    }
    if (isCustom) this.#inputOf(builder).append(text(definition["input"]) ?? "");
    else if (typeof piece === "string") builder.append(piece);
    else if (isObject(piece)) builder.append(JSON.stringify(piece));
  }

  /** The call that a piece without a name goes on with; undefined when it begins one. */
  #continued(
    found: ToolCallBuilder | undefined,
    index: unknown,
    id: string,
    position: number | undefined,
  ): ToolCallBuilder | undefined {
    const calls = this.#blocks.filter((block) => block.kind === "toolCall");
    if (found && (index !== undefined || id !== "")) return found;
    if (id !== "") return calls.find((call) => call.givenId === id);
    // Without index and id it is the one that is open: a place in the list only counts where the list has more.
    if (index === undefined) return position === undefined ? calls.at(-1) : (found ?? calls.at(-1));
    // A number that comes late, after a beginning without one.
    return this.#numbered.size === 0 ? calls.at(-1) : undefined;
  }

  #inputOf(builder: ToolCallBuilder): GrammarInput {
    let input = this.#inputs.get(builder);
    if (!input) {
      input = new GrammarInput(builder, builder.block.name, this.#grammars);
      this.#inputs.set(builder, input);
    }
    return input;
  }

  #takeUsage(wire: Record<string, unknown>): void {
    const { usage } = this.#builder.message;
    const promptDetails = record(wire["prompt_tokens_details"]);
    const prompt = tokens(wire["prompt_tokens"]) ?? 0;
    usage.cacheRead =
      tokens(promptDetails["cached_tokens"]) ??
      tokens(wire["prompt_cache_hit_tokens"]) ??
      tokens(wire["cached_tokens"]) ??
      0;
    usage.cacheWrite = tokens(promptDetails["cache_write_tokens"]) ?? 0;
    usage.input = Math.max(0, prompt - usage.cacheRead - usage.cacheWrite);
    usage.output = tokens(wire["completion_tokens"]) ?? 0;
    const reasoning = tokens(record(wire["completion_tokens_details"])["reasoning_tokens"]);
    if (reasoning !== undefined) usage.reasoning = reasoning;
    usage.totalTokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
    this.#builder.updateCost();
    applyReportedCost(this.#model, usage, wire);
  }
}

/** Some servers number all calls alike, or give them the same id: a named piece may begin a new call all the same. */
function isAnother(current: ToolCallBuilder, id: string, name: string, piece: unknown): boolean {
  if (id !== "" && current.givenId !== "" && current.givenId !== id) return true;
  return (current.block.name !== "" && current.block.name !== name) || current.isFollowedBy(piece);
}

function parseChunk(data: string): Record<string, unknown> {
  try {
    return record(parseJsonWithRepair(data));
  } catch (error) {
    throw invalidEvent("Completions", data, error);
  }
}
