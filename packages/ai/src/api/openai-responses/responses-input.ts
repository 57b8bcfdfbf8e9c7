import { isObject } from "../../json/objects.js";
import { stripUnpairedSurrogates } from "../../text/surrogates.js";
import { getSystemMessageText, renderSystemMessageUpdate } from "../../text/system-message-text.js";
import { endingWithoutThinking } from "../../transcript/openings-and-endings.js";
import { transformMessages } from "../../transcript/transform-messages.js";
import type {
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  TextContent,
  TextSignatureV1,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
} from "../../types.js";
import { type GrammarTools, grammarInput } from "../grammar-tools.js";
import { responsesOwnToolCallId, responsesToolCallId, shortHash } from "../tool-call-ids.js";

/** An input item as it goes over the wire. */
export type InputItem = Record<string, unknown>;

const MAX_ITEM_ID = 64;
const SEE_IMAGE = "(see attached image)";
const NO_OUTPUT = "(no tool output)";

/** The input items of a request. Table: llm-wire.md section 3. */
export function inputItems(
  messages: readonly Message[],
  model: Model,
  developerRole: boolean,
  grammars: GrammarTools,
): InputItem[] {
  const adapted = transformMessages(
    messages,
    model,
    (id, source) => responsesToolCallId(id, model, source.provider !== model.provider || source.api !== model.api),
    { own: responsesOwnToolCallId, unique: "conversation" },
  );
  const items: InputItem[] = [];
  /** Calls that went back with bare text; their results have a type of their own. */
  const customCalls = new Set<unknown>();
  // Made-up item ids count messages after the leading system message, so that a prompt does not change them.
  const offset = adapted[0]?.role === "system" ? 1 : 0;
  adapted.forEach((message, index) => {
    switch (message.role) {
      case "system": {
        const text = index === 0 ? getSystemMessageText(message) : renderSystemMessageUpdate(message);
        if (text !== "") {
          items.push({ role: developerRole ? "developer" : "system", content: stripUnpairedSurrogates(text) });
        }
        break;
      }
      case "user": {
        const content = typeof message.content === "string" ? [textBlock(message.content)] : message.content;
        const parts = inputParts(content);
        if (parts.length > 0) items.push({ role: "user", content: parts });
        break;
      }
      case "assistant": {
        const own = assistantItems(message, model, index - offset, grammars);
        for (const item of own) if (item["type"] === "custom_tool_call") customCalls.add(item["call_id"]);
        items.push(...own);
        break;
      }
      case "toolResult": {
        const { callId } = splitId(message.toolCallId);
        const type = customCalls.has(callId) ? "custom_tool_call_output" : "function_call_output";
        items.push({ type, call_id: callId, output: output(message) });
        break;
      }
    }
  });
  return items;
}

function textBlock(text: string): TextContent {
  return { type: "text", text };
}

function inputParts(content: readonly (TextContent | ImageContent)[]): InputItem[] {
  const parts: InputItem[] = [];
  for (const block of content) {
    if (block.type === "text") {
      if (block.text !== "") parts.push({ type: "input_text", text: block.text });
    } else {
      parts.push({
        type: "input_image",
        detail: "auto",
        image_url: `data:${block.mimeType};base64,${block.data}`,
      });
    }
  }
  return parts;
}

function output(message: ToolResultMessage): string | InputItem[] {
  const parts = inputParts(message.content);
  const texts = message.content.filter((block) => block.type === "text").map((block) => block.text);
  const text = texts.join("\n");
  const hasImages = message.content.some((block) => block.type === "image");
  if (!hasImages) return text === "" ? NO_OUTPUT : text;
  return text === "" ? [{ type: "input_text", text: SEE_IMAGE }, ...parts] : parts;
}

function assistantItems(message: AssistantMessage, model: Model, index: number, grammars: GrammarTools): InputItem[] {
  const items: InputItem[] = [];
  let texts = 0;
  const knowsReasoning = message.content.every((block) => block.type !== "thinking" || !isLost(block));
  for (const block of message.content) {
    switch (block.type) {
      case "thinking": {
        const item = storedItem(block.thinkingSignature);
        if (item && knowsReasoning) items.push(item);
        break;
      }
      case "text": {
        if (block.text.trim() === "") break;
        const fallbackId = texts === 0 ? `msg_pi_${index}` : `msg_pi_${index}_${texts}`;
        items.push(messageItem(knowsReasoning ? block : { type: "text", text: block.text }, fallbackId));
        texts++;
        break;
      }
      case "toolCall":
        items.push(callItem(block, message, model, knowsReasoning, grammars));
        break;
    }
  }
  // Reasoning is refused without the item it led to.
  return endingWithoutThinking(items, (item) => item["type"] === "reasoning");
}

/**
 * Reasoning that came without its encrypted content cannot be sent back: nothing is stored on the server. Without it,
 * the ids of what followed it would point at nothing, so they are left out too.
 */
function isLost({ thinkingSignature }: ThinkingContent): boolean {
  const item = storedItem(thinkingSignature);
  return item !== undefined && typeof item["encrypted_content"] !== "string";
}

/** The reasoning item a signature holds. */
function storedItem(signature: string | undefined): InputItem | undefined {
  if (!signature) return undefined;
  try {
    const value: unknown = JSON.parse(signature);
    return isObject(value) ? value : undefined;
  } catch {
    // A signature of unknown origin is better left out than sent.
    return undefined;
  }
}

function messageItem(block: TextContent, fallbackId: string): InputItem {
  const signature = parseTextSignature(block.textSignature);
  const id = signature?.id ?? fallbackId;
  const item: InputItem = {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: block.text, annotations: [] }],
    status: "completed",
    id: id.length > MAX_ITEM_ID ? `msg_${shortHash(id)}` : id,
  };
  if (signature?.phase) item["phase"] = signature.phase;
  return item;
}

/** The item id and phase a text carries; a plain text is an id of older sessions. */
export function parseTextSignature(signature: string | undefined): TextSignatureV1 | undefined {
  if (!signature) return undefined;
  if (!signature.startsWith("{")) return { v: 1, id: signature };
  const value = storedItem(signature);
  if (typeof value?.["id"] !== "string") return undefined;
  const parsed: TextSignatureV1 = { v: 1, id: value["id"] };
  const phase = value["phase"];
  if (phase === "commentary" || phase === "final_answer") parsed.phase = phase;
  return parsed;
}

function callItem(
  call: ToolCall,
  message: AssistantMessage,
  model: Model,
  knowsReasoning: boolean,
  grammars: GrammarTools,
): InputItem {
  const { callId, itemId } = splitId(call.id);
  const input = grammarInput(call, grammars);
  const prefix = input === undefined ? "fc_" : "ctc_";
  // An item id of another model of this API would point at reasoning that is not in the request.
  const sameApi = message.provider === model.provider && message.api === model.api;
  const keepsId = knowsReasoning && itemId?.startsWith(prefix) && (!sameApi || message.model === model.id);
  const item: InputItem = { type: input === undefined ? "function_call" : "custom_tool_call" };
  if (keepsId) item["id"] = itemId;
  item["call_id"] = callId;
  item["name"] = call.name;
  if (input !== undefined) return Object.assign(item, { input });
  item["arguments"] = JSON.stringify(call.arguments);
  if (call.namespace !== undefined) item["namespace"] = call.namespace;
  return item;
}

function splitId(id: string): { callId: string; itemId: string | undefined } {
  const bar = id.indexOf("|");
  return bar < 0 ? { callId: id, itemId: undefined } : { callId: id.slice(0, bar), itemId: id.slice(bar + 1) };
}
