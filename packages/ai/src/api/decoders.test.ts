import { describe, expect, test } from "vitest";
import { AssistantMessageBuilder } from "../assistant-message-builder.js";
import { AssistantMessageEventStream } from "../event-stream.js";
import type { AssistantMessage, AssistantMessageEvent, Model } from "../types.js";
import { AnthropicDecoder } from "./anthropic/anthropic-decoder.js";
import { CompletionsDecoder } from "./openai-completions/completions-decoder.js";
import { ResponsesDecoder } from "./openai-responses/responses-decoder.js";
import type { StreamDecoder } from "./run-request.js";

const model: Model = {
  id: "m",
  name: "M",
  api: "x",
  provider: "p",
  baseUrl: "",
  reasoning: true,
  input: ["text"],
  cost: { input: 1e6, output: 1e6, cacheRead: 1e6, cacheWrite: 1e6 },
  contextWindow: 1000,
  maxTokens: 100,
};

/** Feeds events to a decoder; the outcome is the message, or the text of what was thrown. */
function decode(
  make: (builder: AssistantMessageBuilder) => StreamDecoder,
  wire: (Record<string, unknown> | string)[],
): { message: AssistantMessage; error: string | undefined; events: AssistantMessageEvent["type"][] } {
  const stream = new AssistantMessageEventStream();
  const events: AssistantMessageEvent["type"][] = [];
  const push = stream.push.bind(stream);
  stream.push = (event) => {
    events.push(event.type);
    push(event);
  };
  const builder = new AssistantMessageBuilder(model, stream);
  const decoder = make(builder);
  let error: string | undefined;
  try {
    for (const value of wire) {
      const data = typeof value === "string" ? value : JSON.stringify(value);
      if (decoder.take({ event: undefined, data })) break;
    }
    decoder.finish();
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  return { message: builder.message, error, events };
}

describe("anthropic", () => {
  const make = (builder: AssistantMessageBuilder) => new AnthropicDecoder(builder);
  const start = {
    type: "message_start",
    message: { id: "r", model: "other", usage: { input_tokens: 1, cache_read_input_tokens: 2 } },
  };
  const stop = (reason: string, details: object = {}) => [
    {
      type: "message_delta",
      delta: { stop_reason: reason, ...details },
      usage: { output_tokens: 3, input_tokens: null },
    },
    { type: "message_stop" },
  ];

  test("thinking with its signature in pieces, and redacted thinking", () => {
    const { message } = decode(make, [
      start,
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
      { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "ab" } },
      { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "cd" } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "redacted_thinking", data: "DATA" } },
      { type: "content_block_stop", index: 1 },
      { type: "something_new", index: 1 },
      ...stop("end_turn"),
    ]);
    expect(message.content).toEqual([
      { type: "thinking", thinking: "hm", thinkingSignature: "abcd" },
      { type: "thinking", thinking: "[Reasoning redacted]", redacted: true, thinkingSignature: "DATA" },
    ]);
    expect(message).toMatchObject({ responseId: "r", responseModel: "other", rawStopReason: "end_turn" });
    expect(message.usage).toMatchObject({ input: 1, cacheRead: 2, output: 3, totalTokens: 6, cost: { total: 6 } });
  });

  test.each([
    ["end_turn", "stop", undefined],
    ["stop_sequence", "stop", undefined],
    ["pause_turn", "stop", undefined],
    ["max_tokens", "length", undefined],
    ["tool_use", "toolUse", undefined],
    ["refusal", "pending", "The model refused to complete the request"],
    ["sensitive", "pending", "Unhandled stop reason: sensitive"],
    ["model_context_window_exceeded", "pending", "Unhandled stop reason: model_context_window_exceeded"],
  ])("stop reason %s", (reason, expected, text) => {
    const { message, error } = decode(make, [start, ...stop(reason)]);
    expect([message.stopReason, error]).toEqual([expected, text]);
  });

  test("what a refusal says", () => {
    expect(decode(make, [start, ...stop("refusal", { stop_details: { explanation: "Not this." } })]).error).toBe(
      "Not this.",
    );
  });

  test("repairs what can be repaired, and names what cannot", () => {
    const text = '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a\nb"}}';
    expect(decode(make, [start, text, ...stop("end_turn")]).message.content).toEqual([{ type: "text", text: "a\nb" }]);
    expect(decode(make, [start, "{oops"]).error).toMatch(
      /^Anthropic stream sent an event that is not JSON \(.*\): \{oops$/,
    );
  });

  test("endings", () => {
    expect(decode(make, [start]).error).toBe("Anthropic stream ended before message_stop");
    expect(decode(make, [start, { type: "message_stop" }]).error).toBe("Anthropic stream ended without a stop reason");
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(decode(make, [start, error]).error).toBe(JSON.stringify(error));
  });
});

