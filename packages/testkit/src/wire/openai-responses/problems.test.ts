import { problemTable } from "../../../test/problem-tables.js";
import { findProblems } from "./problems.js";

const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "ENC1" };

const body = {
  model: "m",
  stream: true,
  store: false,
  max_output_tokens: 16,
  tools: [{ type: "function", name: "read", parameters: { type: "object", properties: {} } }],
  input: [
    { role: "developer", content: "Be brief." },
    { role: "user", content: [{ type: "input_text", text: "hi" }] },
    reasoning,
    { type: "function_call", id: "fc_1", call_id: "call_1", name: "read", arguments: "{}" },
    { type: "function_call", call_id: "call_2", name: "read", arguments: "{}" },
    { type: "function_call_output", call_id: "call_1", output: "" },
    { type: "function_call_output", call_id: "call_2", output: [{ type: "input_text", text: "x" }] },
    {
      type: "message",
      role: "assistant",
      id: "msg_1",
      status: "completed",
      content: [{ type: "output_text", text: "a", annotations: [] }],
    },
    { role: "user", content: "go on" },
  ],
};

problemTable(
  {
    body,
    issue: (issued) => {
      issued.issue("openai-responses", "ENC1");
      issued.issue("openai-responses", "rs_stored");
      issued.bind("fc_1", "rs_1");
    },
    findProblems,
  },
  [
    ["no model", (b) => delete b.model, /Missing required parameter: 'model'/],
    ["not streaming", (b) => delete b.stream, /'stream' must be true/],
    ["max_output_tokens 15", (b) => Object.assign(b, { max_output_tokens: 15 }), /Expected a value >= 16, but got 15/],
    ["Completions field", (b) => Object.assign(b, { max_tokens: 5 }), /Unsupported parameter: 'max_tokens'/],
    [
      "long cache key",
      (b) => Object.assign(b, { prompt_cache_key: "k".repeat(65) }),
      /'prompt_cache_key': string too long/,
    ],
    ["no input", (b) => delete b.input, /must be provided/],
    ["empty input", (b) => Object.assign(b, { input: [] }), /must be provided/],
    ["text input", (b) => Object.assign(b, { input: "hi" }), undefined],
    ["unknown item", (b) => b.input.push({ type: "tool_result" }), /Invalid value: 'tool_result'/],
    ["unknown role", (b) => b.input.push({ role: "tool", content: "x" }), /Invalid value: 'tool'/],
    ["empty content", (b) => b.input.push({ role: "user", content: [] }), /content': empty array/],
    [
      "input_text of the assistant",
      (b) => Object.assign(b.input[7].content[0], { type: "input_text" }),
      /Invalid value: 'input_text'/,
    ],
    [
      "output_text of the user",
      (b) => Object.assign(b.input[1].content[0], { type: "output_text" }),
      /Invalid value: 'output_text'/,
    ],
    ["call without output", (b) => b.input.splice(5, 1), /No tool output found for function call call_1/],
    [
      "output without call",
      (b) => b.input.splice(4, 1),
      /No tool call found for function call output with call_id call_2/,
    ],
    [
      "output before its call",
      (b) => b.input.unshift(b.input.splice(5, 1)[0]),
      /No tool call found for function call output with call_id call_1/,
    ],
    [
      "call id without fc_",
      (b) => Object.assign(b.input[4], { id: "call_2" }),
      /Invalid 'input\[4\]\.id': 'call_2'. Expected an ID that begins with 'fc'/,
    ],
    ["message id without msg_", (b) => Object.assign(b.input[7], { id: "x" }), /begins with 'msg'/],
    ["reasoning id without rs_", (b) => Object.assign(b.input[2], { id: "x_1" }), /begins with 'rs'/],
    [
      "long id",
      (b) => Object.assign(b.input[7], { id: `msg_${"x".repeat(61)}` }),
      /maximum length 64, but got a string with length 65/,
    ],
    ["long call_id", (b) => Object.assign(b.input[4], { call_id: "c".repeat(65) }), /call_id': string too long/],
    [
      "arguments as an object",
      (b) => Object.assign(b.input[4], { arguments: {} }),
      /arguments': expected a string, but got an object/,
    ],
    ["output missing", (b) => delete b.input[5].output, /output': expected one of an array of objects or string/],
    [
      "image output",
      (b) => b.input[6].output.push({ type: "input_image", image_url: "data:image/png;base64,aW1n" }),
      undefined,
    ],
    ["foreign reasoning", (b) => Object.assign(b.input[2], { encrypted_content: "ENC2" }), /could not be verified/],
    ["reasoning that was not stored", (b) => delete b.input[2].encrypted_content, /Item with id 'rs_1' not found/],
    ["stored reasoning", (b) => b.input.splice(7, 0, { type: "reasoning", id: "rs_stored", summary: [] }), undefined],
    ["reasoning alone", (b) => b.input.splice(3, 5), /without its required following item/],
    [
      "call without its reasoning",
      (b) => b.input.splice(2, 1),
      /'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'/,
    ],
    ["duplicate items", (b) => b.input.push(b.input[7]), /Duplicate item found with id msg_1/],
    [
      "nested function",
      (b) => Object.assign(b, { tools: [{ type: "function", function: { name: "read" } }] }),
      /Missing required parameter: 'tools\[0\]\.name'/,
    ],
    ["schema of no object", (b) => Object.assign(b.tools[0].parameters, { type: "string" }), /got 'type: "string"'/],
    ["strict and open", (b) => Object.assign(b.tools[0], { strict: true }), /'additionalProperties' is required/],
  ],
);
