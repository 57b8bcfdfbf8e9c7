import type { SeenConversation } from "../../types.js";
import { ConversationBuilder } from "../conversation.js";
import { isObject, type JsonObject, objectOf, objectsOf, parsedOrText, stringOf } from "../json.js";

export function readConversation(body: JsonObject): SeenConversation {
  const seen = new ConversationBuilder();
  for (const tool of objectsOf(body["tools"])) {
    const declared = objectOf(tool["function"] ?? tool["custom"]);
    const parameters = declared["parameters"] ?? declared["format"];
    seen.tool(stringOf(declared["name"]), stringOf(declared["description"]), parameters);
  }
  for (const message of objectsOf(body["messages"])) {
    const text = textOf(message["content"]);
    const images = imagesOf(message["content"]);
    switch (message["role"]) {
      case "system":
      case "developer":
        seen.system(text);
        break;
      case "assistant":
        seen.assistant(text, objectsOf(message["tool_calls"]).map(readCall));
        break;
      case "tool":
        // The wire format has no error flag; the text says it.
        seen.result({ callId: stringOf(message["tool_call_id"]), text, images, isError: false });
        break;
      default:
        seen.user(text, images);
    }
  }
  return seen.build();
}

function readCall(call: JsonObject): { id: string; name: string; arguments: unknown } {
  if (isObject(call["custom"])) {
    return { id: stringOf(call["id"]), name: stringOf(call["custom"]["name"]), arguments: call["custom"]["input"] };
  }
  const called = objectOf(call["function"]);
  return { id: stringOf(call["id"]), name: stringOf(called["name"]), arguments: parsedOrText(called["arguments"]) };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .filter((part) => part["type"] === "text" || part["type"] === "refusal")
    .map((part) => stringOf(part["text"] ?? part["refusal"]))
    .join("\n");
}

function imagesOf(content: unknown): number {
  return objectsOf(content).filter((part) => part["type"] === "image_url").length;
}
