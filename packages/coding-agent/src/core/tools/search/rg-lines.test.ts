import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRgEvent, RgCollector, type RgLine } from "./rg-json.js";
import { rgLineReader } from "./rg-lines.js";

const LONG = 64 * 1024;
const MARKED = ',"line_number":7';
const match = (lines: RgLine["data"]["lines"], line_number: number | null, submatches = 1) => {
  const path = { text: './a"b.ts' };
  const found = Array.from({ length: submatches }, (_, i) => ({
    match: { text: ',"line_number":3' },
    start: i,
    end: i,
  }));
  return { type: "match" as const, data: { path, lines, line_number, absolute_offset: 0, submatches: found } };
};

/** Lines as they come out of chunks of a size. */
function read(bytes: Buffer, size: number): string[] {
  const lines: string[] = [];
  const reader = rgLineReader((line) => {
    lines.push(line);
    return "continue";
  });
  for (let i = 0; i < bytes.length; i += size) reader(bytes.subarray(i, i + size));
  return lines;
}

function shown(line: RgLine | undefined) {
  const collector = new RgCollector({ limit: 9, context: 0 });
  if (line) collector.push(line);
  return { lines: collector.lines, linesTruncated: collector.linesTruncated };
}

describe("rgLineReader", () => {
  it("hands out lines of any chunks", () => {
    const text = `a\n\n{"é": "漢😀"}\n${"x".repeat(LONG)}\nrest`;
    for (const size of [1, 2, 7, 1000, 1_000_000]) {
      expect(read(Buffer.from(text), size)).toEqual(text.split("\n").slice(0, -1));
    }
  });

  it("stops when told to", () => {
    const seen: string[] = [];
    const reader = rgLineReader((line) => (seen.push(line) === 2 ? "stop" : "continue"));
    expect(reader(Buffer.from("a\nb\nc\n"))).toBe("stop");
    expect(seen).toEqual(["a", "b"]);
  });

  it("shows the same of cut lines, wherever the cut falls", () => {
    const piece = fc.constantFrom("x", '"', "\\", "\\u00", "\u0001", "é", "漢", "😀", MARKED, "}");
    const line = fc.record({
      pieces: fc.array(piece, { minLength: 1, maxLength: 8 }),
      over: fc.integer({ min: -60, max: 60 }),
      chunk: fc.integer({ min: 1000, max: 70_000 }),
      number: fc.option(fc.integer({ min: 1, max: 2 ** 31 })),
      bytes: fc.boolean(),
      submatches: fc.constantFrom(1, 3000),
    });
    fc.assert(
      fc.property(line, ({ pieces, over, chunk, number, bytes, submatches }) => {
        const unit = pieces.join("");
        const unitBytes = Buffer.byteLength(JSON.stringify(unit)) - 2;
        const text = `${"y".repeat(60 + over)}${unit.repeat(Math.ceil(LONG / unitBytes))}\n`;
        const data = bytes ? { bytes: Buffer.from(text).toString("base64") } : { text };
        const event = match(data, number, submatches);
        const [json = ""] = read(Buffer.from(`${JSON.stringify(event)}\n`), chunk);
        expect(json.length).toBeLessThan(LONG + 100);
        const parsed = parseRgEvent(json);
        expect(parsed?.data.line_number).toBe(number);
        expect(shown(parsed)).toEqual(shown(event));
      }),
      { numRuns: 100 },
    );
  });

  it("drops the matches of a short line that has too many", () => {
    const event = match({ text: "short\n" }, 12, 5000);
    const [json = ""] = read(Buffer.from(`${JSON.stringify(event)}\n`), 4096);
    expect(json).toBe(
      '{"type":"match","data":{"path":{"text":"./a\\"b.ts"},"lines":{"text":"short\\n"},"line_number":12}}',
    );
  });
});