describe("completions", () => {
  const make = (builder: AssistantMessageBuilder) => new CompletionsDecoder(builder, model, true);
  const chunk = (delta: object, finish_reason: string | null = null, rest: object = {}) => ({
    id: "r",
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
    ...rest,
  });

  test.each(["reasoning_content", "reasoning", "reasoning_text"])("reasoning in %s, told before the text", (field) => {
    const { message, events } = decode(make, [
      chunk({ [field]: "a", content: "x" }),
      chunk({ [field]: "b" }),
      chunk({ content: "y" }, "stop"),
    ]);
    expect(message.content).toEqual([
      { type: "thinking", thinking: "ab", thinkingSignature: field },
      { type: "text", text: "xy" },
    ]);
    expect(events).toEqual([
      "thinking_start",
      "thinking_delta",
      "text_start",
      "text_delta",
      "thinking_delta",
      "text_delta",
      "thinking_end",
      "text_end",
      "done",
    ]);
  });

  test("reasoning details are put together again", () => {
    const detail = (fields: object) => ({ reasoning_details: [fields] });
    const { message } = decode(make, [
      chunk({ reasoning: "ab", ...detail({ type: "reasoning.text", index: 0, text: "a" }) }),
      chunk(detail({ type: "reasoning.text", index: 0, text: "b", signature: "s" })),
      chunk(detail({ type: "reasoning.encrypted", index: 1, data: "1" })),
      chunk(detail({ type: "reasoning.encrypted", index: 1, data: "2" })),
      chunk({ content: "x" }, "stop"),
    ]);
    const [thinking] = message.content;
    expect(JSON.parse((thinking as { thinkingSignature: string }).thinkingSignature)).toEqual([
      { type: "reasoning.text", index: 0, text: "ab", signature: "s" },
      { type: "reasoning.encrypted", index: 1, data: "1" },
      { type: "reasoning.encrypted", index: 1, data: "2" },
    ]);
  });

  test("calls by index, calls that share one, and calls without any", () => {
    const call = (fields: object) => chunk({ tool_calls: [fields] });
    const { message } = decode(make, [
      call({ index: 0, id: "1", function: { name: "a", arguments: '{"x":' } }),
      call({ index: 1, id: "2", function: { name: "b", arguments: "{}" } }),
      call({ index: 0, function: { arguments: "1}" } }),
      call({ index: 1, id: "3", function: { name: "c", arguments: "{}" } }),
      call({ id: "4", function: { name: "d", arguments: { y: 2 } } }),
      chunk({}, "tool_calls"),
    ]);
    expect(message.content).toMatchObject([
      { id: "1", name: "a", arguments: { x: 1 } },
      { id: "2", name: "b", arguments: {} },
      { id: "3", name: "c", arguments: {} },
      { id: "4", name: "d", arguments: { y: 2 } },
    ]);
  });

  test.each([{}, { index: 0 }, { id: "" }, { index: 0, id: "" }, { id: "1" }, { index: 0, id: "1" }])(
    "whole calls that all say %j",
    (fields) => {
      const call = (name: string, args: unknown) => ({ ...fields, function: { name, arguments: args } });
      const { message } = decode(make, [
        chunk({ tool_calls: [call("a", '{"x":')] }),
        chunk({ tool_calls: [{ ...fields, function: { arguments: "1}" } }] }),
        chunk({ tool_calls: [call("a", '{"x":2}')] }),
        chunk({ tool_calls: [call("a", { x: 3 })] }),
        chunk({ tool_calls: [call("b", "")] }),
        chunk({ tool_calls: [call("b", '{"x":')] }),
        chunk({ tool_calls: [call("b", "4}")] }),
        chunk({}, "tool_calls"),
      ]);
      const calls = message.content.filter((block) => block.type === "toolCall");
      expect(calls.map((block) => [block.name, block.arguments])).toEqual([
        ["a", { x: 1 }],
        ["a", { x: 2 }],
        ["a", { x: 3 }],
        ["b", { x: 4 }],
      ]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
    },
  );

  test.each([
    ["stop", "stop", undefined],
    ["end", "stop", undefined],
    ["length", "length", undefined],
    ["function_call", "toolUse", undefined],
    ["content_filter", "pending", "Provider finish_reason: content_filter"],
    ["network_error", "pending", "Provider finish_reason: network_error"],
  ])("finish reason %s", (reason, expected, text) => {
    const { message, error } = decode(make, [chunk({ content: "x" }, reason), "[DONE]"]);
    expect([message.stopReason, error]).toEqual([expected, text]);
  });

  test("servers that name no finish reason", () => {
    expect(decode(make, [chunk({ content: "x" }), "[DONE]"]).error).toBe("Stream ended without finish_reason");
    const lenient = (builder: AssistantMessageBuilder) => new CompletionsDecoder(builder, model, false);
    expect(decode(lenient, [chunk({ content: "x" })]).message.stopReason).toBe("stop");
  });

  test.each([
    [
      { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 } },
      [5, 5, 4, 1],
    ],
    [{ prompt_tokens: 10, completion_tokens: 5, prompt_cache_hit_tokens: 4 }, [6, 5, 4, 0]],
    [{ prompt_tokens: 3, completion_tokens: 5, cached_tokens: 4 }, [0, 5, 4, 0]],
  ])("usage %j", (usage, expected) => {
    for (const wire of [
      [chunk({}, "stop"), { choices: [], usage }],
      [chunk({}, "stop", { choices: [{ delta: {}, finish_reason: "stop", usage }] })],
    ]) {
      const { input, output, cacheRead, cacheWrite, totalTokens } = decode(make, wire).message.usage;
      expect([input, output, cacheRead, cacheWrite]).toEqual(expected);
      expect(totalTokens).toBe(input + output + cacheRead + cacheWrite);
    }
  });

  test.each([
    [{ cost: 0.5, is_byok: false }, 0.5, true],
    [{ cost: 0.5, is_byok: true, cost_details: { upstream_inference_cost: 2 } }, 2.5, true],
    [
      {
        cost: 0.5,
        is_byok: true,
        cost_details: { upstream_inference_prompt_cost: 1, upstream_inference_completions_cost: 2 },
      },
      3.5,
      true,
    ],
    [{ cost: -1, is_byok: false }, 2, false],
  ])("OpenRouter's cost %j", (fields, total, fromProvider) => {
    const router = { ...model, provider: "openrouter" };
    const usage = { prompt_tokens: 1, completion_tokens: 1, ...fields };
    const wire = [chunk({}, "stop"), { choices: [], usage }];
    const { cost } = decode((builder) => new CompletionsDecoder(builder, router, true), wire).message.usage;
    expect(cost).toMatchObject({ total, totalFromProvider: fromProvider });
    expect(decode(make, wire).message.usage.cost.totalFromProvider).toBe(false);
  });

  test("an error in the stream", () => {
    expect(decode(make, [chunk({ content: "x" }), { error: { message: "Overloaded", code: 502 } }]).error).toBe(
      '{"message":"Overloaded","code":502}',
    );
  });
});

