import type { SeenConversation } from "../../types.js";
import { ConversationBuilder } from "../conversation.js";
import { type JsonObject, objectOf, objectsOf, parsedOrText, stringOf } from "../json.js";

const errorPrefix = "[tool error] ";

export function readConversation(body: JsonObject): SeenConversation {
  const seen = new ConversationBuilder();
  for (const tool of objectsOf(body["tools"])) {
    const declared = objectOf(tool["function"]);
    seen.tool(stringOf(declared["name"]), stringOf(declared["description"]), declared["parameters"]);
  }
  for (const message of objectsOf(body["messages"])) {
    const text = textOf(message["content"]);
    const images = objectsOf(message["content"]).filter((part) => part["type"] === "image_url").length;
    switch (message["role"]) {
      case "system":
        seen.system(text);
        break;
      case "assistant":
        seen.assistant(text, objectsOf(message["tool_calls"]).map(readCall));
        break;
      case "tool": {
        const isError = text.startsWith(errorPrefix);
        seen.result({
          callId: stringOf(message["tool_call_id"]),
          text: isError ? text.slice(errorPrefix.length) : text,
          images,
          isError,
        });
        break;
      }
      default:
        seen.user(text, images);
    }
  }
  return seen.build();
}

function readCall(call: JsonObject): { id: string; name: string; arguments: unknown } {
  const called = objectOf(call["function"]);
  return { id: stringOf(call["id"]), name: stringOf(called["name"]), arguments: parsedOrText(called["arguments"]) };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .filter((part) => part["type"] === "text")
    .map((part) => stringOf(part["text"]))
    .join("\n");
}
