import { existsSync, unlinkSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputAccumulator } from "../output-accumulator.js";
import { formatSize, splitLines } from "../truncate.js";
import { truncationNote } from "./notes.js";

const output = fc
  .array(fc.constantFrom("a", "bb", "é", "😀", "日本", "\n", "\n", "c".repeat(30)), { minLength: 1, maxLength: 60 })
  .map((parts) => parts.join(""));

describe("the note on what is missing", () => {
  it("names the lines that are shown, whatever the output", () => {
    fc.assert(
      fc.property(
        output,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 4, max: 60 }),
        (text, maxLines, maxBytes) => {
          const accumulator = new OutputAccumulator({ tempFilePrefix: "pi-test", maxLines, maxBytes });
          void accumulator.append(Buffer.from(text));
          accumulator.finish();
          const { content, truncation, fullOutputPath = "" } = accumulator.snapshot({ persistIfTruncated: true });
          if (existsSync(fullOutputPath)) unlinkSync(fullOutputPath);
          if (!truncation.truncated) {
            expect(content).toBe(text);
            return;
          }
          expect(Buffer.byteLength(content)).toBeLessThanOrEqual(maxBytes);
          expect(content).not.toContain("\ufffd");
          const lines = splitLines(text);
          const note = truncationNote(truncation, accumulator.getLastLineBytes(), fullOutputPath);
          const partial = /^\n\n\[Showing last (\S+) of line (\d+) \(line is (\S+)\)\. Full output: (.*)\]$/.exec(note);
          if (partial) {
            const line = lines[Number(partial[2]) - 1] ?? "";
            expect(lines).toHaveLength(Number(partial[2]));
            expect(line.endsWith(content)).toBe(true);
            expect(partial.slice(3)).toEqual([formatSize(Buffer.byteLength(line)), fullOutputPath]);
            expect(partial[1]).toBe(formatSize(Buffer.byteLength(content)));
            return;
          }
          const whole = /^\n\n\[Showing lines (\d+)-(\d+) of (\d+)(?: \(\S+ limit\))?\. Full output: (.*)\]$/.exec(
            note,
          );
          expect(whole?.slice(3)).toEqual([String(lines.length), fullOutputPath]);
          expect(lines.slice(Number(whole?.[1]) - 1, Number(whole?.[2])).join("\n")).toBe(content);
        },
      ),
      { numRuns: 300 },
    );
  });
});
