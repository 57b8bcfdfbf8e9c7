import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Answer, fakeTool, model, scriptedModel } from "../test/scripted-model.js";
import { Agent, type AgentEvent, type AgentTool, type AgentToolResult } from "./index.js";
import { soundResult } from "./sound-result.js";

const text = (value: string) => ({ type: "text", text: value });
const circle: Record<string, unknown> = {};
circle["self"] = circle;

function toolThat(name: string, run: () => unknown): AgentTool {
  return { ...fakeTool(name), execute: async () => run() as AgentToolResult };
}

/** Two calls in one answer: of a tool that misbehaves, and of a good one. */
async function runBatch(tool: AgentTool, toolExecution: "parallel" | "sequential") {
  const answers: Answer[] = [
    {
      calls: [
        { id: "1", name: "bad" },
        { id: "2", name: "good" },
      ],
    },
    { text: "done" },
  ];
  const { streamFn } = scriptedModel(answers);
  const agent = new Agent({ streamFn, toolExecution, initialState: { model, tools: [tool, fakeTool("good")] } });
  const events: AgentEvent[] = [];
  agent.subscribe((event) => {
    // As a mode does that prints events.
    JSON.stringify(event);
    events.push(event);
  });
  await agent.prompt("hi");
  const results = agent.state.messages.filter((message) => message.role === "toolResult");
  return { agent, events, results };
}

describe("one result per call, whatever a tool throws", () => {
  const unreadable = "An error without a readable message was thrown";
  it.each([
    ["an object without a prototype", Object.create(null), unreadable],
    ["a toString that throws", { toString: () => fail("inner") }, unreadable],
    [
      "a message that throws",
      Object.defineProperty(new Error("x"), "message", { get: () => fail("inner") }),
      unreadable,
    ],
    ["a message that is no text", Object.assign(new Error("x"), { message: 5 }), "Error: 5"],
    ["details that throw", Object.defineProperty(new Error("x"), "details", { get: () => fail("inner") }), "x"],
    ["nothing", undefined, "undefined"],
  ])("%s", async (_name, thrown, said) => {
    for (const mode of ["parallel", "sequential"] as const) {
      const { agent, results } = await runBatch(
        toolThat("bad", () => {
          throw thrown;
        }),
        mode,
      );
      expect(results).toMatchObject([
        { toolCallId: "1", isError: true, content: [text(said)] },
        { toolCallId: "2", isError: false, content: [text("good")] },
      ]);
      expect(agent.state.messages.at(-1)).toMatchObject({ role: "assistant", stopReason: "stop" });
    }
  });

  it("a hook or a listener that throws what cannot be a text", async () => {
    const { streamFn } = scriptedModel([{ text: "x" }]);
    const agent = new Agent({ streamFn, initialState: { model } });
    agent.subscribe((event) => {
      if (event.type === "turn_start") throw Object.create(null);
    });
    await agent.prompt("hi");
    expect(agent.state.errorMessage).toBe(unreadable);
  });
});

