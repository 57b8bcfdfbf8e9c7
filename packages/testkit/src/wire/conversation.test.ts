import { describe, expect, test } from "vitest";
import type { SeenConversation, WireApi } from "../types.js";
import { wires } from "./wires.js";

const schema = { type: "object", properties: {} };
const image = "data:image/png;base64,aW1n";

/** The same conversation, as each provider wants it told. */
const told: Record<WireApi, Record<string, unknown>> = {
  "anthropic-messages": {
    system: [{ type: "text", text: "Be brief." }],
    tools: [{ name: "read", description: "Reads", input_schema: schema }],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "hi" },
          { type: "image", source: {} },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "text", text: "Let me see" },
          { type: "tool_use", id: "c1", name: "read", input: { path: "a" } },
          { type: "tool_use", id: "c2", name: "read", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "c1",
            content: [
              { type: "text", text: "A" },
              { type: "image", source: {} },
            ],
          },
          { type: "tool_result", tool_use_id: "c2", content: "B" },
        ],
      },
    ],
  },
  "openai-completions": {
    tools: [{ type: "function", function: { name: "read", description: "Reads", parameters: schema } }],
    messages: [
      { role: "developer", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "hi" },
          { type: "image_url", image_url: { url: image } },
        ],
      },
      {
        role: "assistant",
        content: "Let me see",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
          { id: "c2", type: "function", function: { name: "read", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "A" },
      { role: "tool", tool_call_id: "c2", content: "B" },
    ],
  },
  "openai-responses": {
    tools: [{ type: "function", name: "read", description: "Reads", parameters: schema }],
    input: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "input_text", text: "hi" },
          { type: "input_image", image_url: image },
        ],
      },
      { type: "reasoning", id: "rs_1", summary: [] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Let me see" }] },
      { type: "function_call", call_id: "c1", name: "read", arguments: '{"path":"a"}' },
      { type: "function_call", call_id: "c2", name: "read", arguments: "{}" },
      {
        type: "function_call_output",
        call_id: "c1",
        output: [
          { type: "input_text", text: "A" },
          { type: "input_image", image_url: image },
        ],
      },
      { type: "function_call_output", call_id: "c2", output: "B" },
    ],
  },
  "google-generative-ai": {
    systemInstruction: { parts: [{ text: "Be brief." }] },
    tools: [{ functionDeclarations: [{ name: "read", description: "Reads", parametersJsonSchema: schema }] }],
    contents: [
      { role: "user", parts: [{ text: "hi" }, { inlineData: {} }] },
      {
        role: "model",
        parts: [
          { text: "hm", thought: true },
          { text: "Let me see" },
          { functionCall: { id: "c1", name: "read", args: { path: "a" } } },
          { functionCall: { id: "c2", name: "read", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "c1", name: "read", response: { output: "A" }, parts: [{ inlineData: {} }] } },
          { functionResponse: { id: "c2", name: "read", response: { output: "B" } } },
        ],
      },
    ],
  },
  "mistral-conversations": {
    tools: [{ type: "function", function: { name: "read", description: "Reads", parameters: schema } }],
    messages: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "hi" },
          { type: "image_url", image_url: image },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
          { type: "text", text: "Let me see" },
        ],
        tool_calls: [
          { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
          { id: "c2", type: "function", function: { name: "read", arguments: "{}" } },
        ],
      },
      {
        role: "tool",
        tool_call_id: "c1",
        name: "read",
        content: [
          { type: "text", text: "A" },
          { type: "image_url", image_url: image },
        ],
      },
      { role: "tool", tool_call_id: "c2", name: "read", content: [{ type: "text", text: "B" }] },
    ],
  },
  "bedrock-converse-stream": {
    system: [{ text: "Be brief." }, { cachePoint: { type: "default" } }],
    toolConfig: { tools: [{ toolSpec: { name: "read", description: "Reads", inputSchema: { json: schema } } }] },
    messages: [
      { role: "user", content: [{ text: "hi" }, { image: { format: "png", source: { bytes: "aW1n" } } }] },
      {
        role: "assistant",
        content: [
          { reasoningContent: { reasoningText: { text: "hm", signature: "s" } } },
          { text: "Let me see" },
          { toolUse: { toolUseId: "c1", name: "read", input: { path: "a" } } },
          { toolUse: { toolUseId: "c2", name: "read", input: {} } },
        ],
      },
      {
        role: "user",
        content: [
          {
            toolResult: {
              toolUseId: "c1",
              status: "success",
              content: [{ text: "A" }, { image: { format: "png", source: { bytes: "aW1n" } } }],
            },
          },
          { toolResult: { toolUseId: "c2", status: "success", content: [{ text: "B" }] } },
        ],
      },
    ],
  },
};