describe("responses", () => {
  const make = (builder: AssistantMessageBuilder) => new ResponsesDecoder(builder, model);
  const end = (fields: object = {}) => ({
    type: "response.completed",
    response: { id: "r", status: "completed", ...fields },
  });
  const item = (type: "added" | "done", output_index: number, fields: object) => ({
    type: `response.output_item.${type}`,
    output_index,
    item: fields,
  });

  test("reasoning in parts, its item kept, encrypted content supplied at the end", () => {
    const reasoning = { type: "reasoning", id: "rs", summary: [{ text: "one" }, { text: "two" }] };
    const delta = (text: string) => ({ type: "response.reasoning_summary_text.delta", output_index: 0, delta: text });
    const { message, events } = decode(make, [
      item("added", 0, { type: "reasoning", id: "rs" }),
      delta("one"),
      { type: "response.reasoning_summary_part.done", output_index: 0 },
      delta("two"),
      { type: "response.reasoning_summary_part.done", output_index: 0 },
      item("done", 0, reasoning),
      end({ output: [{ ...reasoning, encrypted_content: "ENC" }] }),
    ]);
    expect(message.content).toEqual([
      {
        type: "thinking",
        thinking: "one\n\ntwo",
        thinkingSignature: JSON.stringify({ ...reasoning, encrypted_content: "ENC" }),
      },
    ]);
    expect(events.filter((type) => type === "thinking_delta")).toHaveLength(2);
  });

  test("text with its id and phase, refusals included", () => {
    const { message } = decode(make, [
      item("added", 0, { type: "message", id: "msg" }),
      { type: "response.refusal.delta", output_index: 0, delta: "No" },
      item("done", 0, {
        type: "message",
        id: "msg",
        phase: "final_answer",
        content: [{ type: "refusal", refusal: "No" }],
      }),
      end(),
    ]);
    expect(message.content).toEqual([
      { type: "text", text: "No", textSignature: '{"v":1,"id":"msg","phase":"final_answer"}' },
    ]);
    expect(message).toMatchObject({ stopReason: "stop", rawStopReason: "completed", responseId: "r" });
  });

  test("a call whose arguments come only at the end", () => {
    const call = { type: "function_call", id: "fc_1", call_id: "c", name: "t" };
    const { message } = decode(make, [
      item("added", 0, call),
      { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"a":1}' },
      item("done", 0, { ...call, arguments: '{"a":1}' }),
      end(),
    ]);
    expect(message).toMatchObject({ stopReason: "toolUse", content: [{ id: "c|fc_1", arguments: { a: 1 } }] });
  });

  test("a call whose id comes, or changes, at the end", () => {
    const call = { type: "function_call", name: "t", arguments: "{}" };
    const ends = (from: object, to: object) => {
      const wire = [item("added", 0, { ...call, ...from }), item("done", 0, { ...call, ...to }), end()];
      const [block] = decode(make, wire).message.content;
      return block?.type === "toolCall" ? block.id : undefined;
    };
    expect(ends({}, { call_id: "c", id: "fc_1" })).toBe("c|fc_1");
    expect(ends({ call_id: "c", id: "fc_1" }, { call_id: "c", id: "fc_2" })).toBe("c|fc_2");
    expect(ends({ call_id: "c", id: "fc_1" }, {})).toBe("c|fc_1");
  });

  test("a call that never ends", () => {
    const call = { type: "function_call", id: "fc_1", call_id: "c", name: "t", arguments: "" };
    expect(decode(make, [item("added", 0, call), end()]).error).toBe(
      "OpenAI Responses stream completed with an unfinished tool call: t (c|fc_1)",
    );
    const cut = {
      type: "response.incomplete",
      response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
    };
    const { message, error } = decode(make, [item("added", 0, call), cut]);
    expect([message.stopReason, message.rawStopReason, error]).toEqual([
      "length",
      "incomplete.max_output_tokens",
      undefined,
    ]);
  });

  test.each([
    [{ type: "error", code: "rl", message: "slow" }, "Error Code rl: slow"],
    [{ type: "response.failed", response: { error: { code: "server_error", message: "m" } } }, "server_error: m"],
    [{ type: "response.failed", response: { incomplete_details: { reason: "r" } } }, "incomplete: r"],
    [{ type: "response.failed", response: {} }, "Unknown error (no error details in response)"],
    [
      {
        type: "response.incomplete",
        response: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
      },
      "Response incomplete: content_filter",
    ],
    [{ type: "response.created", response: {} }, "OpenAI Responses stream ended before a terminal response event"],
  ])("%j", (event, text) => {
    expect(decode(make, [event]).error).toBe(text);
  });

  test.each([
    ["flex", 1],
    ["priority", 4],
    ["fast", 4],
    ["default", 2],
  ])("service tier %s", (service_tier, total) => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    expect(decode(make, [end({ usage, service_tier })]).message.usage.cost.total).toBe(total);
  });
});
