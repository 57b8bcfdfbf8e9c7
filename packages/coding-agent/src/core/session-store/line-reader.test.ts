import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factsOf } from "./line-facts.js";
import { LineReader } from "./line-reader.js";
import { repairedMessage } from "./repair.js";

/** Texts that hold what the reader looks for, and what it could mistake for an end. */
const marks = [
  '],"api":"',
  "toolCall",
  'Call"',
  ',"usage',
  '"usage":{"input":1',
  '"}],"timestamp":1}}',
  "\\",
  "\n",
  "é😀",
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...marks), fc.string({ maxLength: 8 })), { maxLength: 6 })
  .map((parts) => parts.join(""));

const call = fc.record(
  {
    type: fc.constant("toolCall"),
    id: fc.constantFrom("c1", "myCall"),
    name: fc.constantFrom("read", "aCall"),
    arguments: fc.oneof(
      fc.record({ path: text }),
      fc.constant({ list: [{ a: "x" }, { type: "toolCall", id: "inner" }], usage: { input: 9 } }),
    ),
  },
  { requiredKeys: ["type"] },
);
const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text }),
  fc.record({ type: fc.constant("thinking"), thinking: text, thinkingSignature: text }),
  call,
  call.map(({ type, ...others }) => ({ ...others, type })),
);
const figure = fc.oneof(fc.nat(), fc.constantFrom(0.5, 1e21, -3, "7", null, 1e-7));
const usage = fc.oneof(
  fc.record({
    input: fc.nat(),
    output: fc.nat(),
    cacheRead: fc.nat(),
    cacheWrite: fc.nat(),
    totalTokens: fc.nat(),
    cost: fc.record({ input: fc.constant(0), total: fc.constantFrom(0, 0.00123, 5e-7, 12) }),
  }),
  fc.record(
    { input: figure, output: figure, cacheRead: figure, cost: fc.oneof(figure, fc.record({ total: figure })) },
    { requiredKeys: [] },
  ),
);
const ends = fc.record(
  {
    api: fc.constantFrom("x", "anthropic-messages"),
    provider: fc.constant("p"),
    model: text,
    responseId: text,
    more: fc.constant({ usage: { input: 77 }, list: ["],", "a"] }),
    usage,
    stopReason: fc.constantFrom("stop", "toolUse"),
    timestamp: fc.nat(),
    rawStopReason: text,
    durationMs: fc.nat(),
  },
  { requiredKeys: ["api"] },
);
const message = fc.oneof(
  fc
    .tuple(fc.array(block, { maxLength: 3 }), ends)
    .map(([content, others]) => ({ role: "assistant", content, ...others })),
  fc
    .tuple(fc.array(block, { maxLength: 3 }), ends)
    .map(([content, others]) => ({ ...others, content, role: "assistant" })),
  fc
    .record(
      {
        toolCallId: text,
        toolName: fc.constant("t"),
        content: fc.array(block, { maxLength: 2 }),
        usage,
        isError: fc.boolean(),
        timestamp: fc.nat(),
      },
      { requiredKeys: ["content", "timestamp"] },
    )
    .map((result) => ({ role: "toolResult", ...result })),
  fc.record({
    role: fc.constant("user"),
    content: fc.oneof(text, fc.array(block, { maxLength: 2 })),
    timestamp: fc.nat(),
  }),
);
const entry = fc.record({
  type: fc.constant("message"),
  id: fc.uuid(),
  parentId: fc.option(fc.uuid()),
  timestamp: fc.constantFrom("2026-11-30T08:27:33.285Z", "soon"),
  message,
});

const written = fc.record({
  entry,
  earlier: fc.option(
    // Those that are in their usual order are told from both ends of the line: see the table below.
    fc
      .oneof(
        message.filter((one) => Object.keys(one)[0] !== "role"),
        fc.constantFrom(null, "text", 7, [], {}),
      )
      .map((value) => JSON.stringify(value)),
    { nil: undefined, freq: 3 },
  ),
});

