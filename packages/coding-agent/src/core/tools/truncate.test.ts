import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatSize, splitLines, truncateHead, truncateLine, truncateTail } from "./truncate.js";

describe("formatSize", () => {
  it.each([
    [0, "0B"],
    [500, "500B"],
    [1023, "1023B"],
    [1024, "1.0KB"],
    [51200, "50.0KB"],
    [60000, "58.6KB"],
    [3 * 1024 * 1024, "3.0MB"],
  ])("%d is %s", (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });
});

describe("truncateHead", () => {
  it("returns a text within the limits unchanged, final newline included", () => {
    expect(truncateHead("a\nb\n")).toEqual({
      content: "a\nb\n",
      truncated: false,
      truncatedBy: null,
      totalLines: 2,
      totalBytes: 4,
      outputLines: 2,
      outputBytes: 4,
      lastLinePartial: false,
      firstLineExceedsLimit: false,
      maxLines: 2000,
      maxBytes: 51200,
    });
  });

  it.each([
    ["lines", "a\nb\nc\n", { maxLines: 2 }, { content: "a\nb", truncatedBy: "lines", outputLines: 2, outputBytes: 3 }],
    [
      "bytes",
      "aa\nbb\ncc",
      { maxBytes: 6 },
      { content: "aa\nbb", truncatedBy: "bytes", outputLines: 2, outputBytes: 5 },
    ],
    [
      "a first line that is too big",
      "aaaa\nb",
      { maxBytes: 3 },
      { content: "", truncatedBy: "bytes", outputLines: 0, outputBytes: 0, firstLineExceedsLimit: true },
    ],
    ["bytes of characters", "éé\né", { maxBytes: 5 }, { content: "éé", truncatedBy: "bytes", outputBytes: 4 }],
  ])("cuts by %s", (_name, text, options, expected) => {
    expect(truncateHead(text, options)).toMatchObject({ truncated: true, ...expected });
  });
});

describe("truncateTail", () => {
  it.each([
    ["lines", "a\nb\nc\n", { maxLines: 2 }, { content: "b\nc", truncatedBy: "lines", outputLines: 2, totalLines: 3 }],
    ["bytes", "aa\nbb\ncc", { maxBytes: 6 }, { content: "bb\ncc", truncatedBy: "bytes", outputLines: 2 }],
    [
      "the end of a last line that is too big",
      "a\nbbéé",
      { maxBytes: 3 },
      { content: "é", truncatedBy: "bytes", outputLines: 1, outputBytes: 2, lastLinePartial: true },
    ],
  ])("keeps %s", (_name, text, options, expected) => {
    expect(truncateTail(text, options)).toMatchObject({ truncated: true, ...expected });
  });
});

describe("truncateLine", () => {
  it("cuts after 500 units and says so", () => {
    expect(truncateLine("x".repeat(500))).toEqual({ text: "x".repeat(500), wasTruncated: false });
    expect(truncateLine("x".repeat(501))).toEqual({ text: `${"x".repeat(500)}... [truncated]`, wasTruncated: true });
  });

  it("never splits a surrogate pair", () => {
    expect(truncateLine(`${"x".repeat(499)}😀y`).text).toBe(`${"x".repeat(499)}... [truncated]`);
  });
});

const text = fc
  .array(fc.constantFrom("a", "é", "€", "😀", "\n", "\r"), { maxLength: 60 })
  .map((parts) => parts.join(""));
const limits = fc.record({ maxLines: fc.integer({ min: 1, max: 6 }), maxBytes: fc.integer({ min: 1, max: 20 }) });

describe("both ends", () => {
  it("keep whole lines of the text, within the limits, and as many as fit", () => {
    fc.assert(
      fc.property(text, limits, (whole, { maxLines, maxBytes }) => {
        const lines = splitLines(whole);
        for (const [cut, pick] of [
          [truncateHead, (n: number) => lines.slice(0, n)],
          [truncateTail, (n: number) => lines.slice(lines.length - n)],
        ] as const) {
          const result = cut(whole, { maxLines, maxBytes });
          expect(result.totalLines).toBe(lines.length);
          expect(result.totalBytes).toBe(Buffer.byteLength(whole));
          expect(Buffer.byteLength(result.content)).toBe(result.outputBytes);
          expect(result.outputBytes).toBeLessThanOrEqual(maxBytes);
          expect(result.outputLines).toBeLessThanOrEqual(maxLines);
          if (!result.truncated) {
            expect(result.content).toBe(whole);
            continue;
          }
          if (result.lastLinePartial) {
            expect(lines.at(-1)?.endsWith(result.content)).toBe(true);
            expect(Buffer.from(result.content).toString()).toBe(result.content);
            continue;
          }
          expect(result.content).toBe(pick(result.outputLines).join("\n"));
          const oneMore = pick(result.outputLines + 1);
          const fits = oneMore.length <= maxLines && Buffer.byteLength(oneMore.join("\n")) <= maxBytes;
          expect(result.outputLines === lines.length || !fits).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
