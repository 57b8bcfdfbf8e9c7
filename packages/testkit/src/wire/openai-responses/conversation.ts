import type { SeenConversation } from "../../types.js";
import { ConversationBuilder } from "../conversation.js";
import { type JsonObject, objectsOf, parsedOrText, stringOf } from "../json.js";

/** `input` is a list of items, or one user text. */
export function itemsOf(body: JsonObject): JsonObject[] {
  const input = body["input"];
  return typeof input === "string" ? [{ role: "user", content: input }] : objectsOf(input);
}

export function readConversation(body: JsonObject): SeenConversation {
  const seen = new ConversationBuilder();
  seen.system(stringOf(body["instructions"]));
  for (const tool of objectsOf(body["tools"])) {
    seen.tool(stringOf(tool["name"]), stringOf(tool["description"]), tool["parameters"] ?? tool["format"]);
  }
  for (const item of itemsOf(body)) readItem(seen, item);
  return seen.build();
}

function readItem(seen: ConversationBuilder, item: JsonObject): void {
  switch (item["type"] ?? "message") {
    case "message":
      readMessage(seen, item);
      return;
    case "function_call":
      readCall(seen, item, parsedOrText(item["arguments"]));
      return;
    case "custom_tool_call":
      readCall(seen, item, item["input"]);
      return;
    case "function_call_output":
    case "custom_tool_call_output": {
      const output = item["output"];
      // The wire format has no error flag; the text says it.
      seen.result({
        callId: stringOf(item["call_id"]),
        text: textOf(output),
        images: imagesOf(output),
        isError: false,
      });
      return;
    }
    case "reasoning":
      seen.assistant("", [], true);
      return;
  }
}

function readMessage(seen: ConversationBuilder, item: JsonObject): void {
  const text = textOf(item["content"]);
  switch (item["role"]) {
    case "system":
    case "developer":
      seen.system(text);
      return;
    case "assistant":
      seen.assistant(text, [], true);
      return;
    default:
      seen.user(text, imagesOf(item["content"]));
  }
}

function readCall(seen: ConversationBuilder, item: JsonObject, parsedArguments: unknown): void {
  const id = stringOf(item["call_id"]);
  seen.assistant("", [{ id, name: stringOf(item["name"]), arguments: parsedArguments }], true);
}

const textParts = new Set(["input_text", "output_text", "refusal"]);

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .filter((part) => textParts.has(stringOf(part["type"])))
    .map((part) => stringOf(part["text"] ?? part["refusal"]))
    .join("\n");
}

function imagesOf(content: unknown): number {
  return objectsOf(content).filter((part) => part["type"] === "input_image").length;
}