describe("facts of lines", () => {
  it("are those of the parsed entries, whatever stands in them", () => {
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 8 }), fc.boolean(), (lineParts, isSpaced) => {
        const entries = lineParts.map(({ entry }) => entry);
        const lines = lineParts.map(({ entry, earlier }) => {
          const line = JSON.stringify(entry, null, isSpaced ? 1 : 0).replaceAll("\n", " ");
          // Of two members with one name the last one counts.
          return earlier === undefined ? line : line.replace('"message":', () => `"message":${earlier},"message":`);
        });
        const chunk = Buffer.from(`${lines.join("\n")}\n`);
        const reader = new LineReader();
        // Twice: the second time the chunk is an old one.
        for (let round = 0; round < 2; round++) {
          let at = 0;
          for (const one of entries) {
            const end = chunk.indexOf(10, at);
            const { soundMessageAt = 0, ...facts } = reader.read(chunk, at, end) ?? {};
            const { soundMessageAt: _, ...expected } = factsOf(JSON.parse(chunk.toString("utf8", at, end))) ?? {};
            expect(facts).toEqual(expected);
            if (soundMessageAt > 0) {
              const message: unknown = JSON.parse(chunk.toString("utf8", at + soundMessageAt, end - 1));
              expect(message).toEqual(JSON.parse(JSON.stringify(one.message)));
              expect(repairedMessage(message, 0)).toBe(message);
            }
            at = end + 1;
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  const figures = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
  const answered = {
    api: "x",
    provider: "p",
    model: "m",
    usage: { ...figures, totalTokens: 10, cost: { ...figures, total: 0.5 } },
    stopReason: "stop",
    timestamp: 1,
  };
  const said = { type: "text", text: `A "quoted" },{" text` };
  const called = { type: "toolCall", id: "c", name: "read", arguments: { path: "a" } };
  it.each<[string, object, boolean]>([
    ["a question", { role: "user", content: [said], timestamp: 1 }, true],
    ["two texts", { role: "user", content: [said, said], timestamp: 1 }, false],
    ["an answer", { role: "assistant", content: [said], ...answered }, true],
    ["an answer with a call", { role: "assistant", content: [said, called], ...answered }, true],
    ["an answer with two", { role: "assistant", content: [said, called, called], ...answered }, false],
    ["one without a model", { role: "assistant", content: [said], ...answered, model: 5 }, false],
    [
      "a result",
      { role: "toolResult", toolCallId: "c", toolName: "t", content: [said], isError: false, timestamp: 1 },
      true,
    ],
    ["one with a signature", { role: "user", content: [{ ...said, textSignature: 5 }], timestamp: 1 }, false],
  ])("tell of %s whether it needs a look: sound %s", (_what, message, isSound) => {
    const line = Buffer.from(
      JSON.stringify({ type: "message", id: "a", parentId: null, timestamp: "2026-11-30T08:27:33.285Z", message }),
    );
    const { soundMessageAt = 0 } = new LineReader().read(line, 0, line.length) ?? {};
    expect(soundMessageAt > 0).toBe(isSound);
    if (isSound) expect(JSON.parse(line.toString("utf8", soundMessageAt, line.length - 1))).toEqual(message);
  });

  const question = { role: "user", content: [said], timestamp: 1 };
  const answer = { role: "assistant", content: [said, called], ...answered };
  const short = { role: "user", content: "short", timestamp: 1 };
  const result = { role: "toolResult", toolCallId: "c", toolName: "t", content: [said], isError: false, timestamp: 1 };
  const usual = [
    question,
    answer,
    short,
    result,
    { ...answer, content: [] },
    { ...question, content: [{ text: "b" }] },
  ];
  it.each(usual.flatMap((first) => usual.map((last) => [first, last])))(
    "of two messages, are those of the last: %j, %j",
    (first, last) => {
      const head = '{"type":"message","id":"a","parentId":null,"timestamp":"2026-11-30T08:27:33.285Z"';
      const line = `${head},"message":${JSON.stringify(first)},"message":${JSON.stringify(last)}}`;
      const bytes = Buffer.from(line);
      const { soundMessageAt, ...facts } = new LineReader().read(bytes, 0, bytes.length) ?? {};
      const { soundMessageAt: _, ...expected } = factsOf(JSON.parse(line)) ?? {};
      expect(facts).toEqual(expected);
      expect(soundMessageAt).toBe(0);
    },
  );

  it("are none where a line was cut off and another one follows at once", () => {
    fc.assert(
      fc.property(entry, entry, fc.double({ min: 0, max: 1, noNaN: true }), (first, second, share) => {
        const whole = JSON.stringify(first);
        const cut = whole.slice(0, Math.floor(share * whole.length));
        if (cut === "") return;
        const fused = Buffer.from(cut + JSON.stringify(second));
        expect(new LineReader().read(fused, 0, fused.length)).toBe(undefined);
      }),
    );
  });
});
