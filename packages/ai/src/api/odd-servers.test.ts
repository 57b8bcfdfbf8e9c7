import { describe, expect, test } from "vitest";
import { AssistantMessageBuilder } from "../assistant-message-builder.js";
import { AssistantMessageEventStream } from "../event-stream.js";
import type { AssistantMessage, Model } from "../types.js";
import { AnthropicDecoder } from "./anthropic/anthropic-decoder.js";
import { MistralDecoder } from "./mistral/mistral-decoder.js";
import { CompletionsDecoder } from "./openai-completions/completions-decoder.js";
import { ResponsesDecoder } from "./openai-responses/responses-decoder.js";
import type { StreamDecoder } from "./run-request.js";

/** Servers that do not keep to the protocol: nothing they say is lost without a word. */

const model = { id: "m", provider: "p", api: "x", cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } } as Model;

const decoders: Record<string, (builder: AssistantMessageBuilder) => StreamDecoder> = {
  anthropic: (builder) => new AnthropicDecoder(builder),
  completions: (builder) => new CompletionsDecoder(builder, model, true),
  responses: (builder) => new ResponsesDecoder(builder, model),
  mistral: (builder) => new MistralDecoder(builder),
};

function decoded(api: string, wire: object[]): AssistantMessage {
  const builder = new AssistantMessageBuilder(model, new AssistantMessageEventStream());
  const decoder = decoders[api]?.(builder);
  for (const value of wire) if (decoder?.take({ event: undefined, data: JSON.stringify(value) })) break;
  decoder?.finish();
  return builder.message;
}

const short = ({ content }: AssistantMessage): unknown[] =>
  content.map((block) => {
    if (block.type === "text") return block.text;
    return block.type === "thinking" ? `(${block.thinking})` : [block.name, block.arguments];
  });

const chunk = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const whole = (message: object) => ({ choices: [{ index: 0, message, finish_reason: "stop" }] });
const call = (fields: object, name?: string, args?: unknown) => ({ ...fields, function: { name, arguments: args } });
const calls = (...list: object[]) => chunk({ tool_calls: list });
const anthropic = (...events: object[]) => [
  { type: "message_start", message: {} },
  ...events,
  { type: "message_delta", delta: { stop_reason: "end_turn" } },
  { type: "message_stop" },
];
const responses = (events: object[], output?: object[]) => [
  ...events,
  { type: "response.completed", response: { status: "completed", output } },
];
const message = (text: string) => ({ type: "message", id: "m", content: [{ type: "output_text", text }] });
const functionCall = { type: "function_call", id: "fc_1", call_id: "c", name: "read" };

const cases: [string, string, object[], unknown[]][] = [
  ["completions", "text in parts", [chunk({ content: [{ type: "text", text: "X" }] }), chunk({}, "stop")], ["X"]],
  ["completions", "a whole message", [whole({ content: "X" })], ["X"]],
  [
    "completions",
    "a whole message with calls",
    [whole({ content: "X", tool_calls: [call({ id: "a" }, "read", "{}"), call({ id: "b" }, "ls", "{}")] })],
    ["X", ["read", {}], ["ls", {}]],
  ],
  ["completions", "pieces, and then all again", [chunk({ content: "X" }), whole({ content: "X" })], ["X"]],
  ["completions", "a refusal", [chunk({ refusal: "No" }), chunk({}, "stop")], ["No"]],
  ["mistral", "a whole message", [whole({ content: "X" })], ["X"]],
  [
    "anthropic",
    "text without a beginning",
    anthropic({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "X" } }),
    ["X"],
  ],
  [
    "anthropic",
    "text in a block of an unknown kind",
    anthropic(
      { type: "content_block_start", index: 0, content_block: { type: "zzz" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "X" } },
    ),
    ["X"],
  ],
  [
    "anthropic",
    "thinking and text in one block",
    anthropic(
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "T" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "X" } },
    ),
    ["(T)", "X"],
  ],
  [
    "anthropic",
    "arguments of a server's own tool",
    anthropic(
      { type: "content_block_start", index: 0, content_block: { type: "server_tool_use", name: "search" } },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: "{}" } },
    ),
    [],
  ],
  [
    "responses",
    "text without an item",
    responses([{ type: "response.output_text.delta", output_index: 0, delta: "X" }]),
    ["X"],
  ],
  [
    "responses",
    "text without an item, and then a call with its number",
    responses([
      { type: "response.output_text.delta", output_index: 0, delta: "X" },
      { type: "response.output_item.done", output_index: 0, item: { ...functionCall, arguments: "{}" } },
    ]),
    ["X", ["read", {}]],
  ],
  ["responses", "all at the end", responses([], [message("X"), functionCall]), ["X", ["read", {}]]],
  [
    "responses",
    "all again at the end",
    responses([{ type: "response.output_item.done", output_index: 0, item: message("X") }], [message("X")]),
    ["X"],
  ],
  [
    "responses",
    "arguments as objects",
    responses([
      { type: "response.output_item.added", output_index: 0, item: functionCall },
      { type: "response.function_call_arguments.delta", output_index: 0, delta: { a: 1 } },
      { type: "response.function_call_arguments.done", output_index: 0, arguments: { a: 1 } },
      { type: "response.output_item.done", output_index: 0, item: { ...functionCall, arguments: { a: 1 } } },
    ]),
    [["read", { a: 1 }]],
  ],
];