describe("one result per call, whatever a tool returns", () => {
  const dropped = (member: string, reason: string) =>
    text(`The ${member} of tool "bad" cannot be stored and were dropped: ${reason}.`);
  it.each<[string, unknown, { content: unknown[]; isError: boolean }]>([
    ["nothing", undefined, { content: [], isError: false }],
    ["no content", {}, { content: [], isError: false }],
    ["text as content", { content: "hi" }, { content: [text("hi")], isError: false }],
    ["a text", "hi", malformed("the result is a string")],
    ["an object as content", { content: {} }, malformed("content is an object, not an array of blocks")],
    [
      "no block",
      { content: [null, text("kept"), 5] },
      {
        content: [
          text("kept"),
          ...malformed("content[0] is null, not a block; content[2] is a number, not a block").content,
        ],
        isError: true,
      },
    ],
    [
      "a number as text",
      { content: [{ type: "text", text: 5 }] },
      malformed("content[0] of type text has a number as text"),
    ],
    ["an empty image", { content: [{ type: "image" }] }, malformed("content[0] of type image has undefined as data")],
    [
      "an image of no type",
      { content: [{ type: "image", data: "AA==", mimeType: "" }] },
      malformed("content[0] of type image has an empty string as mimeType"),
    ],
    [
      "another block",
      { content: [{ type: "zzz" }] },
      malformed('content[0] has the type "zzz", not "text" or "image"'),
    ],
    [
      "circular details",
      { content: [text("x")], details: circle },
      { content: [text("x"), dropped("details", "Converting circular structure to JSON")], isError: false },
    ],
    [
      "a BigInt in details",
      { content: [], details: { n: 1n } },
      { content: [dropped("details", "Do not know how to serialize a BigInt")], isError: false },
    ],
    [
      "a toJSON that throws",
      { content: [], details: { toJSON: () => fail("inner") } },
      { content: [dropped("details", "inner")], isError: false },
    ],
    [
      "usage that is none",
      { content: [], usage: { input: 1 } },
      { content: [dropped("usage", "output is undefined, not a number")], isError: false },
    ],
    [
      "structured content that is no JSON",
      { content: [], structuredContent: circle },
      { content: [dropped("structuredContent", "Converting circular structure to JSON")], isError: false },
    ],
  ])("%s", async (_name, returned, expected) => {
    for (const mode of ["parallel", "sequential"] as const) {
      const { agent, results } = await runBatch(
        toolThat("bad", () => returned),
        mode,
      );
      expect(results).toMatchObject([{ toolCallId: "1", ...expected }, { toolCallId: "2" }]);
      expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "stop" });
    }
  });

  it("details that a tool throws, or a hook puts in", async () => {
    const throwing = toolThat("bad", () => {
      throw Object.assign(new Error("no"), { details: circle });
    });
    const { results } = await runBatch(throwing, "parallel");
    expect(results[0]?.content).toEqual([text("no"), dropped("details", "Converting circular structure to JSON")]);
    const { streamFn } = scriptedModel([{ calls: [{ id: "1", name: "good" }] }, { text: "done" }]);
    const agent = new Agent({
      streamFn,
      initialState: { model, tools: [fakeTool("good")] },
      afterToolCall: async () => ({ details: circle as never, content: [null] as never }),
    });
    await agent.prompt("hi");
    const result = agent.state.messages.find((message) => message.role === "toolResult");
    expect(result).toMatchObject({ isError: true });
    expect(result).not.toHaveProperty("details");
    expect(() => JSON.stringify(result)).not.toThrow();
  });

  it("updates are mended too", async () => {
    const tool: AgentTool = {
      ...fakeTool("bad"),
      execute: async (_id, _args, _signal, onUpdate) => {
        onUpdate?.(undefined as never);
        onUpdate?.({ content: [null] as never, details: circle });
        return { content: [], details: undefined };
      },
    };
    const { events, results } = await runBatch(tool, "parallel");
    expect(results).toHaveLength(2);
    const updates = events.filter((event) => event.type === "tool_execution_update");
    expect(updates).toMatchObject([{ partialResult: { content: [] } }, { partialResult: { content: [{}, {}] } }]);
  });
});

describe("soundResult", () => {
  const json = fc.jsonValue();
  it("leaves a well-formed result as it is", () => {
    const block = fc.oneof(
      fc.record({ type: fc.constant("text"), text: fc.string() }),
      fc.record({ type: fc.constant("image"), data: fc.string({ minLength: 1 }), mimeType: fc.constant("image/png") }),
    );
    const result = fc.record({
      content: fc.array(block),
      details: json,
      structuredContent: json,
      isError: fc.boolean(),
    });
    fc.assert(
      fc.property(result, (given) => {
        expect(soundResult("t", given)).toEqual({ result: given, isMalformed: false });
      }),
    );
  });

  it("makes a well-formed result of anything", () => {
    fc.assert(
      fc.property(
        fc.oneof(json, fc.anything({ withBigInt: true }), fc.record({ content: fc.array(json) })),
        (given) => {
          const { result } = soundResult("t", given);
          expect(soundResult("t", result)).toEqual({ result, isMalformed: false });
          expect(() => JSON.stringify(result.details)).not.toThrow();
        },
      ),
    );
  });
});

function malformed(faults: string) {
  return { content: [text(`Tool "bad" returned a malformed result: ${faults}.`)], isError: true };
}

function fail(message: string): never {
  throw new Error(message);
}
