import { describe, expect, it } from "vitest";
import { type FoundLine, LineCollector, type LineCollectorOptions } from "./line-collector.js";

const line = (type: "match" | "context", number: number, text: string, path = "./a.ts"): FoundLine => ({
  type,
  path,
  line: number,
  text: `${text}\n`,
});

function collect(events: readonly FoundLine[], options: LineCollectorOptions) {
  const collector = new LineCollector(options);
  let seen = 0;
  for (const event of events) {
    seen++;
    if (collector.push(event) === "stop") break;
  }
  return { lines: collector.lines, hasMore: collector.hasMore, linesTruncated: collector.linesTruncated, seen };
}

describe("LineCollector", () => {
  it("formats matches and context, relative paths without ./", () => {
    const events = [line("context", 1, "before"), line("match", 2, "  hit\t"), line("match", 7, "x", "./d/b.ts")];
    expect(collect(events, { limit: 10, context: 1 }).lines).toEqual([
      "a.ts-1- before",
      "a.ts:2:   hit\t",
      "d/b.ts:7: x",
    ]);
  });

  it("shows the base name of one searched file", () => {
    expect(collect([line("match", 1, "x", "/w/f.ts")], { limit: 1, context: 0, fileName: "f.ts" }).lines).toEqual([
      "f.ts:1: x",
    ]);
  });

  it.each([
    ["a\n", "a"],
    ["a", "a"],
    ["a\r\n", "a"],
    ["a \r\r\n", "a \r"],
    ["a\r", "a"],
    ["\ta \n", "\ta "],
  ])("strips the line's terminator only: %j", (text, shown) => {
    const found = collect([{ type: "match", path: "a.ts", line: 1, text }], { limit: 1, context: 0 });
    expect(found.lines).toEqual([`a.ts:1: ${shown}`]);
  });

  it("cuts long lines and says so", () => {
    const found = collect([line("match", 1, "x".repeat(501))], { limit: 1, context: 0 });
    expect(found.lines).toEqual([`a.ts:1: ${"x".repeat(500)}... [truncated]`]);
    expect(found.linesTruncated).toBe(true);
  });

  it.each([
    ["no match behind the limit", [line("match", 1, "a")], 0, { lines: 1, hasMore: false, seen: 1 }],
    [
      "a match behind the limit",
      [line("match", 1, "a"), line("match", 5, "b"), line("match", 6, "c")],
      0,
      { lines: 1, hasMore: true, seen: 2 },
    ],
    [
      "trailing context, with a match in it, is shown as context",
      [
        line("match", 1, "a"),
        line("match", 2, "b"),
        line("context", 3, "c"),
        line("context", 4, "d"),
        line("match", 9, "e"),
      ],
      2,
      { lines: 3, hasMore: true, seen: 4 },
    ],
    [
      "context of the next match is not",
      [line("match", 1, "a"), line("context", 2, "b"), line("context", 8, "c")],
      1,
      { lines: 2, hasMore: false, seen: 3 },
    ],
    [
      "another file ends the trailing context",
      [line("match", 1, "a"), line("match", 2, "b", "./b.ts")],
      5,
      { lines: 1, hasMore: true, seen: 2 },
    ],
  ])("limit 1: %s", (_name, events, context, expected) => {
    const { lines, ...rest } = collect(events, { limit: 1, context });
    expect(rest).toMatchObject({ hasMore: expected.hasMore, seen: expected.seen });
    expect(lines).toHaveLength(expected.lines);
    if (expected.lines === 3) expect(lines).toEqual(["a.ts:1: a", "a.ts-2- b", "a.ts-3- c"]);
  });
});
