import { jsonEqual } from "../../json/json-equal.js";
import type { AssistantMessage, Model, TranscriptContext } from "../../types.js";
import { codexBody } from "./codex-request.js";

/** The answers that come to what was asked of a tool, by item type. */
const OUTPUTS: ReadonlySet<unknown> = new Set(["function_call_output", "custom_tool_call_output"]);

type Body = Record<string, unknown>;

/** What a connection remembers of its last answer. */
export interface Continuation {
  responseId: string;
  /** The request that was answered, whole. */
  body: Body;
  /** The input with which a request goes on from the answer: that of its request, and the answer as it is sent back. */
  input: readonly unknown[];
}

/** What the connection that gave `message` as answer to `body` can go on from; undefined without a complete answer. */
export function continuationOf(
  body: Body,
  model: Model,
  context: TranscriptContext,
  message: AssistantMessage,
): Continuation | undefined {
  const { responseId } = message;
  if (responseId === undefined || !Array.isArray(body["input"])) return undefined;
  const asked = inputOf(codexBody(model, context));
  const answered = inputOf(codexBody(model, { ...context, messages: [...context.messages, message] }));
  // A call without a result would get one made up: that is not part of the answer.
  const own = answered.slice(asked.length).filter((item) => !OUTPUTS.has((item as Body)["type"]));
  return { responseId, body, input: [...body["input"], ...own] };
}

/**
 * The rest of a request for a server that still has the beginning; undefined when it begins otherwise or asks
 * otherwise than the last one, and must be sent whole.
 */
export function continued(body: Body, last: Continuation): Body | undefined {
  const { input, ...rest } = body;
  const { input: _, ...lastRest } = last.body;
  if (!Array.isArray(input) || input.length <= last.input.length || !jsonEqual(rest, lastRest)) return undefined;
  if (!last.input.every((item, index) => jsonEqual(item, input[index]))) return undefined;
  return { ...rest, previous_response_id: last.responseId, input: input.slice(last.input.length) };
}

function inputOf(body: Body): unknown[] {
  return body["input"] as unknown[];
}
