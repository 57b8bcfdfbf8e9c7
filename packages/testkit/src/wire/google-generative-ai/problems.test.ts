import { describe } from "vitest";
import { problemTable, type Row } from "../../../test/problem-tables.js";
import { findProblems } from "./problems.js";

const body = {
  systemInstruction: { parts: [{ text: "Be brief." }] },
  generationConfig: { maxOutputTokens: 100, thinkingConfig: { thinkingLevel: "HIGH" } },
  tools: [{ functionDeclarations: [{ name: "read", parametersJsonSchema: { type: "object", properties: {} } }] }],
  contents: [
    { role: "user", parts: [{ text: "hi" }] },
    {
      role: "model",
      parts: [
        { text: "hm", thought: true },
        { functionCall: { name: "read", args: {}, id: "a" }, thoughtSignature: "c2lnMQ==" },
        { functionCall: { name: "read", args: {}, id: "b" } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { name: "read", id: "a", response: { output: "x" } } },
        { functionResponse: { name: "read", id: "b", response: { error: "y" } } },
      ],
    },
  ],
};

const always: Row[] = [
  ["no contents", (b) => Object.assign(b, { contents: [] }), /contents is not specified/],
  ["unknown field", (b) => Object.assign(b, { messages: [] }), /Unknown name "messages": Cannot find field/],
  [
    "unknown field of a part",
    (b) => Object.assign(b.contents[0].parts[0], { type: "text" }),
    /Unknown name "type" at 'contents\[0\]\.parts\[0\]'/,
  ],
  ["unknown role", (b) => Object.assign(b.contents[0], { role: "assistant" }), /valid role: user, model/],
  ["model first", (b) => b.contents.shift(), /begin with a user turn/],
  ["user turns behind each other", (b) => b.contents.push({ role: "user", parts: [{ text: "x" }] }), undefined],
  ["no parts", (b) => Object.assign(b.contents[0], { parts: [] }), /contents\.parts must not be empty/],
  ["empty text", (b) => Object.assign(b.contents[0].parts[0], { text: "" }), /must have one initialized field/],
  ["signed empty text", (b) => b.contents[1].parts.unshift({ text: "", thoughtSignature: "c2lnMQ==" }), undefined],
  ["missing responses", (b) => b.contents.pop(), /number of function response parts/],
  ["one response too few", (b) => b.contents[2].parts.pop(), /number of function response parts/],
  [
    "responses one turn late",
    (b) => b.contents.splice(2, 0, { role: "user", parts: [{ text: "x" }] }),
    /immediately after a function call turn/,
  ],
  ["response to nothing", (b) => b.contents.splice(1, 1), /immediately after a function call turn/],
  [
    "response to another call",
    (b) => Object.assign(b.contents[2].parts[1].functionResponse, { id: "c" }),
    /does not match a function call/,
  ],
  [
    "response as text",
    (b) => Object.assign(b.contents[2].parts[1].functionResponse, { response: "x" }),
    /google\.protobuf\.Struct/,
  ],
  [
    "call behind a model turn",
    (b) => b.contents.splice(1, 0, { role: "model", parts: [{ text: "x" }] }),
    /immediately after a user turn/,
  ],
  [
    "arguments as text",
    (b) => Object.assign(b.contents[1].parts[1].functionCall, { args: "{}" }),
    /function_call\.args/,
  ],
  [
    "signature that is no base64",
    (b) => Object.assign(b.contents[1].parts[1], { thoughtSignature: "c2lnM" }),
    /Base64 decoding failed/,
  ],
  [
    "foreign signature",
    (b) => Object.assign(b.contents[1].parts[1], { thoughtSignature: "c2lnMg==" }),
    /Corrupted thought signature/,
  ],
  [
    "documented placeholder",
    (b) => Object.assign(b.contents[1].parts[1], { thoughtSignature: "skip_thought_signature_validator" }),
    undefined,
  ],
  [
    "schema of no object",
    (b) => Object.assign(b.tools[0].functionDeclarations[0], { parametersJsonSchema: { type: "string" } }),
    /should be of type OBJECT/,
  ],
  ["two schemas", (b) => Object.assign(b.tools[0].functionDeclarations[0], { parameters: {} }), /only one of/],
  [
    "odd function name",
    (b) => Object.assign(b.tools[0].functionDeclarations[0], { name: "1 read" }),
    /Invalid function name/,
  ],
  [
    "duplicate functions",
    (b) => b.tools[0].functionDeclarations.push(b.tools[0].functionDeclarations[0]),
    /Duplicate function declaration/,
  ],
  ["limit 0", (b) => Object.assign(b.generationConfig, { maxOutputTokens: 0 }), /maxOutputTokens value of 0/],
  [
    "budget and level",
    (b) => Object.assign(b.generationConfig.thinkingConfig, { thinkingBudget: 5 }),
    /only one of thinking budget/,
  ],
];

const unsigned = (b: { contents: { parts: object[] }[] }) =>
  Object.assign(b.contents[1]?.parts[1] ?? {}, { thoughtSignature: undefined });

const subject = (model: string) => ({
  body,
  model,
  issue: (issued: { issue(api: "google-generative-ai", signature: string): void }) =>
    issued.issue("google-generative-ai", "c2lnMQ=="),
  findProblems,
});

describe("gemini-2.5-pro", () => {
  problemTable(subject("gemini-2.5-pro"), [...always, ["unsigned call", unsigned, undefined]]);
});

describe("gemini-3-pro", () => {
  problemTable(subject("gemini-3-pro"), [
    ...always,
    ["unsigned call of the running turn", unsigned, /missing a thought_signature.*default_api:read` , position 2/],
    [
      "unsigned call of an earlier turn",
      (b) => {
        unsigned(b);
        b.contents.push({ role: "user", parts: [{ text: "go on" }] });
      },
      undefined,
    ],
  ]);
});
