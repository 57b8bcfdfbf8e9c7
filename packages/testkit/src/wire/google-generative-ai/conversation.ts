import type { SeenConversation } from "../../types.js";
import { ConversationBuilder } from "../conversation.js";
import { isObject, type JsonObject, objectOf, objectsOf, stringOf } from "../json.js";

type Call = { id: string; name: string; arguments: unknown };

export function functionDeclarationsOf(body: JsonObject): JsonObject[] {
  return objectsOf(body["tools"]).flatMap((tool) => objectsOf(tool["functionDeclarations"]));
}

export function readConversation(body: JsonObject): SeenConversation {
  const seen = new ConversationBuilder();
  seen.system(textOf(objectsOf(objectOf(body["systemInstruction"])["parts"]), "\n\n"));
  for (const tool of functionDeclarationsOf(body)) {
    const schema = tool["parametersJsonSchema"] ?? tool["parameters"];
    seen.tool(stringOf(tool["name"]), stringOf(tool["description"]), schema);
  }
  let open: Call[] = [];
  for (const [index, content] of objectsOf(body["contents"]).entries()) {
    const parts = objectsOf(content["parts"]);
    if (content["role"] === "model") {
      open = callsOf(parts, index);
      seen.assistant(textOf(parts, ""), open);
    } else {
      readUser(seen, parts, open);
    }
  }
  return seen.build();
}

/** Older models have no call ids; results are then matched by order, under an id made of the position. */
function callsOf(parts: JsonObject[], turn: number): Call[] {
  return parts
    .map((part) => part["functionCall"])
    .filter(isObject)
    .map((call, index) => ({
      id: stringOf(call["id"]) || `${stringOf(call["name"])}_${turn}_${index}`,
      name: stringOf(call["name"]),
      arguments: call["args"] ?? {},
    }));
}

function readUser(seen: ConversationBuilder, parts: JsonObject[], open: Call[]): void {
  const responses = parts.map((part) => part["functionResponse"]).filter(isObject);
  for (const [index, response] of responses.entries()) {
    const payload = objectOf(response["response"]);
    seen.result({
      callId: stringOf(response["id"]) || (open[index]?.id ?? ""),
      name: stringOf(response["name"]),
      text: payloadText(payload),
      images: imagesOf(objectsOf(response["parts"])),
      isError: "error" in payload,
    });
  }
  const rest = parts.filter((part) => !("functionResponse" in part));
  if (rest.length > 0 || responses.length === 0) seen.user(textOf(rest, "\n"), imagesOf(rest));
}

/** `output` and `error` are the documented keys; anything else is shown as it is. */
function payloadText(payload: JsonObject): string {
  const value = payload["output"] ?? payload["error"] ?? payload;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function textOf(parts: JsonObject[], separator: string): string {
  return parts
    .filter((part) => typeof part["text"] === "string" && part["thought"] !== true)
    .map((part) => stringOf(part["text"]))
    .join(separator);
}

function imagesOf(parts: JsonObject[]): number {
  return parts.filter((part) => "inlineData" in part || "fileData" in part).length;
}
