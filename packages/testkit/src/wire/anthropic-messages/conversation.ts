import type { SeenConversation } from "../../types.js";
import { ConversationBuilder } from "../conversation.js";
import { type JsonObject, objectOf, objectsOf, stringOf } from "../json.js";

/** Content is a string or a list of blocks; a string reads as one text block. */
export function blocksOf(content: unknown): JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
}

export function readConversation(body: JsonObject): SeenConversation {
  const seen = new ConversationBuilder();
  seen.system(textOf(blocksOf(body["system"]), "\n\n"));
  for (const tool of objectsOf(body["tools"])) {
    seen.tool(stringOf(tool["name"]), stringOf(tool["description"]), tool["input_schema"]);
  }
  for (const message of objectsOf(body["messages"])) {
    const blocks = blocksOf(message["content"]);
    if (message["role"] === "assistant") readAssistant(seen, blocks);
    else if (message["role"] === "user") readUser(seen, blocks);
    else seen.system(textOf(blocks, "\n\n"));
  }
  return seen.build();
}

function readAssistant(seen: ConversationBuilder, blocks: JsonObject[]): void {
  const calls = blocks
    .filter((block) => block["type"] === "tool_use")
    .map((block) => ({ id: stringOf(block["id"]), name: stringOf(block["name"]), arguments: block["input"] }));
  seen.assistant(textOf(blocks, ""), calls);
}

/** Results come first in a user message; what else it holds was said after them. */
function readUser(seen: ConversationBuilder, blocks: JsonObject[]): void {
  const results = blocks.filter((block) => block["type"] === "tool_result");
  for (const block of results) {
    const content = blocksOf(block["content"]);
    seen.result({
      callId: stringOf(block["tool_use_id"]),
      text: textOf(content, "\n"),
      images: imagesOf(content),
      isError: block["is_error"] === true,
    });
  }
  const rest = blocks.filter((block) => block["type"] !== "tool_result");
  if (rest.length > 0 || results.length === 0) seen.user(textOf(rest, "\n"), imagesOf(rest));
}

function textOf(blocks: JsonObject[], separator: string): string {
  return blocks
    .filter((block) => block["type"] === "text")
    .map((block) => stringOf(objectOf(block)["text"]))
    .join(separator);
}

function imagesOf(blocks: JsonObject[]): number {
  return blocks.filter((block) => block["type"] === "image").length;
}
