import { type JsonObject, stringOf } from "../json.js";
import type { RequestView } from "../wire.js";
import { itemsOf } from "./conversation.js";

/** Items that a model puts out; only they can follow reasoning. */
const outputTypes = new Set(["reasoning", "function_call", "custom_tool_call"]);

/** Reasoning comes back as it was issued, together with what followed it, and only once. */
export function* reasoningProblems({ body, issued }: RequestView): Generator<string> {
  const items = itemsOf(body);
  const ids = new Set<string>();
  for (const [index, item] of items.entries()) {
    const id = stringOf(item["id"]);
    if (id !== "") {
      if (ids.has(id))
        yield `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`;
      const reasoningId = issued.companionOf(id);
      if (reasoningId !== undefined && !ids.has(reasoningId)) {
        const type = stringOf(item["type"] ?? "message");
        yield `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${reasoningId}'.`;
      }
      ids.add(id);
    }
    if (item["type"] !== "reasoning") continue;
    const secret = item["encrypted_content"];
    if (typeof secret === "string") {
      if (issued.verdict("openai-responses", secret) !== "issued") {
        yield `The encrypted content for item ${id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
      }
    } else if (issued.verdict("openai-responses", id) !== "issued") {
      yield `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
    }
    if (!isOutput(items[index + 1])) {
      yield `Item '${id}' of type 'reasoning' was provided without its required following item.`;
    }
  }
}

function isOutput(item: JsonObject | undefined): boolean {
  if (item === undefined) return false;
  return outputTypes.has(stringOf(item["type"])) || item["role"] === "assistant";
}
