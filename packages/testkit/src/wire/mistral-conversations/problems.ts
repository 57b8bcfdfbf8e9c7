import { isObject, type JsonObject, listOf, objectOf, objectsOf, parsedObject, stringOf } from "../json.js";
import { functionProblems } from "../openai-schema.js";
import type { RequestView } from "../wire.js";

const bodyFields = new Set(
  (
    "model messages stream tools tool_choice temperature top_p max_tokens stop random_seed metadata response_format " +
    "presence_penalty frequency_penalty n prediction parallel_tool_calls prompt_mode reasoning_effort guardrails " +
    "safe_prompt prompt_cache_key"
  ).split(" "),
);
const messageFields: Record<string, Set<string>> = {
  system: new Set(["role", "content"]),
  user: new Set(["role", "content"]),
  assistant: new Set(["role", "content", "tool_calls", "prefix"]),
  tool: new Set(["role", "content", "tool_call_id", "name"]),
};
const callId = /^[a-zA-Z0-9]{9}$/;

/** What Mistral answers with 422 or 400; its words where they are known. */
export function findProblems({ body }: RequestView): string[] {
  return [...fieldProblems(body), ...toolProblems(body), ...messageProblems(body), ...orderProblems(body)];
}

function* fieldProblems(body: JsonObject): Generator<string> {
  if (stringOf(body["model"]) === "") yield "body.model: Field required";
  if (body["stream"] !== true) yield "body.stream: only streaming is served here";
  yield* unknownFields(body, bodyFields, "body");
  const limit = body["max_tokens"];
  if (limit !== undefined && (!Number.isInteger(limit) || Number(limit) < 1)) {
    yield "body.max_tokens: Input should be greater than or equal to 1";
  }
}

function* unknownFields(value: JsonObject, known: Set<string>, at: string): Generator<string> {
  for (const field of Object.keys(value)) {
    if (!known.has(field)) yield `${at}.${field}: Extra inputs are not permitted`;
  }
}

function* toolProblems(body: JsonObject): Generator<string> {
  for (const [index, tool] of objectsOf(body["tools"]).entries()) {
    if (tool["type"] !== "function") yield `body.tools.${index}.type: Input should be 'function'`;
    yield* functionProblems(objectOf(tool["function"]), `tools[${index}].function`);
  }
}

function* messageProblems(body: JsonObject): Generator<string> {
  const messages = listOf(body["messages"]);
  if (messages.length === 0) yield "body.messages: List should have at least 1 item";
  for (const [index, message] of messages.entries()) {
    const at = `body.messages.${index}`;
    const role = isObject(message) ? stringOf(message["role"]) : "";
    const known = messageFields[role];
    if (!isObject(message) || known === undefined) {
      yield `${at}: Input tag '${role}' found using 'role' does not match any of the expected tags`;
      continue;
    }
    yield* unknownFields(message, known, `${at}.${role}`);
    yield* contentProblems(message, `${at}.${role}`);
    for (const [position, call] of objectsOf(message["tool_calls"]).entries()) {
      yield* callProblems(call, `${at}.tool_calls.${position}`);
    }
  }
}

function* contentProblems(message: JsonObject, at: string): Generator<string> {
  const { content, role } = message;
  const hasCalls = listOf(message["tool_calls"]).length > 0;
  const isEmpty = content === undefined || content === null || content === "" || listOf(content).length === 0;
  if (typeof content !== "string" && isEmpty && role === "assistant" && !hasCalls) {
    yield "Assistant message must have either content or tool_calls, but not none.";
  }
  for (const [index, part] of objectsOf(content).entries()) {
    const place = `${at}.content.${index}`;
    switch (part["type"]) {
      case "text":
        if (typeof part["text"] !== "string") yield `${place}.text.text: Field required`;
        break;
      case "image_url":
        if (role !== "user" && role !== "tool") yield `${place}: images are not allowed for role ${stringOf(role)}`;
        if (!/^(https?:|data:image\/)/.test(stringOf(part["image_url"] ?? ""))) {
          yield `${place}.image_url: Invalid image URL`;
        }
        break;
      case "thinking":
        if (role !== "assistant") yield `${place}: thinking is not allowed for role ${stringOf(role)}`;
        if (!Array.isArray(part["thinking"])) yield `${place}.thinking.thinking: Input should be a valid list`;
        break;
      default:
        yield `${place}: Input tag '${stringOf(part["type"])}' found using 'type' does not match any of the expected tags`;
    }
  }
}

function* callProblems(call: JsonObject, at: string): Generator<string> {
  const id = stringOf(call["id"]);
  if (!callId.test(id)) {
    yield `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`;
  }
  const called = objectOf(call["function"]);
  if (stringOf(called["name"]) === "") yield `${at}.function.name: Field required`;
  if (typeof called["arguments"] === "string" && parsedObject(called["arguments"]) === undefined) {
    yield `${at}.function.arguments: Input should be the JSON text of an object`;
  }
}

function* orderProblems(body: JsonObject): Generator<string> {
  const messages = objectsOf(body["messages"]);
  let open = new Set<string>();
  for (const message of messages) {
    if (message["role"] === "tool") {
      const id = stringOf(message["tool_call_id"]);
      if (!open.delete(id)) yield `Unexpected tool call id ${id} in tool results`;
      continue;
    }
    if (open.size > 0) yield "Not the same number of function calls and responses";
    open = new Set(objectsOf(message["tool_calls"]).map((call) => stringOf(call["id"])));
    if (open.size !== objectsOf(message["tool_calls"]).length) yield "Duplicate tool call id in assistant message";
  }
  if (open.size > 0) yield "Not the same number of function calls and responses";
  const last = messages.at(-1);
  if (last?.["role"] === "assistant" && last["prefix"] !== true) {
    yield "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant";
  }
}
