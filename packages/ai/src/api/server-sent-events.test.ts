import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AssistantMessageBuilder } from "../assistant-message-builder.js";
import { AssistantMessageEventStream } from "../event-stream.js";
import type { HttpResponse } from "../http.js";
import type { AssistantMessage, Model } from "../types.js";
import { AnthropicDecoder } from "./anthropic/anthropic-decoder.js";
import { GoogleDecoder } from "./google/google-decoder.js";
import { MistralDecoder } from "./mistral/mistral-decoder.js";
import { CompletionsDecoder } from "./openai-completions/completions-decoder.js";
import { ResponsesDecoder } from "./openai-responses/responses-decoder.js";
import type { StreamDecoder } from "./run-request.js";
import { readServerSentEvents, type ServerSentEvent } from "./server-sent-events.js";

function response(pieces: Uint8Array[]): HttpResponse {
  return {
    status: 200,
    headers: {},
    read: async () => pieces.shift(),
    finish: () => undefined,
    close: () => undefined,
  };
}

/** The bytes in pieces of the given sizes, over and over. */
function split(text: string, sizes: readonly number[]): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  const pieces: Uint8Array[] = [];
  for (let start = 0, turn = 0; start < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(bytes.subarray(start, start + size));
    start += size;
  }
  return pieces;
}

async function events(pieces: Uint8Array[]): Promise<ServerSentEvent[]> {
  const seen: ServerSentEvent[] = [];
  await readServerSentEvents(response(pieces), (event) => {
    seen.push(event);
    return false;
  });
  return seen;
}

const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 12 });
const newline = fc.constantFrom("\n", "\r\n", "\r");
const line = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n]/g, "").trim());
const wellFormed = (text: string): boolean => new TextDecoder().decode(new TextEncoder().encode(text)) === text;

