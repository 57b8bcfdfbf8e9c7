/** Answers of providers that others have written, looked at before they get into a transcript. Pure. */
import { isRecord, nameOf } from "./sound-result.js";

const stopReasons = new Set(["stop", "length", "toolUse", "error", "aborted", "deferred"]);

/** What is wrong with what should be the final message of an answer; undefined when nothing is. */
export function answerFault(message: unknown): string | undefined {
  if (!isRecord(message) || message["role"] !== "assistant") return "the message is none of an assistant";
  const { content, stopReason } = message;
  if (!Array.isArray(content)) return `content is ${nameOf(content)}, not an array of blocks`;
  for (const [index, block] of content.entries()) {
    const fault = blockFault(block);
    if (fault !== undefined) return `content[${index}] ${fault}`;
  }
  return stopReasons.has(String(stopReason)) ? undefined : `stopReason is ${nameOf(stopReason)}, which is none`;
}

function blockFault(block: unknown): string | undefined {
  if (!isRecord(block)) return `is ${nameOf(block)}, not a block`;
  switch (block["type"]) {
    case "text":
    case "thinking":
      return typeof block[block["type"]] === "string" ? undefined : `has no ${block["type"]}`;
    case "toolCall":
      return typeof block["id"] === "string" && typeof block["name"] === "string" ? undefined : "has no id or no name";
    default:
      return `has the type ${String(block["type"])}`;
  }
}
