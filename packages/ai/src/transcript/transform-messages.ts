import { madeToolCallId } from "../text/short-hash.js";
import { stripUnpairedSurrogates } from "../text/surrogates.js";
import { ToolCallIdClaims } from "../tool-call-id-claims.js";
import type {
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  SystemMessage,
  TextContent,
  ToolCall,
  ToolResultMessage,
} from "../types.js";
import { ReplayedToolNames } from "./tool-names.js";

const USER_IMAGE_OMITTED = "(image omitted: model does not support images)";
const TOOL_IMAGE_OMITTED = "(tool image omitted: model does not support images)";
const NO_RESULT = "No result provided";

/** Gives a tool call of another model an id that the target accepts. */
export type NormalizeToolCallId = (id: string, source: AssistantMessage) => string;

/** What the target wants of the ids of calls, besides the form of foreign ones. */
export interface ToolCallIdRules {
  /** Gives an id of the model itself a form that is accepted; must leave accepted ones alone. Default: as it is. */
  own?: (id: string) => string;
  /** Where no id may come twice. Default: in one answer. */
  unique?: "answer" | "conversation";
}

/** True when the message came from exactly this model, so that its opaque data may be replayed. */
export function isFromModel(message: AssistantMessage, model: Model): boolean {
  return message.provider === model.provider && message.api === model.api && message.model === model.id;
}

/**
 * Makes a transcript fit for a model, whatever models it came from: foreign thinking and signatures are dropped,
 * foreign call ids renamed, missing and repeated ones replaced, likewise names that no tool can have, failed answers
 * and results without a call left out, missing tool results filled in, images replaced where the model cannot see
 * them, text cleaned of unpaired surrogates. Messages that need no change are passed on as they are.
 * Source: llm.md section 7.
 */
export function transformMessages(
  messages: readonly Message[],
  model: Model,
  normalizeToolCallId: NormalizeToolCallId = (id) => id,
  rules: ToolCallIdRules = {},
): Message[] {
  const ids = new CallIds(model, normalizeToolCallId, rules);
  const names = new ReplayedToolNames(messages, model.api);
  const adapted: Message[] = [];
  /** Calls of answers that are left out: their results go with them. */
  const omittedCalls = new Set<string>();
  for (const message of messages) {
    if (message.role === "assistant") {
      const failed = message.stopReason === "error" || message.stopReason === "aborted";
      for (const call of toolCalls(message)) {
        if (failed) omittedCalls.add(call.id);
        else omittedCalls.delete(call.id);
      }
      if (!failed) adapted.push(adaptAssistant(message, model, ids, names));
    } else if (message.role !== "toolResult") {
      adapted.push(message.role === "user" ? adaptUser(message, model) : cleanSystem(message));
    } else if (!omittedCalls.has(message.toolCallId)) {
      adapted.push(adaptToolResult(message, model, ids, names));
    }
  }
  return pairToolResults(adapted);
}

function adaptUser(message: Extract<Message, { role: "user" }>, model: Model): Message {
  const content = message.content ?? [];
  if (typeof content === "string") return { ...message, content: stripUnpairedSurrogates(content) };
  return { ...message, content: adaptContent(content, model, USER_IMAGE_OMITTED) };
}

function cleanSystem(message: SystemMessage): SystemMessage {
  const content = message.content ?? [];
  if (typeof content === "string") return { ...message, content: stripUnpairedSurrogates(content) };
  return { ...message, content: content.map(cleanText) };
}

function adaptToolResult(message: ToolResultMessage, model: Model, ids: CallIds, names: ReplayedToolNames): Message {
  const content = adaptContent(message.content ?? [], model, TOOL_IMAGE_OMITTED);
  return { ...message, content, toolCallId: ids.ofResult(message.toolCallId), toolName: names.of(message.toolName) };
}

