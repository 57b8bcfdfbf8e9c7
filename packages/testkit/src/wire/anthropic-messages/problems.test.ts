import { expect, test } from "vitest";
import { problemTable } from "../../../test/problem-tables.js";
import { IssuedLedger } from "../../issued.js";
import { findProblems } from "./problems.js";

const body = {
  model: "m",
  max_tokens: 4096,
  stream: true,
  system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
  thinking: { type: "enabled", budget_tokens: 1024 },
  tools: [{ name: "read", description: "Reads", input_schema: { type: "object", properties: {} } }],
  messages: [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "c2lnMQ==" },
        { type: "text", text: "Let me see" },
        { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a" } },
        { type: "tool_use", id: "toolu_2", name: "read", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_1", content: "", is_error: false },
        { type: "tool_result", tool_use_id: "toolu_2", content: [{ type: "text", text: "x" }], is_error: true },
        { type: "text", text: "go on", cache_control: { type: "ephemeral" } },
      ],
    },
  ],
};

const marker = { type: "ephemeral" };
const png = { type: "base64", media_type: "image/png", data: "aW1n" };

problemTable(
  {
    body,
    headers: { "anthropic-version": "2023-06-01" },
    issue: (issued) => {
      issued.issue("anthropic-messages", "c2lnMQ==", "hm");
      issued.issue("anthropic-messages", "ZGF0YQ==");
      issued.issue("google-generative-ai", "Zm9yZWlnbg==");
    },
    findProblems,
  },
  [
    ["no model", (b) => delete b.model, /^model: Field required/],
    ["not streaming", (b) => delete b.stream, /^stream: /],
    ["an unknown parameter", (b) => Object.assign(b, { maxTokens: 1 }), /^maxTokens: Extra inputs are not permitted/],
    ["no max_tokens", (b) => delete b.max_tokens, /^max_tokens: Field required/],
    [
      "max_tokens 0",
      (b) => Object.assign(b, { max_tokens: 0 }),
      /^max_tokens: Input should be greater than or equal to 1/,
    ],
    ["max_tokens 1.5", (b) => Object.assign(b, { max_tokens: 1.5 }), /^max_tokens: Input should be a valid integer/],
    ["budget below 1024", (b) => Object.assign(b.thinking, { budget_tokens: 1023 }), /greater than or equal to 1024/],
    ["budget = max_tokens", (b) => Object.assign(b.thinking, { budget_tokens: 4096 }), /`max_tokens` must be greater/],
    ["budget missing", (b) => delete b.thinking.budget_tokens, /budget_tokens: Field required/],
    ["adaptive thinking", (b) => Object.assign(b, { thinking: { type: "adaptive" } }), undefined],
    ["unknown thinking", (b) => Object.assign(b, { thinking: { type: "on" } }), /^thinking: Input tag/],
    ["temperature with thinking", (b) => Object.assign(b, { temperature: 0 }), /`temperature` may only be set to 1/],
    ["temperature without", (b) => Object.assign(b, { temperature: 0, thinking: { type: "disabled" } }), undefined],
    [
      "forced tool with thinking",
      (b) => Object.assign(b, { tool_choice: { type: "any" } }),
      /tool_choice forces tool use/,
    ],
    ["no messages", (b) => Object.assign(b, { messages: [] }), /at least one message/],
    ["assistant first", (b) => b.messages.shift(), /first message must use the "user" role/],
    ["unknown role", (b) => b.messages.push({ role: "tool", content: "x" }), /Unexpected role "tool"/],
    ["adjacent user messages", (b) => b.messages.unshift({ role: "user", content: "first" }), undefined],
    [
      "empty content",
      (b) => Object.assign(b.messages[0], { content: "" }),
      /^messages\.0: all messages must have non-empty/,
    ],
    [
      "no blocks",
      (b) => Object.assign(b.messages[0], { content: [] }),
      /^messages\.0: all messages must have non-empty/,
    ],
    ["blank text", (b) => Object.assign(b.messages[2].content[2], { text: " \n" }), /non-whitespace/],
    ["empty text", (b) => Object.assign(b.messages[2].content[2], { text: "" }), /must be non-empty/],
    [
      "empty text in a result",
      (b) => Object.assign(b.messages[2].content[1].content[0], { text: "" }),
      /must be non-empty/,
    ],
    ["empty system text", (b) => Object.assign(b.system[0], { text: "" }), /^system\.0: text content blocks/],
    [
      "foreign field",
      (b) => Object.assign(b.messages[1].content[1], { textSignature: "x" }),
      /textSignature: Extra inputs/,
    ],
    [
      "unknown block",
      (b) => (b.messages[0] = { role: "user", content: [{ type: "toolCall" }] }),
      /Input tag 'toolCall'/,
    ],
    [
      "error result without content",
      (b) => Object.assign(b.messages[2].content[1], { content: [] }),
      /cannot be empty if/,
    ],
    [
      "image in an error result",
      (b) => b.messages[2].content[1].content.push({ type: "image", source: png }),
      /all content must be type "text"/,
    ],
    [
      "image in a good result",
      (b) => Object.assign(b.messages[2].content[0], { content: [{ type: "image", source: png }] }),
      undefined,
    ],
    [
      "image of an unknown type",
      (b) => b.messages[2].content.push({ type: "image", source: { ...png, media_type: "image/bmp" } }),
      /media_type: Input should be/,
    ],
    [
      "missing result",
      (b) => b.messages[2].content.shift(),
      /were found without `tool_result` blocks immediately after: toolu_1\./,
    ],
    [
      "result behind text",
      (b) => b.messages[2].content.reverse(),
      /without `tool_result` blocks immediately after: toolu_1, toolu_2/,
    ],
    [
      "results one message late",
      (b) => b.messages.splice(2, 0, { role: "user", content: "wait" }),
      /without `tool_result`/,
    ],
    ["results at no time", (b) => b.messages.pop(), /without `tool_result` blocks/],
    [
      "result without a call",
      (b) => Object.assign(b.messages[2].content[0], { tool_use_id: "toolu_9" }),
      /unexpected `tool_use_id` found in `tool_result` blocks: toolu_9/,
    ],
    [
      "two results for a call",
      (b) => b.messages[2].content.unshift(b.messages[2].content[0]),
      /must have a single result/,
    ],
    [
      "duplicate ids",
      (b) => Object.assign(b.messages[1].content[3], { id: "toolu_1" }),
      /`tool_use` ids must be unique/,
    ],
    ["id with a pipe", (b) => Object.assign(b.messages[1].content[3], { id: "call|fc" }), /should match pattern/],
    [
      "input as text",
      (b) => Object.assign(b.messages[1].content[3], { input: "{}" }),
      /input: Input should be a valid dictionary/,
    ],
    [
      "foreign signature",
      (b) => Object.assign(b.messages[1].content[0], { signature: "Zm9yZWlnbg==" }),
      /Invalid `signature`/,
    ],
    ["altered thinking", (b) => Object.assign(b.messages[1].content[0], { thinking: "hm!" }), /cannot be modified/],
    ["no signature", (b) => delete b.messages[1].content[0].signature, /signature: Field required/],
    [
      "redacted thinking",
      (b) => b.messages[1].content.unshift({ type: "redacted_thinking", data: "ZGF0YQ==" }),
      undefined,
    ],
    [
      "foreign redacted thinking",
      (b) => b.messages[1].content.unshift({ type: "redacted_thinking", data: "eA==" }),
      /Invalid `data`/,
    ],
    [
      "thinking at the end",
      (b) => b.messages.push({ role: "assistant", content: [b.messages[1].content[0]] }),
      /final block in an assistant message cannot be `thinking`/,
    ],
    [
      "tool_use of the user",
      (b) => (b.messages[0] = { role: "user", content: [{ type: "tool_use", id: "t", name: "n", input: {} }] }),
      /can only be in `assistant` messages/,
    ],
    ["prefill", (b) => b.messages.push({ role: "assistant", content: "So" }), undefined],
    [
      "prefill with a trailing space",
      (b) => b.messages.push({ role: "assistant", content: "So " }),
      /trailing whitespace/,
    ],
    [
      "schema of no object",
      (b) => Object.assign(b.tools[0].input_schema, { type: "array" }),
      /input_schema.type: Input should be 'object'/,
    ],
    ["no schema", (b) => delete b.tools[0].input_schema, /input_schema: Field required/],
    ["duplicate tools", (b) => b.tools.push(b.tools[0]), /Tool names must be unique/],
    ["odd tool name", (b) => Object.assign(b.tools[0], { name: "read file" }), /name: String should match/],
    [
      "open strict schema",
      (b) => Object.assign(b.tools[0], { strict: true }),
      /'additionalProperties' must be explicitly set to false/,
    ],
    [
      "four markers",
      (b) => {
        b.tools[0].cache_control = marker;
        b.messages[2].content[0].cache_control = marker;
      },
      undefined,
    ],
    [
      "five markers",
      (b) => {
        b.tools[0].cache_control = marker;
        for (const block of b.messages[2].content) block.cache_control = marker;
      },
      /maximum of 4 blocks with cache_control may be provided. Found 5/,
    ],
    [
      "long marker behind a short one",
      (b) => Object.assign(b.messages[2].content[2], { cache_control: { ...marker, ttl: "1h" } }),
      /must not come after/,
    ],
  ],
);

test("asks for the version header", () => {
  const issued = new IssuedLedger("any");
  expect(findProblems({ body, headers: {}, model: "m", issued })).toEqual(["anthropic-version: header is required"]);
});
