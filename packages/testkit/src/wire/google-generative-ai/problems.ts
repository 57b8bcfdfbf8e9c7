import { isObject, type JsonObject, listOf, objectOf, objectsOf, stringOf } from "../json.js";
import type { RequestView } from "../wire.js";
import { functionDeclarationsOf } from "./conversation.js";
import { signatureProblems } from "./signature-problems.js";
import { turnProblems } from "./turn-problems.js";

const topLevelFields = new Set(
  "contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent model labels".split(" "),
);
const partFields = new Set(
  (
    "text thought thoughtSignature functionCall functionResponse inlineData fileData executableCode " +
    "codeExecutionResult videoMetadata mediaResolution partMetadata"
  ).split(" "),
);
const callFields = new Set(["id", "name", "args"]);
const responseFields = new Set(["id", "name", "response", "parts", "willContinue", "scheduling"]);
const dataFields = [
  "text",
  "functionCall",
  "functionResponse",
  "inlineData",
  "fileData",
  "executableCode",
  "codeExecutionResult",
];

const functionName = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

/** What Google answers with `INVALID_ARGUMENT`, in its words. */
export function findProblems(request: RequestView): string[] {
  const { body } = request;
  return [
    ...unknownFields(body, topLevelFields, ""),
    ...configProblems(objectOf(body["generationConfig"])),
    ...declarationProblems(body),
    ...contentProblems(body),
    ...turnProblems(objectsOf(body["contents"])),
    ...signatureProblems(request),
  ];
}

function* unknownFields(value: JsonObject, known: Set<string>, at: string): Generator<string> {
  for (const field of Object.keys(value)) {
    if (!known.has(field)) {
      const place = at === "" ? "" : ` at '${at}'`;
      yield `Invalid JSON payload received. Unknown name "${field}"${place}: Cannot find field.`;
    }
  }
}

function* configProblems(config: JsonObject): Generator<string> {
  const limit = config["maxOutputTokens"];
  if (limit !== undefined && (!Number.isInteger(limit) || Number(limit) < 1)) {
    yield `Unable to submit request because it has a maxOutputTokens value of ${String(limit)} but the supported range is from 1 (inclusive).`;
  }
  const thinking = objectOf(config["thinkingConfig"]);
  if (thinking["thinkingBudget"] !== undefined && thinking["thinkingLevel"] !== undefined) {
    yield "You can only set only one of thinking budget and thinking level.";
  }
}

function* declarationProblems(body: JsonObject): Generator<string> {
  const names = new Set<string>();
  for (const [index, declared] of functionDeclarationsOf(body).entries()) {
    const at = `GenerateContentRequest.tools[0].function_declarations[${index}]`;
    const name = stringOf(declared["name"]);
    if (!functionName.test(name)) {
      yield `* ${at}.name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.`;
    }
    if (names.has(name)) yield `Duplicate function declaration found: ${name}`;
    names.add(name);
    const { parameters, parametersJsonSchema } = declared;
    if (parameters !== undefined && parametersJsonSchema !== undefined) {
      yield `* ${at}: only one of parameters and parameters_json_schema may be set.`;
    }
    if (parametersJsonSchema !== undefined && objectOf(parametersJsonSchema)["type"] !== "object") {
      yield `* ${at}.parameters_json_schema: functionDeclaration parameters schema should be of type OBJECT.`;
    }
  }
}

function* contentProblems(body: JsonObject): Generator<string> {
  const contents = listOf(body["contents"]);
  if (contents.length === 0) yield "* GenerateContentRequest.contents: contents is not specified";
  for (const [index, content] of contents.entries()) {
    const at = `contents[${index}]`;
    if (!isObject(content)) {
      yield `Invalid value at '${at}' (type.googleapis.com/google.ai.generativelanguage.v1beta.Content)`;
      continue;
    }
    yield* unknownFields(content, new Set(["role", "parts"]), at);
    if (content["role"] !== "user" && content["role"] !== "model") yield "Please use a valid role: user, model.";
    const parts = objectsOf(content["parts"]);
    if (parts.length === 0) yield `* GenerateContentRequest.${at}.parts: contents.parts must not be empty.`;
    for (const [position, part] of parts.entries()) yield* partProblems(part, `${at}.parts[${position}]`);
  }
}

function* partProblems(part: JsonObject, at: string): Generator<string> {
  yield* unknownFields(part, partFields, at);
  const filled = dataFields.filter((field) => field in part);
  // An empty text may carry a signature; otherwise it says nothing.
  const empty = part["text"] === "" && part["thoughtSignature"] === undefined;
  if (filled.length !== 1 || empty) {
    yield `* GenerateContentRequest.${at}.data: required oneof field 'data' must have one initialized field`;
  }
  if ("functionCall" in part) {
    const call = objectOf(part["functionCall"]);
    yield* unknownFields(call, callFields, `${at}.function_call`);
    if (stringOf(call["name"]) === "") yield `* GenerateContentRequest.${at}.function_call.name: Name cannot be empty.`;
    if (call["args"] !== undefined && !isObject(call["args"])) {
      yield `Invalid value at '${at}.function_call.args' (type.googleapis.com/google.protobuf.Struct)`;
    }
  }
  if ("functionResponse" in part) {
    const response = objectOf(part["functionResponse"]);
    yield* unknownFields(response, responseFields, `${at}.function_response`);
    if (stringOf(response["name"]) === "") {
      yield `* GenerateContentRequest.${at}.function_response.name: Name cannot be empty.`;
    }
    if (!isObject(response["response"])) {
      yield `Invalid value at '${at}.function_response.response' (type.googleapis.com/google.protobuf.Struct)`;
    }
  }
}
