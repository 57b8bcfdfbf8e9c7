import { describe, expect, it } from "vitest";
import { RgMatches } from "./rg-matches.js";

const begin = (path: string) => JSON.stringify({ type: "begin", data: { path: { text: path } } });
const match = (text: string) => JSON.stringify({ type: "match", data: { lines: { text } } });
const context = (text: string) => JSON.stringify({ type: "context", data: { lines: { text } } });

describe("RgMatches", () => {
  it("gives files by path, part by part and by bytes, and the lines of each as they came", () => {
    const matches = new RgMatches({ matches: 10, length: 10_000 });
    const paths = ["./b", "./a.x/c", "./a/c", "./\u{1f600}", "./\uffee"];
    for (const path of paths) {
      for (const json of [begin(path), match(`${path} 1`), context(`${path} 2`), '{"type":"end"}', ""]) {
        expect(matches.push(json)).toBe("continue");
      }
    }
    const order = ["./a/c", "./a.x/c", "./b", "./\uffee", "./\u{1f600}"];
    expect([...matches.sorted()]).toEqual(order.flatMap((path) => [match(`${path} 1`), context(`${path} 2`)]));
  });

  it.each([
    ["matches", { matches: 2, length: 10_000 }, 3],
    ["text", { matches: 10, length: 100 }, 2],
  ])("is full of %s", (_name, limits, count) => {
    const matches = new RgMatches(limits);
    matches.push(begin("a"));
    const answers = Array.from({ length: count }, () => matches.push(match("x".repeat(20))));
    expect(answers).toEqual([...Array(count - 1).fill("continue"), "full"]);
  });
});
