import { describe, expect, it } from "vitest";
import type { FoundLine } from "./line-collector.js";
import { RgMatches } from "./rg-matches.js";

const match = (path: string, text = "hit"): FoundLine => ({ type: "match", path, line: 1, text });
const context = (path: string): FoundLine => ({ type: "context", path, line: 2, text: "near" });

describe("RgMatches", () => {
  it("gives files by path, part by part and by bytes, and the lines of each as they came", () => {
    const matches = new RgMatches({ matches: 10, length: 10_000 });
    const paths = ["./b", "./a.x/c", "./a/c", "./\u{1f600}", "./\uffee"];
    for (const path of paths) {
      for (const line of [match(path), context(path)]) expect(matches.push(line)).toBe("continue");
    }
    const order = ["./a/c", "./a.x/c", "./b", "./\uffee", "./\u{1f600}"];
    expect([...matches.sorted()]).toEqual(order.flatMap((path) => [match(path), context(path)]));
  });

  it.each([
    ["matches", { matches: 2, length: 10_000 }, 3],
    ["text", { matches: 10, length: 300 }, 2],
  ])("is full of %s", (_name, limits, count) => {
    const matches = new RgMatches(limits);
    const answers = Array.from({ length: count }, () => matches.push(match("a", "x".repeat(100))));
    expect(answers).toEqual([...Array(count - 1).fill("continue"), "full"]);
  });
});