describe("readServerSentEvents", () => {
  test("any split of the bytes and any line end give the same events", async () => {
    const event = fc.record({
      event: fc.option(fc.constantFrom("a", "message"), { nil: undefined }),
      lines: fc.array(line.filter(wellFormed), { minLength: 1, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 6 }), newline, sizes, async (list, end, cuts) => {
        const text = list
          .map(({ event: name, lines }) => {
            const head = name === undefined ? [": comment"] : [`event: ${name}`, "id: 1"];
            return [...head, ...lines.map((data) => `data: ${data}`), "", ""].join(end);
          })
          .join("");
        const expected = list.map(({ event: name, lines }) => ({ event: name, data: lines.join("\n") }));
        expect(await events(split(text, cuts))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test("the last event needs no blank line, and unknown fields are ignored", async () => {
    expect(await events(split("nonsense\nfoo: 1\n\ndata: a\n\ndata: b", [3]))).toEqual([
      { event: undefined, data: "a" },
      { event: undefined, data: "b" },
    ]);
  });

  test("stops at the last event, and hands on what a handler throws", async () => {
    const seen: string[] = [];
    await readServerSentEvents(response(split("data: a\n\ndata: b\n\n", [100])), ({ data }) => seen.push(data) > 0);
    expect(seen).toEqual(["a"]);
    const failing = readServerSentEvents(response(split("data: a\n\n", [100])), () => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
  });
});

const model: Model = {
  id: "m",
  name: "M",
  api: "x",
  provider: "p",
  baseUrl: "",
  reasoning: true,
  input: ["text"],
  cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
  contextWindow: 1000,
  maxTokens: 100,
};

async function decode(
  make: (builder: AssistantMessageBuilder) => StreamDecoder,
  pieces: Uint8Array[],
): Promise<Partial<AssistantMessage>> {
  const builder = new AssistantMessageBuilder(model, new AssistantMessageEventStream());
  const decoder = make(builder);
  await readServerSentEvents(response(pieces), (event) => decoder.take(event));
  decoder.finish();
  const { timestamp: _, durationMs: __, ...rest } = builder.message;
  return rest;
}

const sse = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** The same answer in each wire format, in pieces of the given sizes. */
const formats: [
  string,
  (builder: AssistantMessageBuilder) => StreamDecoder,
  (text: string, args: string, cut: number) => string,
][] = [
  [
    "anthropic",
    (builder) => new AnthropicDecoder(builder),
    (text, args, cut) =>
      [
        sse("message_start", { message: { id: "r", model: "m", usage: { input_tokens: 3, output_tokens: 1 } } }),
        sse("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
        ...chunks(text, cut).map((piece) =>
          sse("content_block_delta", { index: 0, delta: { type: "text_delta", text: piece } }),
        ),
        sse("content_block_stop", { index: 0 }),
        sse("content_block_start", { index: 1, content_block: { type: "tool_use", id: "c", name: "t", input: {} } }),
        ...chunks(args, cut).map((piece) =>
          sse("content_block_delta", { index: 1, delta: { type: "input_json_delta", partial_json: piece } }),
        ),
        sse("content_block_stop", { index: 1 }),
        sse("message_delta", { delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } }),
        sse("message_stop", {}),
      ].join(""),
  ],
  [
    "completions",
    (builder) => new CompletionsDecoder(builder, model, true),
    (text, args, cut) => {
      const chunk = (delta: object, finish_reason: string | null = null): string =>
        data({ id: "r", model: "m", choices: [{ index: 0, delta, finish_reason }] });
      const call = (fields: object): string => chunk({ tool_calls: [{ index: 0, ...fields }] });
      return [
        ...chunks(text, cut).map((content) => chunk({ content })),
        call({ id: "c", type: "function", function: { name: "t", arguments: "" } }),
        ...chunks(args, cut).map((piece) => call({ function: { arguments: piece } })),
        chunk({}, "tool_calls"),
        data({ id: "r", choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } }),
        "data: [DONE]\n\n",
      ].join("");
    },
  ],
  [
    "responses",
    (builder) => new ResponsesDecoder(builder, model),
    (text, args, cut) => {
      const call = { type: "function_call", id: "fc_1", call_id: "c", name: "t" };
      return [
        sse("response.created", { response: { id: "r", model: "m" } }),
        sse("response.output_item.added", { output_index: 0, item: { type: "message", id: "msg" } }),
        ...chunks(text, cut).map((delta) => sse("response.output_text.delta", { output_index: 0, delta })),
        sse("response.output_item.done", {
          output_index: 0,
          item: { type: "message", id: "msg", content: [{ text }] },
        }),
        sse("response.output_item.added", { output_index: 1, item: { ...call, arguments: "" } }),
        ...chunks(args, cut).map((delta) => sse("response.function_call_arguments.delta", { output_index: 1, delta })),
        sse("response.output_item.done", { output_index: 1, item: { ...call, arguments: args } }),
        sse("response.completed", { response: { status: "completed", usage: { input_tokens: 3, output_tokens: 5 } } }),
      ].join("");
    },
  ],
  [
    "google",
    (builder) => new GoogleDecoder(builder),
    (text, args, cut) => {
      const chunk = (part: object, fields: object = {}): string =>
        data({ responseId: "r", modelVersion: "m", candidates: [{ content: { parts: [part] }, ...fields }] });
      return [
        ...chunks(text, cut).map((piece) => chunk({ text: piece })),
        chunk({ functionCall: { id: "c", name: "t", args: JSON.parse(args) } }, { finishReason: "STOP" }),
        data({ usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 5, totalTokenCount: 8 } }),
      ].join("");
    },
  ],
  [
    "mistral",
    (builder) => new MistralDecoder(builder),
    (text, args, cut) => {
      const chunk = (delta: object, finish_reason: string | null = null): string =>
        data({ id: "r", model: "m", choices: [{ index: 0, delta, finish_reason }] });
      const call = (piece: string): string =>
        chunk({ tool_calls: [{ index: 0, id: "c12345678", function: { name: "t", arguments: piece } }] });
      return [
        ...chunks(text, cut).map((content) => chunk({ content })),
        ...chunks(args, cut).map(call),
        chunk({}, "tool_calls"),
        data({ id: "r", choices: [], usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 } }),
        "data: [DONE]\n\n",
      ].join("");
    },
  ],
];

function chunks(text: string, size: number): string[] {
  const result: string[] = [];
  for (let start = 0; start < text.length; start += size) result.push(text.slice(start, start + size));
  return result;
}

describe.each(formats)("%s: any split of any stream gives the same message", (_name, make, render) => {
  test("", async () => {
    const args = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })).map((value) => JSON.stringify(value));
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1 }),
        args,
        fc.integer({ min: 1, max: 9 }),
        sizes,
        async (text, json, cut, cuts) => {
          const stream = render(text, json, cut);
          const message = await decode(make, split(stream, cuts));
          expect(message).toEqual(await decode(make, split(stream, [stream.length * 4])));
          expect(message).toMatchObject({ stopReason: "toolUse", usage: { input: 3, output: 5, totalTokens: 8 } });
          expect(message.content?.[0]).toMatchObject({ type: "text", text });
          expect(JSON.stringify(message.content?.[1])).toContain(JSON.stringify(JSON.parse(json)));
        },
      ),
      { numRuns: 100 },
    );
  });
});
