import { isObject, type JsonObject, listOf, objectOf, objectsOf, stringOf } from "../json.js";
import type { RequestView } from "../wire.js";

const bodyFields = new Set(
  (
    "messages system inferenceConfig toolConfig additionalModelRequestFields additionalModelResponseFieldPaths " +
    "requestMetadata guardrailConfig performanceConfig promptVariables serviceTier outputConfig"
  ).split(" "),
);
const blockKinds = ["text", "image", "toolUse", "toolResult", "reasoningContent", "cachePoint", "document", "video"];
const toolUseId = /^[a-zA-Z0-9_-]{1,64}$/;
const toolName = /^[a-zA-Z0-9_-]{1,64}$/;

/** What Bedrock answers with `ValidationException`. */
export function findProblems(request: RequestView): string[] {
  const { body } = request;
  return [
    ...fieldProblems(body),
    ...toolProblems(body),
    ...messageProblems(request),
    ...pairingProblems(objectsOf(body["messages"])),
  ];
}

function* fieldProblems(body: JsonObject): Generator<string> {
  for (const field of Object.keys(body)) {
    if (!bodyFields.has(field))
      yield `The model returned the following errors: extraneous key [${field}] is not permitted`;
  }
  const limit = objectOf(body["inferenceConfig"])["maxTokens"];
  if (limit !== undefined && (!Number.isInteger(limit) || Number(limit) < 1)) {
    yield "1 validation error detected: Value at 'inferenceConfig.maxTokens' must be greater than or equal to 1";
  }
}

function* toolProblems(body: JsonObject): Generator<string> {
  const usesTools = objectsOf(body["messages"]).some((message) =>
    objectsOf(message["content"]).some((block) => "toolUse" in block || "toolResult" in block),
  );
  if (usesTools && !isObject(body["toolConfig"])) {
    yield "The toolConfig field must be defined when using toolUse and toolResult content blocks.";
  }
  for (const tool of objectsOf(objectOf(body["toolConfig"])["tools"])) {
    if (!isObject(tool["toolSpec"])) continue;
    const { name, inputSchema } = tool["toolSpec"];
    if (!toolName.test(stringOf(name)))
      yield `Value at 'toolSpec.name' failed to satisfy constraint: ${stringOf(name)}`;
    if (objectOf(objectOf(inputSchema)["json"])["type"] !== "object") {
      yield `The value at toolConfig.tools.toolSpec.inputSchema.json.type must be one of the following: object. (${stringOf(name)})`;
    }
  }
}

function* messageProblems(request: RequestView): Generator<string> {
  const messages = objectsOf(request.body["messages"]);
  if (messages.length === 0)
    yield "The model returned the following errors: messages: at least one message is required";
  if (messages[0]?.["role"] === "assistant") yield "A conversation must start with a user message.";
  for (const [index, message] of messages.entries()) {
    const at = `messages.${index}`;
    if (message["role"] !== "user" && message["role"] !== "assistant") {
      yield `1 validation error detected: Value at '${at}.role' must be one of: user, assistant`;
    }
    const blocks = listOf(message["content"]);
    if (blocks.length === 0)
      yield `The content field in the Message object at ${at} is empty. Add a ContentBlock object.`;
    for (const [position, block] of blocks.entries()) {
      yield* blockProblems(objectOf(block), stringOf(message["role"]), `${at}.content.${position}`, request);
    }
  }
}

function* blockProblems(
  block: JsonObject,
  role: string,
  at: string,
  { issued, model }: RequestView,
): Generator<string> {
  const kinds = Object.keys(block);
  if (kinds.length !== 1 || !blockKinds.includes(kinds[0] ?? "")) {
    yield `The ContentBlock object at ${at} must set exactly one of the following keys: ${blockKinds.join(", ")}.`;
  }
  if ("text" in block && stringOf(block["text"]).trim() === "") {
    yield `The text field in the ContentBlock object at ${at} is blank. Add text to the text field, and try again.`;
  }
  if ("image" in block) yield* imageProblems(objectOf(block["image"]), at);
  if ("toolUse" in block) {
    const { toolUseId: id, name, input } = objectOf(block["toolUse"]);
    if (role !== "assistant") yield `${at}: toolUse is only allowed in assistant messages`;
    if (!toolUseId.test(stringOf(id)))
      yield `Value at '${at}.toolUse.toolUseId' failed to satisfy constraint: ${stringOf(id)}`;
    if (stringOf(name) === "") yield `Value at '${at}.toolUse.name' is required`;
    if (!isObject(input))
      yield `The format of the value at ${at}.toolUse.input is invalid. Provide a json object for the field.`;
  }
  if ("toolResult" in block) {
    const { content, status } = objectOf(block["toolResult"]);
    if (role !== "user") yield `${at}: toolResult is only allowed in user messages`;
    if (listOf(content).length === 0) yield `The content field of the toolResult at ${at} is empty.`;
    if (status !== "success" && status !== "error")
      yield `Value at '${at}.toolResult.status' must be one of: success, error`;
    for (const inner of objectsOf(content)) if ("image" in inner) yield* imageProblems(objectOf(inner["image"]), at);
  }
  const reasoning = objectOf(objectOf(block["reasoningContent"])["reasoningText"]);
  if (isObject(block["reasoningContent"]) && role !== "assistant")
    yield `${at}: reasoningContent is only allowed in assistant messages`;
  if (/claude/.test(model) && "text" in reasoning) {
    const verdict = issued.verdict(
      "bedrock-converse-stream",
      stringOf(reasoning["signature"]),
      stringOf(reasoning["text"]),
    );
    if (verdict !== "issued")
      yield `The model returned the following errors: ${at}: Invalid \`signature\` in \`thinking\` block`;
  }
}

function* imageProblems(image: JsonObject, at: string): Generator<string> {
  if (!["png", "jpeg", "gif", "webp"].includes(stringOf(image["format"]))) {
    yield `Value at '${at}.image.format' must be one of: png, jpeg, gif, webp`;
  }
  if (stringOf(objectOf(image["source"])["bytes"]) === "") yield `Value at '${at}.image.source.bytes' is required`;
}

/** All calls of a message are answered in the message behind it, and nothing else is. */
function* pairingProblems(messages: JsonObject[]): Generator<string> {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const blocks = objectsOf(message["content"]);
    const results = idsOf(blocks, "toolResult");
    for (const id of results) {
      if (!open.delete(id)) {
        yield `The number of toolResult blocks at messages.${index}.content exceeds the number of toolUse blocks of previous turn. (${id})`;
      }
    }
    if (open.size > 0) {
      yield `Expected toolResult blocks at messages.${index}.content for the following Ids: ${[...open].join(", ")}`;
    }
    const calls = idsOf(blocks, "toolUse");
    open = new Set(calls);
    if (open.size < calls.length) yield `The toolUse blocks at messages.${index}.content contain duplicate Ids.`;
  }
  if (open.size > 0) yield `Expected toolResult blocks for the following Ids: ${[...open].join(", ")}`;
}

function idsOf(blocks: JsonObject[], kind: string): string[] {
  return blocks
    .map((block) => block[kind])
    .filter(isObject)
    .map((block) => stringOf(block["toolUseId"]));
}
