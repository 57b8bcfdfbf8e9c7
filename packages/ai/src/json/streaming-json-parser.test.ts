import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../types.js";
import type { JsonChange } from "./json-reader.js";
import { setOwn } from "./objects.js";
import { parseJsonWithRepair, repairJson } from "./repair-json.js";
import { parseStreamingJson, StreamingJsonParser } from "./streaming-json-parser.js";
import { parseToolCallArguments, ToolCallArgumentsStream } from "./tool-call-arguments.js";

/** What a receiver of the changes makes of them. */
function applyChanges(root: unknown, changes: readonly JsonChange[]): unknown {
  let result = root;
  for (const change of changes) {
    const last = change.path.at(-1);
    if (last === undefined) {
      result = change.kind === "set" ? structuredClone(change.value) : String(result) + change.text;
      continue;
    }
    let parent = result as Record<string | number, unknown>;
    for (const key of change.path.slice(0, -1)) parent = parent[key] as Record<string | number, unknown>;
    if (change.kind === "append") parent[last] = String(parent[last]) + change.text;
    else setOwn(parent, String(last), structuredClone(change.value));
  }
  return result;
}

function pieces(text: string, sizes: readonly number[]): string[] {
  const result: string[] = [];
  let index = 0;
  for (let turn = 0; index < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    result.push(text.slice(index, index + size));
    index += size;
  }
  return result;
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 });
const json = fc.oneof(
  fc.json(),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value, null, 2)),
);

describe("partial values", () => {
  test.each<[string | undefined, unknown]>([
    [undefined, {}],
    ["  ", {}],
    ["nonsense", {}],
    ['{"a":1}', { a: 1 }],
    ['{"a":"b', { a: "b" }],
    ['{"a":"', { a: "" }],
    ['{"a":"b\\', { a: "b" }],
    ['{"a":"b\\u00e', { a: "b" }],
    ['{"a":"\\ud83d', { a: "" }],
    ['{"a":"\\ud83d\\ude00', { a: "😀" }],
    ['{"a":tr', { a: true }],
    ['{"a":n', { a: null }],
    ['{"a":-', {}],
    ['{"a":12', { a: 12 }],
    ['{"a":1.', { a: 1 }],
    ['{"a":1e', { a: 1 }],
    ['{"a"', {}],
    ['{"a":', {}],
    ['{"a":1,', { a: 1 }],
    ['{"a":1,"b', { a: 1 }],
    ['{"a":[1,[2,{"c":"d', { a: [1, [2, { c: "d" }]] }],
    ['{"a":1} and more', { a: 1 }],
    ['{"a":1,}', { a: 1 }],
    ['{"a":"line\nbreak", "b":"c\\d', { a: "line\nbreak", b: "c\\d" }],
    ['{"a":"C:\\users', { a: "C:\\users" }],
    ['{"a":"C:\\Xsers', { a: "C:\\Xsers" }],
    ["[1, 2", [1, 2]],
  ])("%j", (text, expected) => {
    expect(parseStreamingJson(text)).toEqual(expected);
  });
});

describe("repair", () => {
  test.each([
    ['{"a":"x\ny\tz\u0001"}', '{"a":"x\\ny\\tz\\u0001"}'],
    ['{"p":"\\d+\\q"}', '{"p":"\\\\d+\\\\q"}'],
    ['{"p":"\\u12G4"}', '{"p":"\\\\u12G4"}'],
    ['{"p":"\\u1234\\n"}', '{"p":"\\u1234\\n"}'],
    ['{\n"a":\t1}', '{\n"a":\t1}'],
    ['{"a":"\\\\"}', '{"a":"\\\\"}'],
  ])("%j", (text, expected) => {
    expect(repairJson(text)).toBe(expected);
  });

  test("reports the error of the original text", () => {
    expect(() => parseJsonWithRepair('{"a":"\n",}')).toThrow(SyntaxError);
  });

  test("leaves valid JSON alone", () => {
    fc.assert(fc.property(json, (text) => repairJson(text) === text));
  });
});

