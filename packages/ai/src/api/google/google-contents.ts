import { stripUnpairedSurrogates } from "../../text/surrogates.js";
import { beginningWithUser, EARLIER_TEXT } from "../../transcript/openings-and-endings.js";
import { isFromModel, transformMessages } from "../../transcript/transform-messages.js";
import type {
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  TextContent,
  ToolCall,
  ToolResultMessage,
} from "../../types.js";
import { identifierToolCallId } from "../tool-call-ids.js";
import { isGemini3, needsCallIds } from "./google-models.js";

/** A part or a content as it goes over the wire. */
type Wire = Record<string, unknown>;

const IMAGE_TITLE = "Tool result image:";
const SEE_IMAGE = "(see attached image)";

/**
 * Stands for the signature of a call that another model made: Gemini 3 refuses calls of the running turn that have
 * none. Google documents the value for histories like that.
 */
const FOREIGN_CALL_SIGNATURE = "skip_thought_signature_validator";
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The contents of a request, without system messages. Source: llm-wire.md section 7. */
export function googleContents(messages: readonly Message[], model: Model): Wire[] {
  const withIds = needsCallIds(model.id);
  const adapted = transformMessages(messages, model, withIds ? identifierToolCallId : undefined);
  const runningTurn = adapted.findLastIndex(({ role }) => role === "user");
  const contents: Wire[] = [];
  for (let index = 0; index < adapted.length; index++) {
    const message = adapted[index];
    switch (message?.role) {
      case "user": {
        const content: (TextContent | ImageContent)[] =
          typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
        const parts = content.flatMap(userPart);
        if (parts.length > 0) contents.push({ role: "user", parts });
        break;
      }
      case "assistant": {
        const parts = modelParts(message, model, withIds);
        if (isGemini3(model.id) && index > runningTurn) signFirstCall(parts);
        if (parts.length > 0) contents.push({ role: "model", parts });
        break;
      }
      case "toolResult": {
        const run = resultRun(adapted, index);
        contents.push(...resultContents(run, model, withIds));
        index += run.length - 1;
        break;
      }
    }
  }
  return beginningWithUser(contents, { role: "user", parts: [{ text: EARLIER_TEXT }] });
}

function userPart(block: TextContent | ImageContent): Wire[] {
  if (block.type === "image") return [inlineData(block)];
  return block.text === "" ? [] : [{ text: block.text }];
}

function inlineData({ mimeType, data }: ImageContent): Wire {
  return { inlineData: { mimeType, data } };
}

function modelParts(message: AssistantMessage, model: Model, withIds: boolean): Wire[] {
  const own = isFromModel(message, model);
  const parts: Wire[] = [];
  for (const block of message.content) {
    switch (block.type) {
      case "text": {
        const signature = replayable(own, block.textSignature);
        if (block.text.trim() !== "" || signature["thoughtSignature"]) parts.push({ text: block.text, ...signature });
        break;
      }
      case "thinking": {
        const signature = replayable(own, block.thinkingSignature);
        if (block.thinking.trim() !== "" || signature["thoughtSignature"]) {
          parts.push({ thought: true, text: block.thinking, ...signature });
        }
        break;
      }
      case "toolCall":
        parts.push({ functionCall: functionCall(block, withIds), ...replayable(own, block.thoughtSignature) });
        break;
    }
  }
  return parts;
}

function functionCall(call: ToolCall, withIds: boolean): Wire {
  return { name: call.name, args: call.arguments, ...(withIds ? { id: call.id } : {}) };
}

/** Signatures go back to the model that made them, and only where Google can read them. */
function replayable(own: boolean, signature: string | undefined): { thoughtSignature?: string } {
  const isValid = own && signature !== undefined && signature.length % 4 === 0 && BASE64.test(signature);
  return isValid && signature !== "" ? { thoughtSignature: signature } : {};
}

/** One signature per step of the running turn is enough: that of its first call. */
function signFirstCall(parts: Wire[]): void {
  const first = parts.find((part) => part["functionCall"] !== undefined);
  if (first) first["thoughtSignature"] ??= FOREIGN_CALL_SIGNATURE;
}

function resultRun(messages: readonly Message[], start: number): ToolResultMessage[] {
  const run: ToolResultMessage[] = [];
  for (const message of messages.slice(start)) {
    if (message.role !== "toolResult") break;
    run.push(message);
  }
  return run;
}

/** One turn for all results of a step; images of older models, whose results have no room for them, in another. */
function resultContents(results: readonly ToolResultMessage[], model: Model, withIds: boolean): Wire[] {
  const nested = isGemini3(model.id);
  const images: Wire[] = [];
  const parts = results.map((result) => {
    const own = result.content.filter((block) => block.type === "image").map(inlineData);
    const response: Wire = { name: result.toolName, response: responseOf(result, own.length > 0) };
    if (nested && own.length > 0) response["parts"] = own;
    else images.push(...own);
    if (withIds) response["id"] = result.toolCallId;
    return { functionResponse: response };
  });
  const contents: Wire[] = [{ role: "user", parts }];
  if (images.length > 0) contents.push({ role: "user", parts: [{ text: IMAGE_TITLE }, ...images] });
  return contents;
}

function responseOf(result: ToolResultMessage, hasImages: boolean): Wire {
  const texts = result.content.filter((block) => block.type === "text").map((block) => block.text);
  const text = stripUnpairedSurrogates(texts.join("\n")) || (hasImages ? SEE_IMAGE : "");
  return result.isError ? { error: text } : { output: text };
}
