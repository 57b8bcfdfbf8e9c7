import type { ScriptedStopReason, ScriptedUsage } from "../../types.js";
import { type JsonObject, listOf, objectOf, objectsOf } from "../json.js";
import { namedEvent, pieces, type SseEvent } from "../sse.js";
import type { RenderContext, ResolvedBlock, ResolvedTurn } from "../turn.js";

type Data = { type: string } & JsonObject;
type Block<T extends ResolvedBlock["type"]> = Extract<ResolvedBlock, { type: T }>;

/** What the parts of one answer share. */
interface Answer {
  deltaSize: number;
  context: RenderContext;
  /** The answer has room for encrypted reasoning. */
  encrypted: boolean;
  /** The reasoning item that the following items belong to. */
  reasoningId: string | undefined;
  /** Finished items, as `response.completed` repeats them. */
  output: object[];
}

export function* renderTurn(turn: ResolvedTurn, context: RenderContext): Generator<SseEvent> {
  let sequence = 0;
  const event = (data: Data): SseEvent => {
    const { type, ...rest } = data;
    return { frame: namedEvent(type, { type, sequence_number: sequence++, ...rest }) };
  };
  const base = responseBase(turn, context);
  yield event({ type: "response.created", response: base });
  yield event({ type: "response.in_progress", response: base });

  const outcome = outcomeOf(turn.stopReason);
  const answer: Answer = {
    deltaSize: turn.deltaSize,
    context,
    encrypted: listOf(context.body["include"]).includes("reasoning.encrypted_content"),
    reasoningId: undefined,
    output: [],
  };
  for (const [position, block] of turn.blocks.entries()) {
    const cutShort = outcome.status === "incomplete" && position === turn.blocks.length - 1;
    for (const data of itemEvents(block, answer, cutShort ? "incomplete" : "completed")) yield event(data);
  }
  const response = { ...base, ...outcome, output: answer.output, usage: usageOf(turn.usage) };
  yield { ...event({ type: `response.${outcome.status}`, response }), terminal: true };
}

interface Outcome {
  status: "completed" | "incomplete" | "failed";
  incomplete_details: { reason: string } | null;
  error: { code: string; message: string } | null;
}

function outcomeOf(stopReason: ScriptedStopReason): Outcome {
  const incomplete = (reason: string): Outcome => ({
    status: "incomplete",
    incomplete_details: { reason },
    error: null,
  });
  switch (stopReason) {
    case "stop":
    case "toolUse":
      return { status: "completed", incomplete_details: null, error: null };
    case "length":
      return incomplete("max_output_tokens");
    case "refusal":
      return incomplete("content_filter");
    case "failed":
      return {
        status: "failed",
        incomplete_details: null,
        error: { code: "server_error", message: "The model failed to generate a response." },
      };
    default:
      return incomplete(stopReason);
  }
}

function responseBase({ responseId, model }: ResolvedTurn, { body, ids, createdAt }: RenderContext): object {
  const reasoning = objectOf(body["reasoning"]);
  return {
    id: responseId ?? ids.next("resp_"),
    object: "response",
    created_at: createdAt,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body["instructions"] ?? null,
    max_output_tokens: body["max_output_tokens"] ?? null,
    max_tool_calls: null,
    model,
    output: [],
    parallel_tool_calls: body["parallel_tool_calls"] ?? true,
    previous_response_id: null,
    prompt_cache_key: body["prompt_cache_key"] ?? null,
    reasoning: { effort: reasoning["effort"] ?? null, summary: reasoning["summary"] ?? null },
    safety_identifier: null,
    service_tier: "default",
    store: body["store"] ?? true,
    temperature: body["temperature"] ?? 1,
    text: { format: { type: "text" }, verbosity: "medium" },
    tool_choice: body["tool_choice"] ?? "auto",
    tools: [],
    top_logprobs: 0,
    top_p: 1,
    truncation: "disabled",
    usage: null,
    user: null,
    metadata: {},
  };
}

function* itemEvents(block: ResolvedBlock, answer: Answer, status: "completed" | "incomplete"): Generator<Data> {
  switch (block.type) {
    case "text":
      yield* messageEvents(block, answer, status);
      return;
    case "thinking":
      yield* reasoningEvents(block, answer);
      return;
    case "toolCall":
      yield* callEvents(block, answer, status);
      return;
    case "redactedThinking":
      return;
  }
}