test.each(cases)("%s: %s", (api, _what, wire, expected) => {
  expect(short(decoded(api, wire))).toEqual(expected);
});

test.each<[string, object[], string]>([
  [
    "anthropic",
    anthropic({ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: "{}" } }),
    "Anthropic stream sent arguments of a tool call that it did not begin",
  ],
  [
    "responses",
    responses([{ type: "response.function_call_arguments.delta", output_index: 0, delta: "{}" }]),
    "OpenAI Responses stream sent arguments of a tool call that it did not begin",
  ],
  ["responses", [{ type: "error", error: { message: "boo" } }], "Provider error: boo"],
  ["responses", [{ type: "error", code: 5, message: "boo" }], "Error Code 5: boo"],
  ["responses", [{ type: "error" }], "Error Code error: the server did not say what is wrong"],
])("%s: %j is an error", (api, wire, text) => {
  expect(() => decoded(api, wire)).toThrow(text);
});

describe.each(["completions", "mistral"])("%s: pieces of calls that lack what says whose they are", (api) => {
  const halves = ['{"a":', "1}"] as const;
  test.each<[string, object[], unknown[]]>([
    ["no index, no id", [calls(call({ id: "a" }, "read", halves[0])), calls(call({}, undefined, halves[1]))], ["read"]],
    [
      "null",
      [
        calls(call({ index: null, id: "a" }, "read", halves[0])),
        calls(call({ index: null, id: null }, undefined, halves[1])),
      ],
      ["read"],
    ],
    [
      "after the first of two with numbers",
      [
        calls(call({ index: 0, id: "a" }, "ls", '{"a":1}')),
        calls(call({ index: 1, id: "b" }, "read", halves[0])),
        calls(call({}, undefined, halves[1])),
      ],
      ["ls", "read"],
    ],
    [
      "after two without numbers",
      [
        calls(call({ id: "a" }, "ls", '{"a":1}')),
        calls(call({ id: "b" }, "read", halves[0])),
        calls(call({}, undefined, halves[1])),
      ],
      ["ls", "read"],
    ],
  ])("%s", (_what, wire, names) => {
    const content = short(decoded(api, [...wire, chunk({}, "tool_calls")]));
    expect(content).toEqual(names.map((name) => [name, { a: 1 }]));
  });
});

test("completions: the id alone, or a number that comes late, says whose a piece is", () => {
  const begin = [
    calls(call({ index: 0, id: "a" }, "read", '{"a":')),
    calls(call({ index: 1, id: "b" }, "ls", '{"a":1}')),
  ];
  const byId = decoded("completions", [...begin, calls(call({ id: "a" }, undefined, "1}")), chunk({}, "tool_calls")]);
  expect(short(byId)).toEqual([
    ["read", { a: 1 }],
    ["ls", { a: 1 }],
  ]);
  const late = [calls(call({ id: "a" }, "read", '{"a":')), calls(call({ index: 0 }, undefined, "1}"))];
  expect(short(decoded("completions", [...late, chunk({}, "tool_calls")]))).toEqual([["read", { a: 1 }]]);
});
