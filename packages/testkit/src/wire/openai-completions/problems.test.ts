import { problemTable } from "../../../test/problem-tables.js";
import { findProblems } from "./problems.js";

const call = (id: string) => ({ id, type: "function", function: { name: "read", arguments: '{"path":"a"}' } });

const body = {
  model: "m",
  stream: true,
  max_completion_tokens: 100,
  tools: [{ type: "function", function: { name: "read", parameters: { type: "object", properties: {} } } }],
  messages: [
    { role: "developer", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: "hi" }] },
    { role: "assistant", content: null, reasoning_content: "hm", tool_calls: [call("call_1"), call("call_2")] },
    { role: "tool", tool_call_id: "call_2", content: "" },
    { role: "tool", tool_call_id: "call_1", content: "x", name: "read" },
    { role: "user", content: "go on" },
  ],
};

const strict = (parameters: object) => (b: typeof body) =>
  Object.assign(b, { tools: [{ type: "function", function: { name: "read", strict: true, parameters } }] });

problemTable({ body, findProblems }, [
  ["no model", (b) => delete b.model, /must provide a model/],
  ["not streaming", (b) => delete b.stream, /'stream' must be true/],
  [
    "both limits",
    (b) => Object.assign(b, { max_tokens: 5 }),
    /'max_tokens' and 'max_completion_tokens' at the same time/,
  ],
  ["limit 0", (b) => Object.assign(b, { max_completion_tokens: 0 }), /integer below minimum value/],
  ["no messages", (b) => Object.assign(b, { messages: [] }), /Invalid 'messages': empty array/],
  ["messages missing", (b) => delete b.messages, /Missing required parameter: 'messages'/],
  ["unknown role", (b) => b.messages.push({ role: "toolResult", content: "x" }), /Invalid value: 'toolResult'/],
  [
    "empty user message",
    (b) => Object.assign(b.messages[5], { content: "" }),
    /Invalid 'messages\[5\]\.content': empty string/,
  ],
  ["no parts", (b) => Object.assign(b.messages[1], { content: [] }), /Invalid 'messages\[1\]\.content': empty array/],
  [
    "empty text part",
    (b) => Object.assign(b.messages[1].content[0], { text: "" }),
    /content\[0\]\.text': empty string/,
  ],
  [
    "unknown part",
    (b) => Object.assign(b.messages[1].content[0], { type: "input_text" }),
    /Invalid value: 'input_text'/,
  ],
  [
    "assistant that says nothing",
    (b) => b.messages.push({ role: "assistant", content: null }),
    /expected a string, got null/,
  ],
  ["call with empty content", (b) => Object.assign(b.messages[2], { content: "" }), undefined],
  [
    "image of the user",
    (b) => b.messages[1].content.push({ type: "image_url", image_url: { url: "data:image/png;base64,aW1n" } }),
    undefined,
  ],
  [
    "image that is no data URL",
    (b) => b.messages[1].content.push({ type: "image_url", image_url: { url: "aW1n" } }),
    /Expected a base64-encoded data URL/,
  ],
  [
    "image of a tool",
    (b) => Object.assign(b.messages[3], { content: [{ type: "image_url", image_url: { url: "https://x/y.png" } }] }),
    /only allowed for messages with role 'user'/,
  ],
  ["missing result", (b) => b.messages.splice(3, 1), /did not have response messages: call_2/],
  ["missing results at the end", (b) => b.messages.splice(3), /did not have response messages: call_1, call_2/],
  [
    "user between call and results",
    (b) => b.messages.splice(3, 0, { role: "user", content: "x" }),
    /did not have response messages: call_1, call_2/,
  ],
  [
    "result without a call",
    (b) => b.messages.push({ role: "tool", tool_call_id: "call_1", content: "x" }),
    /must be a response to a preceeding message/,
  ],
  [
    "two results for a call",
    (b) => b.messages.splice(5, 0, b.messages[4]),
    /must be a response to a preceeding message/,
  ],
  [
    "arguments as an object",
    (b) => Object.assign(b.messages[2].tool_calls[0].function, { arguments: {} }),
    /function\.arguments': expected a string, but got an object/,
  ],
  [
    "arguments that are no object",
    (b) => Object.assign(b.messages[2].tool_calls[0].function, { arguments: "{" }),
    /expected the JSON text of an object/,
  ],
  [
    "long id",
    (b) => {
      b.messages[2].tool_calls[0].id = "c".repeat(41);
      b.messages[4].tool_call_id = "c".repeat(41);
    },
    /maximum length 40, but got a string with length 41/,
  ],
  [
    "id of 40",
    (b) => {
      b.messages[2].tool_calls[0].id = "c".repeat(40);
      b.messages[4].tool_call_id = "c".repeat(40);
    },
    undefined,
  ],
  [
    "duplicate ids",
    (b) => Object.assign(b.messages[2].tool_calls[1], { id: "call_1" }),
    /Duplicate tool call id 'call_1'/,
  ],
  ["call without a type", (b) => delete b.messages[2].tool_calls[0].type, /tool_calls\[0\]\.type'/],
  ["no calls", (b) => Object.assign(b.messages[2], { content: "x", tool_calls: [] }), /tool_calls': empty array/],
  [
    "tool without a function",
    (b) => Object.assign(b.tools[0], { function: undefined, name: "read" }),
    /Missing required parameter: 'tools\[0\]\.function'/,
  ],
  ["tool without a name", (b) => delete b.tools[0].function.name, /'tools\[0\]\.function\.name'/],
  ["odd tool name", (b) => Object.assign(b.tools[0].function, { name: "a b" }), /does not match pattern/],
  [
    "schema of no object",
    (b) => Object.assign(b.tools[0].function, { parameters: {} }),
    /Invalid schema for function 'read': schema must be/,
  ],
  ["no tools but a history", (b) => Object.assign(b, { tools: [] }), undefined],
  ["duplicate tools", (b) => b.tools.push(b.tools[0]), /must be unique: 'read'/],
  [
    "strict",
    strict({
      type: "object",
      properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } },
      required: ["a"],
      additionalProperties: false,
    }),
    undefined,
  ],
  ["strict and open", strict({ type: "object", properties: {}, required: [] }), /'additionalProperties' is required/],
  [
    "strict and optional",
    strict({ type: "object", properties: { a: { type: "string" } }, required: [], additionalProperties: false }),
    /Missing 'a'/,
  ],
  [
    "strict and open inside",
    strict({
      type: "object",
      properties: { a: { type: "array", items: { type: "object", properties: {} } } },
      required: ["a"],
      additionalProperties: false,
    }),
    /In context=\('properties', 'a', 'items'\), 'additionalProperties'/,
  ],
  [
    "strict with an untyped node",
    strict({ type: "object", properties: { a: {} }, required: ["a"], additionalProperties: false }),
    /must have a 'type' key/,
  ],
  [
    "strict with oneOf",
    strict({
      type: "object",
      properties: { a: { type: "string", oneOf: [] } },
      required: ["a"],
      additionalProperties: false,
    }),
    /'oneOf' is not permitted/,
  ],
]);