const results = (images: number) => [
  { callId: "c1", name: "read", text: "A", images, isError: false },
  { callId: "c2", name: "read", text: "B", images: 0, isError: false },
];

const seen = (images: number): SeenConversation => ({
  system: "Be brief.",
  tools: [{ name: "read", description: "Reads", parameters: schema }],
  turns: [
    { role: "user", text: "hi", images: 1 },
    {
      role: "assistant",
      text: "Let me see",
      toolCalls: [
        { id: "c1", name: "read", arguments: { path: "a" } },
        { id: "c2", name: "read", arguments: {} },
      ],
    },
    { role: "toolResults", results: results(images) },
  ],
  lastResults: results(images),
});

describe("readConversation", () => {
  test.each(Object.entries(told))("%s", (api, body) => {
    const images = api === "openai-completions" ? 0 : 1;
    expect(wires[api as WireApi].readConversation(body)).toEqual(seen(images));
  });

  test.each(Object.values(wires))("$api reads anything without an exception", (wire) => {
    for (const junk of [null, 1, "x", [null], [{}], [{ content: 1, parts: 2, role: 3 }]]) {
      expect(() =>
        wire.readConversation({ messages: junk, input: junk, contents: junk, tools: junk, system: junk }),
      ).not.toThrow();
    }
  });

  test("has no last results when the user spoke last", () => {
    const { messages } = told["openai-completions"] as { messages: object[] };
    const body = { messages: [...messages, { role: "user", content: "stop" }] };
    expect(wires["openai-completions"].readConversation(body).lastResults).toEqual([]);
  });

  test("gives images that travel behind the results to the result", () => {
    const { messages } = told["openai-completions"] as { messages: object[] };
    const carrier = {
      role: "user",
      content: [
        { type: "text", text: "Attached image(s) from tool result:" },
        { type: "image_url", image_url: { url: image } },
      ],
    };
    const { lastResults } = wires["openai-completions"].readConversation({ messages: [...messages, carrier] });
    expect(lastResults.map((result) => result.images)).toEqual([0, 1]);
  });

  test("reads errors where the wire format has them", () => {
    const anthropic = wires["anthropic-messages"].readConversation({
      messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "E", is_error: true }] }],
    });
    const google = wires["google-generative-ai"].readConversation({
      contents: [{ role: "user", parts: [{ functionResponse: { name: "read", response: { error: "E" } } }] }],
    });
    expect([anthropic, google].map(({ lastResults }) => lastResults[0])).toMatchObject([
      { text: "E", isError: true },
      { text: "E", isError: true },
    ]);
  });

  test("pairs calls without ids by their order", () => {
    const { turns } = wires["google-generative-ai"].readConversation({
      contents: [
        { role: "model", parts: [{ functionCall: { name: "a" } }, { functionCall: { name: "b" } }] },
        {
          role: "user",
          parts: [{ functionResponse: { name: "a", response: {} } }, { functionResponse: { name: "b", response: {} } }],
        },
      ],
    });
    expect(turns).toMatchObject([
      { toolCalls: [{ id: "a_0_0" }, { id: "b_0_1" }] },
      { results: [{ callId: "a_0_0" }, { callId: "b_0_1" }] },
    ]);
  });
});
