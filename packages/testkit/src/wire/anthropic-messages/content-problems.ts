import { isObject, type JsonObject, listOf, objectOf, objectsOf, stringOf } from "../json.js";
import type { RequestView } from "../wire.js";
import { blocksOf } from "./conversation.js";

const fieldsByType: Record<string, string[]> = {
  text: ["type", "text", "cache_control", "citations"],
  image: ["type", "source", "cache_control"],
  document: ["type", "source", "cache_control", "citations", "context", "title"],
  tool_use: ["type", "id", "name", "input", "cache_control", "caller"],
  tool_result: ["type", "tool_use_id", "content", "is_error", "cache_control"],
  thinking: ["type", "thinking", "signature"],
  redacted_thinking: ["type", "data"],
};

const assistantOnly = new Set(["tool_use", "thinking", "redacted_thinking"]);
const userOnly = new Set(["tool_result", "image", "document"]);
const imageTypes = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** What is wrong inside single messages and blocks. */
export function* contentProblems(request: RequestView): Generator<string> {
  const { body } = request;
  for (const [index, block] of objectsOf(body["system"]).entries()) yield* textProblems(block, `system.${index}`);
  const messages = objectsOf(body["messages"]);
  for (const [index, message] of messages.entries()) {
    const isLast = index === messages.length - 1;
    yield* wholeContentProblems(message, `messages.${index}`, isLast);
    for (const [position, block] of listOf(message["content"]).entries()) {
      yield* blockProblems(block, stringOf(message["role"]), `messages.${index}.content.${position}`, request);
    }
  }
}

function* wholeContentProblems(message: JsonObject, at: string, isLast: boolean): Generator<string> {
  const content = message["content"];
  const isAssistant = message["role"] === "assistant";
  if (content === undefined || content === null) {
    yield `${at}.content: Field required`;
    return;
  }
  if (typeof content !== "string" && !Array.isArray(content)) yield `${at}.content: Input should be a valid list`;
  const empty = content === "" || (Array.isArray(content) && content.length === 0);
  if (empty && !(isLast && isAssistant)) {
    yield `${at}: all messages must have non-empty content except for the optional final assistant message`;
  } else if (typeof content === "string" && content !== "" && content.trim() === "") {
    yield "messages: text content blocks must contain non-whitespace text";
  }
  if (!isAssistant) return;
  const last = blocksOf(content).at(-1);
  if (last?.["type"] === "thinking" || last?.["type"] === "redacted_thinking") {
    yield `${at}: The final block in an assistant message cannot be \`thinking\`.`;
  }
  if (isLast && last?.["type"] === "text" && /\s$/.test(stringOf(last["text"]))) {
    yield "messages: final assistant content cannot end with trailing whitespace";
  }
}

function* blockProblems(block: unknown, role: string, at: string, request: RequestView): Generator<string> {
  if (!isObject(block)) {
    yield `${at}: Input should be a valid dictionary`;
    return;
  }
  const type = stringOf(block["type"]);
  const fields = fieldsByType[type];
  if (fields === undefined) {
    yield `${at}: Input tag '${type}' found using 'type' does not match any of the expected tags`;
    return;
  }
  for (const field of Object.keys(block)) {
    if (!fields.includes(field)) yield `${at}.${type}.${field}: Extra inputs are not permitted`;
  }
  if (assistantOnly.has(type) && role !== "assistant") {
    yield `${at}: \`${type}\` blocks can only be in \`assistant\` messages`;
  }
  if (userOnly.has(type) && role !== "user") yield `${at}: \`${type}\` blocks can only be in \`user\` messages`;
  switch (type) {
    case "text":
      yield* textProblems(block, at);
      return;
    case "image":
      yield* imageProblems(block, at);
      return;
    case "tool_use":
      if (!isObject(block["input"])) yield `${at}.tool_use.input: Input should be a valid dictionary`;
      if (stringOf(block["name"]) === "") yield `${at}.tool_use.name: String should have at least 1 character`;
      return;
    case "tool_result":
      yield* resultProblems(block, at);
      return;
    case "thinking":
      yield* thinkingProblems(block, at, request);
      return;
    case "redacted_thinking":
      if (request.issued.verdict("anthropic-messages", stringOf(block["data"])) !== "issued") {
        yield `${at}: Invalid \`data\` in \`redacted_thinking\` block`;
      }
      return;
  }
}

function* textProblems(block: JsonObject, at: string): Generator<string> {
  const text = block["text"];
  if (typeof text !== "string") yield `${at}.text.text: Input should be a valid string`;
  else if (text === "") yield `${at}: text content blocks must be non-empty`;
  else if (text.trim() === "") yield `${at}: text content blocks must contain non-whitespace text`;
}

function* imageProblems(block: JsonObject, at: string): Generator<string> {
  const source = objectOf(block["source"]);
  if (source["type"] !== "base64") return;
  if (!imageTypes.has(stringOf(source["media_type"]))) {
    yield `${at}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`;
  }
  if (stringOf(source["data"]) === "") yield `${at}.image.source.base64: image cannot be empty`;
}

/** Unlike a user's text, the text of a result given as a string may be blank; as a block it may not. */
function* resultProblems(block: JsonObject, at: string): Generator<string> {
  const content = block["content"];
  const empty = content === undefined || content === "" || (Array.isArray(content) && content.length === 0);
  if (empty && block["is_error"] === true) {
    yield `${at}.tool_result: content cannot be empty if \`is_error\` is true`;
  }
  for (const [index, part] of objectsOf(content).entries()) {
    const inside = `${at}.tool_result.content.${index}`;
    if (part["type"] === "text") yield* textProblems(part, inside);
    else if (part["type"] === "image") {
      yield* imageProblems(part, inside);
      if (block["is_error"] === true)
        yield `${at}.tool_result: all content must be type "text" if \`is_error\` is true`;
    } else yield `${inside}: Input tag '${String(part["type"])}' does not match any of the expected tags`;
  }
}

function* thinkingProblems(block: JsonObject, at: string, { issued }: RequestView): Generator<string> {
  const signature = block["signature"];
  if (typeof block["thinking"] !== "string") yield `${at}.thinking.thinking: Field required`;
  if (typeof signature !== "string") {
    yield `${at}.thinking.signature: Field required`;
    return;
  }
  switch (issued.verdict("anthropic-messages", signature, stringOf(block["thinking"]))) {
    case "issued":
      return;
    case "unknown":
      yield `${at}: Invalid \`signature\` in \`thinking\` block`;
      return;
    case "altered":
      yield `${at}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`;
  }
}