/** The events around an item: added, what is inside it, done. */
function* item(answer: Answer, added: object, inside: (at: object) => Iterable<Data>, done: object): Generator<Data> {
  const output_index = answer.output.length;
  yield { type: "response.output_item.added", output_index, item: added };
  yield* inside({ output_index });
  yield { type: "response.output_item.done", output_index, item: done };
  answer.output.push(done);
}

function* messageEvents(block: Block<"text">, answer: Answer, status: string): Generator<Data> {
  const { text } = block;
  const id = ownedId(answer, "msg_");
  const common = { id, type: "message", role: "assistant" };
  const part = { type: "output_text", annotations: [], logprobs: [], text };
  yield* item(
    answer,
    { ...common, status: "in_progress", content: [] },
    function* (output) {
      const at = { item_id: id, ...output, content_index: 0 };
      yield { type: "response.content_part.added", ...at, part: { ...part, text: "" } };
      for (const piece of pieces(text, answer.deltaSize)) {
        yield { type: "response.output_text.delta", ...at, delta: piece.text, logprobs: [] };
      }
      yield { type: "response.output_text.done", ...at, text, logprobs: [] };
      yield { type: "response.content_part.done", ...at, part };
    },
    { ...common, status, content: [part] },
  );
}

function* reasoningEvents(block: Block<"thinking">, answer: Answer): Generator<Data> {
  const { text } = block;
  const { ids, issue, body } = answer.context;
  const id = ids.next("rs_");
  const secret = block.signature ?? ids.nextSignature();
  const common = { id, type: "reasoning", ...(answer.encrypted ? { encrypted_content: secret } : {}) };
  answer.reasoningId = id;
  if (answer.encrypted) issue(secret);
  // Only a stored item can be referred to by its id alone.
  if (body["store"] !== false) issue(id);
  const part = { type: "summary_text", text };
  yield* item(
    answer,
    { ...common, summary: [] },
    function* (output) {
      if (text === "") return;
      const at = { item_id: id, ...output, summary_index: 0 };
      yield { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } };
      for (const piece of pieces(text, answer.deltaSize)) {
        yield { type: "response.reasoning_summary_text.delta", ...at, delta: piece.text };
      }
      yield { type: "response.reasoning_summary_text.done", ...at, text };
      yield { type: "response.reasoning_summary_part.done", ...at, part };
    },
    { ...common, summary: text === "" ? [] : [part] },
  );
}

function* callEvents(block: Block<"toolCall">, answer: Answer, status: string): Generator<Data> {
  const { name, argumentsText } = block;
  const [callId = answer.context.ids.next("call_"), itemId] = block.id?.split("|") ?? [];
  if (isCustom(name, answer)) {
    yield* customCallEvents(block, answer, status, { call_id: callId, name });
    return;
  }
  const id = ownedId(answer, "fc_", itemId);
  const common = { id, type: "function_call", call_id: callId, name };
  yield* item(
    answer,
    { ...common, status: "in_progress", arguments: "" },
    function* (output) {
      const at = { item_id: id, ...output };
      for (const piece of pieces(argumentsText, answer.deltaSize)) {
        yield { type: "response.function_call_arguments.delta", ...at, delta: piece.text };
      }
      yield { type: "response.function_call_arguments.done", ...at, name, arguments: argumentsText };
    },
    { ...common, status, arguments: argumentsText },
  );
}

/** Tools of a free form are called with bare text, which the script gives as the arguments text. */
function* customCallEvents(block: Block<"toolCall">, answer: Answer, status: string, call: object): Generator<Data> {
  const { argumentsText: input } = block;
  const id = ownedId(answer, "ctc_");
  const common = { id, type: "custom_tool_call", ...call };
  yield* item(
    answer,
    { ...common, status: "in_progress", input: "" },
    function* (output) {
      const at = { item_id: id, ...output };
      for (const piece of pieces(input, answer.deltaSize)) {
        yield { type: "response.custom_tool_call_input.delta", ...at, delta: piece.text };
      }
      yield { type: "response.custom_tool_call_input.done", ...at, input };
    },
    { ...common, status, input },
  );
}

function isCustom(name: string, { context }: Answer): boolean {
  return objectsOf(context.body["tools"]).some((tool) => tool["type"] === "custom" && tool["name"] === name);
}

/** The id of an item that must come back together with the reasoning before it. Only its direct successor must. */
function ownedId(answer: Answer, prefix: string, given?: string): string {
  const id = given ?? answer.context.ids.next(prefix);
  if (answer.reasoningId !== undefined) answer.context.bind(id, answer.reasoningId);
  answer.reasoningId = undefined;
  return id;
}

function usageOf(usage: Required<ScriptedUsage>): object {
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + usage.output,
  };
}
