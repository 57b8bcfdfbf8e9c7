import type { SeenConversation } from "../../types.js";
import { ConversationBuilder } from "../conversation.js";
import { isObject, type JsonObject, objectOf, objectsOf, stringOf } from "../json.js";

export function readConversation(body: JsonObject): SeenConversation {
  const seen = new ConversationBuilder();
  for (const block of objectsOf(body["system"])) seen.system(stringOf(block["text"]));
  for (const tool of objectsOf(objectOf(body["toolConfig"])["tools"])) {
    if (!isObject(tool["toolSpec"])) continue;
    const { name, description, inputSchema } = tool["toolSpec"];
    seen.tool(stringOf(name), stringOf(description), objectOf(inputSchema)["json"]);
  }
  for (const message of objectsOf(body["messages"])) {
    const blocks = objectsOf(message["content"]);
    if (message["role"] === "assistant") {
      const calls = blocks.map((block) => block["toolUse"]).filter(isObject);
      seen.assistant(
        textOf(blocks, ""),
        calls.map((call) => ({
          id: stringOf(call["toolUseId"]),
          name: stringOf(call["name"]),
          arguments: call["input"],
        })),
      );
    } else {
      readUser(seen, blocks);
    }
  }
  return seen.build();
}

function readUser(seen: ConversationBuilder, blocks: JsonObject[]): void {
  for (const result of blocks.map((block) => block["toolResult"]).filter(isObject)) {
    const content = objectsOf(result["content"]);
    seen.result({
      callId: stringOf(result["toolUseId"]),
      text: textOf(content, "\n"),
      images: imagesOf(content),
      isError: result["status"] === "error",
    });
  }
  const rest = blocks.filter((block) => "text" in block || "image" in block);
  if (rest.length > 0) seen.user(textOf(rest, "\n"), imagesOf(rest));
}

function textOf(blocks: JsonObject[], separator: string): string {
  return blocks
    .filter((block) => typeof block["text"] === "string")
    .map((block) => stringOf(block["text"]))
    .join(separator);
}

function imagesOf(blocks: JsonObject[]): number {
  return blocks.filter((block) => "image" in block).length;
}