describe("final arguments", () => {
  test.each([
    ["", { arguments: {} }],
    ['{"a":1}', { arguments: { a: 1 } }],
    ['{"a":"b\n"}', { arguments: { a: "b\n" } }],
    ["[1]", { arguments: {}, argumentsError: "Tool arguments must be a JSON object\n\nReceived arguments:\n[1]" }],
  ])("%j", (text, expected) => {
    expect(parseToolCallArguments(text)).toEqual(expected);
  });

  test("a truncated text gives no arguments", () => {
    const { arguments: args, argumentsError } = parseToolCallArguments('{"command":"rm -rf /tmp/x');
    expect(args).toEqual({});
    expect(argumentsError).toMatch(/^.*JSON.*\n\nReceived arguments:\n\{"command":"rm -rf \/tmp\/x$/);
  });
});

describe("properties", () => {
  test("any pieces give the same value as JSON.parse", () => {
    fc.assert(
      fc.property(json, sizes, (text, cuts) => {
        const parser = new StreamingJsonParser();
        for (const piece of pieces(text, cuts)) parser.append(piece);
        // A number at the top has no end of its own.
        expect(JSON.stringify(parser.snapshot())).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 1000 },
    );
  });

  test("changes lead from snapshot to snapshot", () => {
    fc.assert(
      fc.property(json, sizes, (text, cuts) => {
        const parser = new StreamingJsonParser();
        let mirror: unknown;
        for (const piece of pieces(text, cuts)) {
          mirror = applyChanges(mirror, parser.append(piece));
          expect(JSON.stringify(mirror)).toBe(JSON.stringify(parser.snapshot()));
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("the partial value does not depend on the pieces", () => {
    fc.assert(
      fc.property(json, fc.nat(), sizes, (text, cut, cuts) => {
        const prefix = text.slice(0, cut % (text.length + 1));
        const whole = new StreamingJsonParser();
        whole.append(prefix);
        const pieceByPiece = new StreamingJsonParser();
        for (const piece of pieces(prefix, cuts)) pieceByPiece.append(piece);
        expect(JSON.stringify(pieceByPiece.snapshot())).toBe(JSON.stringify(whole.snapshot()));
      }),
      { numRuns: 1000 },
    );
  });

  test("streamed arguments equal parsed arguments, and earlier ones stay what they were", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), sizes, (value, cuts) => {
        const text = JSON.stringify(value);
        const stream = new ToolCallArgumentsStream();
        const seen: [JsonValue, string][] = [];
        for (const piece of pieces(text, cuts)) {
          const args = stream.append(piece);
          seen.push([args, JSON.stringify(args)]);
        }
        for (const [args, before] of seen) expect(JSON.stringify(args)).toBe(before);
        expect(JSON.stringify(seen.at(-1)?.[0])).toBe(JSON.stringify(JSON.parse(text)));
        expect(stream.text).toBe(text);
        expect(stream.finish()).toEqual({ arguments: JSON.parse(text) });
      }),
      { numRuns: 200 },
    );
  });
});

describe("ToolCallArgumentsStream", () => {
  test("a new object only when something changed", () => {
    const stream = new ToolCallArgumentsStream();
    const first = stream.append('{"a":1,');
    expect(stream.append('  "b"')).toBe(first);
    expect(stream.append(":2")).not.toBe(first);
  });

  test("replace tells the missing part", () => {
    const stream = new ToolCallArgumentsStream();
    stream.append('{"a":');
    expect(stream.replace('{"a":1}')).toEqual({ delta: "1}", arguments: { a: 1 } });
    expect(stream.replace('{"a":1}')).toEqual({ delta: undefined, arguments: { a: 1 } });
    expect(stream.replace('{"b":2}')).toEqual({ delta: undefined, arguments: { b: 2 } });
    expect(stream.finish()).toEqual({ arguments: { b: 2 } });
  });

  test("costs the same per piece however long the text is", () => {
    const documents = [
      `{"content":"${"x".repeat(400_000)}"}`,
      JSON.stringify({ items: Array.from({ length: 60_000 }, (_, index) => index) }),
      JSON.stringify(Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`k${index}`, index]))),
    ];
    for (const text of documents) {
      const time = (length: number): number => {
        const stream = new ToolCallArgumentsStream();
        const start = performance.now();
        for (const piece of pieces(text.slice(0, length), [4])) stream.append(piece);
        return performance.now() - start;
      };
      time(text.length);
      // Quadratic work would make the eightfold text cost 64 times as much.
      const small = Math.max(1, time(Math.floor(text.length / 8)));
      expect(time(text.length) / small).toBeLessThan(32);
    }
  });
});
