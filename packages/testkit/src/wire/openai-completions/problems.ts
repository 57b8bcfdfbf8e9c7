import { isObject, type JsonObject, listOf, objectOf, objectsOf, parsedObject, stringOf } from "../json.js";
import { emptyArray, functionProblems, tooLong, wrongType } from "../openai-schema.js";
import type { RequestView } from "../wire.js";

const roles = ["system", "developer", "user", "assistant", "tool"];
const longestCallId = 40;

/** What OpenAI answers with `invalid_request_error`, in its words. */
export function findProblems({ body }: RequestView): string[] {
  return [...parameterProblems(body), ...toolProblems(body), ...messageProblems(body), ...pairingProblems(body)];
}

function* parameterProblems(body: JsonObject): Generator<string> {
  if (stringOf(body["model"]) === "") yield "you must provide a model parameter";
  if (body["stream"] !== true) yield "Unsupported value: 'stream' must be true; only streaming is served here.";
  if (body["max_tokens"] !== undefined && body["max_completion_tokens"] !== undefined) {
    yield "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.";
  }
  for (const field of ["max_tokens", "max_completion_tokens"]) {
    const limit = body[field];
    if (limit !== undefined && (!Number.isInteger(limit) || Number(limit) < 1)) {
      yield `Invalid '${field}': integer below minimum value. Expected a value >= 1, but got ${String(limit)} instead.`;
    }
  }
  const cacheKey = stringOf(body["prompt_cache_key"]);
  if (cacheKey.length > 64) yield tooLong("prompt_cache_key", 64, cacheKey.length);
}

function* toolProblems(body: JsonObject): Generator<string> {
  if (body["tools"] === undefined) return;
  const tools = objectsOf(body["tools"]);
  // Some gateways want an empty list when the history has calls; OpenAI itself wants none.
  const hasHistory = objectsOf(body["messages"]).some((message) => message["tool_calls"] !== undefined);
  if (tools.length === 0 && !hasHistory) yield emptyArray("tools");
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const at = `tools[${index}]`;
    if (tool["type"] !== "function" && tool["type"] !== "custom") {
      yield `Invalid value: '${String(tool["type"])}'. Supported values are: 'function' and 'custom'.`;
      continue;
    }
    const inner = tool["type"];
    if (!isObject(tool[inner])) {
      yield `Missing required parameter: '${at}.${inner}'.`;
      continue;
    }
    const declared = objectOf(tool[inner]);
    yield* functionProblems(declared, `${at}.${inner}`);
    const name = stringOf(declared["name"]);
    if (names.has(name)) yield `Tool names must be unique: '${name}'.`;
    names.add(name);
  }
}

function* messageProblems(body: JsonObject): Generator<string> {
  if (!Array.isArray(body["messages"])) {
    yield "Missing required parameter: 'messages'.";
    return;
  }
  if (body["messages"].length === 0) yield emptyArray("messages");
  for (const [index, message] of listOf(body["messages"]).entries()) {
    const at = `messages[${index}]`;
    if (!isObject(message)) {
      yield wrongType(at, "an object", message);
      continue;
    }
    if (!roles.includes(stringOf(message["role"]))) {
      const supported = roles.map((role) => `'${role}'`).join(", ");
      yield `Invalid value: '${String(message["role"])}'. Supported values are: ${supported}.`;
    }
    yield* contentProblems(message, at);
    if (message["tool_calls"] !== undefined) yield* callProblems(message, at);
  }
}

function* contentProblems(message: JsonObject, at: string): Generator<string> {
  const { content, role } = message;
  const hasCalls = listOf(message["tool_calls"]).length > 0;
  if (content === undefined || content === null) {
    if (role !== "assistant" || !hasCalls) yield `Invalid value for 'content': expected a string, got null. (${at})`;
    return;
  }
  if (typeof content === "string") {
    // A tool may have nothing to say; nobody else sends an empty message for a reason.
    if (content === "" && role !== "tool" && !hasCalls) yield `Invalid '${at}.content': empty string.`;
    return;
  }
  if (!Array.isArray(content)) {
    yield wrongType(`${at}.content`, "one of a string or array of objects", content);
    return;
  }
  if (content.length === 0) yield emptyArray(`${at}.content`);
  for (const [index, part] of content.entries()) yield* partProblems(part, stringOf(role), `${at}.content[${index}]`);
}

function* partProblems(part: unknown, role: string, at: string): Generator<string> {
  const { type, text, image_url: image } = objectOf(part);
  switch (type) {
    case "text":
      if (typeof text !== "string") yield `Missing required parameter: '${at}.text'.`;
      else if (text === "") yield `Invalid '${at}.text': empty string.`;
      return;
    case "image_url":
      if (role !== "user") {
        yield `Invalid '${at}'. Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`;
      }
      if (!/^(https?:|data:image\/(png|jpeg|gif|webp);base64,.)/.test(stringOf(objectOf(image)["url"]))) {
        yield `Invalid '${at}.image_url'. Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU=').`;
      }
      return;
    case "refusal":
    case "input_audio":
    case "file":
      return;
    default:
      yield `Invalid value: '${String(type)}'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', and 'file'.`;
  }
}

function* callProblems(message: JsonObject, at: string): Generator<string> {
  if (message["role"] !== "assistant")
    yield `Invalid '${at}.tool_calls': only allowed for messages with role 'assistant'.`;
  const calls = objectsOf(message["tool_calls"]);
  if (calls.length === 0) yield emptyArray(`${at}.tool_calls`);
  const ids = new Set<string>();
  for (const [index, call] of calls.entries()) {
    const place = `${at}.tool_calls[${index}]`;
    const id = stringOf(call["id"]);
    if (id === "") yield `Missing required parameter: '${place}.id'.`;
    if (id.length > longestCallId) yield tooLong(`${place}.id`, longestCallId, id.length);
    if (ids.has(id)) yield `Duplicate tool call id '${id}' in '${at}'.`;
    ids.add(id);
    if (call["type"] === "custom") continue;
    if (call["type"] !== "function") yield `Missing required parameter: '${place}.type'.`;
    const called = objectOf(call["function"]);
    if (stringOf(called["name"]) === "") yield `Missing required parameter: '${place}.function.name'.`;
    const text = called["arguments"];
    if (typeof text !== "string") yield wrongType(`${place}.function.arguments`, "a string", text);
    else if (parsedObject(text) === undefined) {
      yield `Invalid '${place}.function.arguments': expected the JSON text of an object.`;
    }
  }
}

/** Every call is answered before anybody but a tool speaks, and nothing is answered that was not called. */
function* pairingProblems(body: JsonObject): Generator<string> {
  let open = new Set<string>();
  for (const [index, message] of objectsOf(body["messages"]).entries()) {
    if (message["role"] === "tool") {
      const id = stringOf(message["tool_call_id"]);
      if (id === "") yield `Missing required parameter: 'messages[${index}].tool_call_id'.`;
      else if (!open.delete(id)) {
        yield `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. (messages[${index}], tool_call_id '${id}')`;
      }
      continue;
    }
    yield* unanswered(open);
    open = new Set(objectsOf(message["tool_calls"]).map((call) => stringOf(call["id"])));
  }
  yield* unanswered(open);
}

function* unanswered(open: Set<string>): Generator<string> {
  if (open.size === 0) return;
  yield `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(", ")}`;
}
