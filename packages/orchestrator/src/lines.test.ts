import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter, LineTooLongError } from "./lines.js";

describe("lines", () => {
  it("are the same however the bytes are cut", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "é", "\u2028", "🙂", "\n", "\r\n") });
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 7 })), (whole, cuts) => {
        const bytes = Buffer.from(whole);
        const lines: string[] = [];
        const splitter = new LineSplitter((line) => lines.push(line));
        let at = 0;
        for (const length of cuts) {
          splitter.push(bytes.subarray(at, at + length));
          at += length;
        }
        splitter.push(bytes.subarray(Math.min(at, bytes.length)));
        const wanted = whole.split("\n").map((line) => line.replace(/\r$/, ""));
        expect([...lines, splitter.rest()]).toEqual(wanted);
      }),
    );
  });

  it("too long ones are refused before they are whole", () => {
    const splitter = new LineSplitter(() => {}, 10);
    splitter.push(Buffer.from("0123456789\nabc"));
    expect(() => splitter.push(Buffer.from("defghijk"))).toThrow(LineTooLongError);
  });
});
