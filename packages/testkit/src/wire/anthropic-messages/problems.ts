import { isObject, type JsonObject, listOf, objectOf, objectsOf, stringOf } from "../json.js";
import type { RequestView } from "../wire.js";
import { cacheProblems } from "./cache-problems.js";
import { contentProblems } from "./content-problems.js";
import { pairingProblems } from "./pairing-problems.js";
import { toolProblems } from "./tool-problems.js";

const topLevelFields = new Set(
  (
    "model messages max_tokens stream system temperature top_p top_k stop_sequences tools tool_choice thinking " +
    "output_config metadata service_tier container context_management mcp_servers fallbacks speed inference_geo"
  ).split(" "),
);

/** What Anthropic answers with `invalid_request_error`, in its words. */
export function findProblems(request: RequestView): string[] {
  const { body, headers } = request;
  return [
    ...headerProblems(headers),
    ...parameterProblems(body),
    ...thinkingProblems(body),
    ...toolProblems(body),
    ...messageProblems(body),
    ...contentProblems(request),
    ...pairingProblems(body),
    ...cacheProblems(body),
  ];
}

function* headerProblems(headers: Record<string, string>): Generator<string> {
  if (!headers["anthropic-version"]) yield "anthropic-version: header is required";
}

function* parameterProblems(body: JsonObject): Generator<string> {
  for (const field of Object.keys(body)) {
    if (!topLevelFields.has(field)) yield `${field}: Extra inputs are not permitted`;
  }
  if (stringOf(body["model"]) === "") yield "model: Field required";
  if (body["stream"] !== true) yield "stream: Input should be true; only streaming is served here";
  const limit = body["max_tokens"];
  if (limit === undefined || limit === null) yield "max_tokens: Field required";
  else if (!Number.isInteger(limit)) yield "max_tokens: Input should be a valid integer";
  else if (Number(limit) < 1) yield "max_tokens: Input should be greater than or equal to 1";
}

function* thinkingProblems(body: JsonObject): Generator<string> {
  if (body["thinking"] === undefined) return;
  const thinking = objectOf(body["thinking"]);
  const type = thinking["type"];
  if (type !== "enabled" && type !== "adaptive" && type !== "disabled") {
    yield "thinking: Input tag does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'";
    return;
  }
  if (type === "enabled") {
    const budget = thinking["budget_tokens"];
    if (!Number.isInteger(budget)) yield "thinking.enabled.budget_tokens: Field required";
    else if (Number(budget) < 1024) {
      yield "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
    } else if (Number(budget) >= Number(body["max_tokens"])) {
      yield "`max_tokens` must be greater than `thinking.budget_tokens`";
    }
  }
  if (type === "disabled") return;
  const temperature = body["temperature"];
  if (temperature !== undefined && temperature !== 1) {
    yield "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode";
  }
  const choice = objectOf(body["tool_choice"])["type"];
  if (choice === "any" || choice === "tool") yield "Thinking may not be enabled when tool_choice forces tool use.";
}

function* messageProblems(body: JsonObject): Generator<string> {
  if (!Array.isArray(body["messages"])) {
    yield "messages: Field required";
    return;
  }
  const messages = listOf(body["messages"]);
  if (messages.length === 0) yield "messages: at least one message is required";
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) yield `messages.${index}: Input should be a valid dictionary`;
    else if (message["role"] !== "user" && message["role"] !== "assistant") {
      yield `messages: Unexpected role "${String(message["role"])}". Allowed roles are "user" or "assistant".`;
    }
  }
  if (objectsOf(messages)[0]?.["role"] === "assistant") yield 'messages: first message must use the "user" role';
}