function adaptContent(
  content: readonly (TextContent | ImageContent)[],
  model: Model,
  placeholder: string,
): (TextContent | ImageContent)[] {
  const seesImages = model.input.includes("image");
  const result: (TextContent | ImageContent)[] = [];
  let previousWasPlaceholder = false;
  for (const block of content) {
    const omit = block.type === "image" && !seesImages;
    if (!omit) result.push(block.type === "text" ? cleanText(block) : block);
    else if (!previousWasPlaceholder) result.push({ type: "text", text: placeholder });
    previousWasPlaceholder = omit;
  }
  return result;
}

/** The ids under which calls and their results are sent. The same conversation gives the same ids each time. */
class CallIds {
  /** By the id in the transcript: the calls of the last answer that used it. Results come in the order of the calls. */
  readonly #sent = new Map<string, { answer: AssistantMessage; ids: string[]; answered: number }>();
  #claims = new ToolCallIdClaims();

  constructor(
    readonly model: Model,
    readonly normalize: NormalizeToolCallId,
    readonly rules: ToolCallIdRules,
  ) {}

  beginAnswer(): void {
    if (this.rules.unique !== "conversation") this.#claims = new ToolCallIdClaims();
  }

  ofCall(id: string, answer: AssistantMessage, own: boolean): string {
    const formed = own ? (this.rules.own?.(id) ?? id) : this.normalize(id, answer);
    const sent = this.#claims.claim(formed, (attempt) => madeToolCallId(`${formed}:${attempt}`));
    const known = this.#sent.get(id);
    if (known?.answer === answer) known.ids.push(sent);
    else this.#sent.set(id, { answer, ids: [sent], answered: 0 });
    return sent;
  }

  ofResult(id: string): string {
    const known = this.#sent.get(id);
    return known?.ids[known.answered++] ?? known?.ids.at(-1) ?? id;
  }
}

function adaptAssistant(
  message: AssistantMessage,
  model: Model,
  ids: CallIds,
  names: ReplayedToolNames,
): AssistantMessage {
  const own = isFromModel(message, model);
  const content: AssistantMessage["content"] = [];
  ids.beginAnswer();
  for (const block of message.content ?? []) {
    switch (block.type) {
      case "thinking":
        if (own && (block.redacted || block.thinkingSignature || block.thinking.trim() !== "")) {
          content.push({ ...block, thinking: stripUnpairedSurrogates(block.thinking) });
        }
        break;
      case "text":
        content.push(own ? cleanText(block) : { type: "text", text: stripUnpairedSurrogates(block.text) });
        break;
      case "toolCall": {
        const id = ids.ofCall(block.id, message, own);
        const name = names.of(block.name);
        if (!own) content.push(foreignToolCall(block, id, name));
        else content.push(id === block.id && name === block.name ? block : { ...block, id, name });
        break;
      }
    }
  }
  return { ...message, content };
}

function foreignToolCall(call: ToolCall, id: string, name: string): ToolCall {
  const { thoughtSignature: _, ...rest } = call;
  return { ...rest, id, name };
}

function cleanText(block: TextContent): TextContent {
  const text = stripUnpairedSurrogates(block.text);
  return text === block.text ? block : { ...block, text };
}

/**
 * Results right after their calls, whatever was said in between: missing ones are made up. Results without a call, and
 * second ones, are left out: no API takes them.
 */
function pairToolResults(messages: readonly Message[]): Message[] {
  const result: Message[] = [];
  let waiting = new Map<string, ToolCall>();
  let others: Message[] = [];
  let timestamp = 0;
  const endAnswer = (): void => {
    for (const call of waiting.values()) result.push(missingResult(call, timestamp));
    result.push(...others);
    others = [];
  };
  for (const message of messages) {
    if (message.role === "assistant") {
      endAnswer();
      result.push(message);
      timestamp = message.timestamp;
      waiting = new Map(toolCalls(message).map((call) => [call.id, call]));
    } else if (message.role !== "toolResult") others.push(message);
    else if (waiting.delete(message.toolCallId)) result.push(message);
  }
  endAnswer();
  return result;
}

function missingResult(call: ToolCall, timestamp: number): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: NO_RESULT }],
    isError: true,
    timestamp,
  };
}

function toolCalls(message: AssistantMessage): ToolCall[] {
  return (message.content ?? []).filter((block) => block.type === "toolCall");
}
