import { isObject, type JsonObject, listOf, objectsOf, stringOf } from "../json.js";
import { emptyArray, functionProblems, tooLong, wrongType } from "../openai-schema.js";
import type { RequestView } from "../wire.js";
import { itemsOf } from "./conversation.js";
import { pairingProblems } from "./pairing-problems.js";
import { reasoningProblems } from "./reasoning-problems.js";

const longestId = 64;

/** The start of the id of an item, by its type. */
const idPrefixes: Record<string, string> = {
  message: "msg_",
  reasoning: "rs_",
  function_call: "fc_",
  custom_tool_call: "ctc_",
};

const roles = ["assistant", "system", "developer", "user"];
const inputParts = ["input_text", "input_image", "input_file"];
const outputParts = ["output_text", "refusal"];

/** What OpenAI answers with `invalid_request_error`, in its words. */
export function findProblems(request: RequestView): string[] {
  const { body } = request;
  return [
    ...parameterProblems(body),
    ...toolProblems(body),
    ...inputProblems(body),
    ...pairingProblems(itemsOf(body)),
    ...reasoningProblems(request),
  ];
}

function* parameterProblems(body: JsonObject): Generator<string> {
  if (stringOf(body["model"]) === "") yield "Missing required parameter: 'model'.";
  if (body["stream"] !== true) yield "Unsupported value: 'stream' must be true; only streaming is served here.";
  const limit = body["max_output_tokens"];
  if (limit !== undefined && limit !== null && (!Number.isInteger(limit) || Number(limit) < 16)) {
    yield `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${String(limit)} instead.`;
  }
  for (const field of ["max_tokens", "max_completion_tokens", "messages", "reasoning_effort"]) {
    if (field in body) yield `Unsupported parameter: '${field}'.`;
  }
  const cacheKey = stringOf(body["prompt_cache_key"]);
  if (cacheKey.length > longestId) yield tooLong("prompt_cache_key", longestId, cacheKey.length);
}

function* toolProblems(body: JsonObject): Generator<string> {
  const names = new Set<string>();
  for (const [index, tool] of objectsOf(body["tools"]).entries()) {
    if (tool["type"] !== "function") continue;
    yield* functionProblems(tool, `tools[${index}]`);
    const name = stringOf(tool["name"]);
    if (names.has(name)) yield `Tool names must be unique: '${name}'.`;
    names.add(name);
  }
}

function* inputProblems(body: JsonObject): Generator<string> {
  const input = body["input"];
  if (input === undefined || input === null || input === "" || listOf(input).length + stringOf(input).length === 0) {
    yield "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation' must be provided.";
    return;
  }
  for (const [index, item] of listOf(input).entries()) {
    if (!isObject(item)) yield wrongType(`input[${index}]`, "an object", item);
    else yield* itemProblems(item, `input[${index}]`);
  }
}

function* itemProblems(item: JsonObject, at: string): Generator<string> {
  const type = stringOf(item["type"] ?? "message");
  yield* idProblems(item["id"], idPrefixes[type], `${at}.id`);
  switch (type) {
    case "message":
      yield* messageProblems(item, at);
      return;
    case "function_call":
      yield* callIdProblems(item, at);
      if (stringOf(item["name"]) === "") yield `Missing required parameter: '${at}.name'.`;
      if (typeof item["arguments"] !== "string") yield wrongType(`${at}.arguments`, "a string", item["arguments"]);
      return;
    case "custom_tool_call":
      yield* callIdProblems(item, at);
      return;
    case "function_call_output":
    case "custom_tool_call_output":
      yield* callIdProblems(item, at);
      yield* outputProblems(item["output"], `${at}.output`);
      return;
    case "reasoning":
      if (stringOf(item["id"]) === "") yield `Missing required parameter: '${at}.id'.`;
      if (!Array.isArray(item["summary"])) yield `Missing required parameter: '${at}.summary'.`;
      return;
    case "additional_tools":
    case "configuration_update":
    case "item_reference":
    case "tool_search_call":
    case "tool_search_output":
      return;
    default:
      yield `Invalid value: '${type}'. (${at}.type)`;
  }
}

function* idProblems(id: unknown, prefix: string | undefined, at: string): Generator<string> {
  if (id === undefined || id === null || prefix === undefined) return;
  const text = stringOf(id);
  if (!text.startsWith(prefix)) {
    yield `Invalid '${at}': '${text}'. Expected an ID that begins with '${prefix.slice(0, -1)}'.`;
  } else if (!/^[a-zA-Z0-9_-]+$/.test(text)) {
    yield `Invalid '${at}': '${text}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`;
  }
  if (text.length > longestId) yield tooLong(at, longestId, text.length);
}

function* callIdProblems(item: JsonObject, at: string): Generator<string> {
  const id = stringOf(item["call_id"]);
  if (id === "") yield `Missing required parameter: '${at}.call_id'.`;
  if (id.length > longestId) yield tooLong(`${at}.call_id`, longestId, id.length);
}

function* messageProblems(item: JsonObject, at: string): Generator<string> {
  const { role, content } = item;
  if (!roles.includes(stringOf(role))) {
    const supported = roles.map((known) => `'${known}'`).join(", ");
    yield `Invalid value: '${String(role)}'. Supported values are: ${supported}.`;
  }
  if (typeof content === "string") return;
  if (!Array.isArray(content)) {
    yield wrongType(`${at}.content`, "one of an array of objects or string", content);
    return;
  }
  if (content.length === 0) yield emptyArray(`${at}.content`);
  yield* partProblems(content, role === "assistant" ? outputParts : inputParts, `${at}.content`);
}

function* outputProblems(output: unknown, at: string): Generator<string> {
  if (typeof output === "string") return;
  if (!Array.isArray(output)) yield wrongType(at, "one of an array of objects or string", output);
  else if (output.length === 0) yield emptyArray(at);
  else yield* partProblems(output, inputParts, at);
}

function* partProblems(parts: unknown[], allowed: string[], at: string): Generator<string> {
  for (const [index, part] of parts.entries()) {
    const place = `${at}[${index}]`;
    if (!isObject(part)) {
      yield wrongType(place, "an object", part);
      continue;
    }
    const type = stringOf(part["type"]);
    if (!allowed.includes(type)) {
      yield `Invalid value: '${type}'. Supported values are: ${allowed.map((known) => `'${known}'`).join(", ")}. (${place}.type)`;
    }
    if (type.endsWith("_text") && typeof part["text"] !== "string")
      yield `Missing required parameter: '${place}.text'.`;
    if (type === "input_image" && !/^(https?:|data:image\/)/.test(stringOf(part["image_url"]))) {
      yield `Invalid '${place}.image_url'. Expected a valid URL, but got a value with an invalid format.`;
    }
  }
}
