import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createReadTool } from "../read.js";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "going-on-test-"));
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

const SHOWN =
  /^([\s\S]*)\n\n\[Showing lines (\d+)-(\d+) of (\d+)(?: \(50\.0KB limit\))?\. Use offset=(\d+) to continue\.\]$/;
const MORE = /^([\s\S]*)\n\n\[(\d+) more lines in file\. Use offset=(\d+) to continue\.\]$/;

/** Lines from none to far more than are shown at once, some long. */
const content = fc
  .array(fc.tuple(fc.constantFrom("", "é", "日本語😀 ", "x".repeat(40)), fc.integer({ min: 1, max: 400 })), {
    maxLength: 20,
  })
  .chain((parts) => fc.constantFrom("", "\n").map((end) => ({ parts, end })))
  .map(({ parts, end }) => parts.flatMap(([text, times]) => Array(times).fill(text.repeat(3))).join("\n") + end);

describe("whoever goes on as the notices say", () => {
  it("reads the whole file, each line once, and is told how much is left", async () => {
    const read = createReadTool(dir);
    await fc.assert(
      fc.asyncProperty(content, fc.option(fc.integer({ min: 1, max: 900 })), async (text, wanted) => {
        writeFileSync(join(dir, "f"), text);
        const total = text.split("\n").length;
        // Some forty pieces say as much as thousands.
        const limit = wanted && Math.max(wanted, Math.ceil(total / 40));
        const pieces: string[] = [];
        let lines = 0;
        for (let offset: number | undefined = 1; offset !== undefined; ) {
          const { content } = await read.execute("1", { path: "f", offset, ...(limit !== null && { limit }) });
          const shown = content[0]?.type === "text" ? content[0].text : "";
          const cut = SHOWN.exec(shown);
          const more = cut ? null : MORE.exec(shown);
          const piece = cut?.[1] ?? more?.[1] ?? shown;
          pieces.push(piece);
          expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(50 * 1024);
          const count = piece.split("\n").length;
          if (cut) {
            expect(cut.slice(2, 5)).toEqual([String(offset), String(offset + count - 1), String(total)]);
          }
          if (more) expect(more[2]).toBe(String(total - lines - count));
          lines += count;
          const next = cut?.[5] ?? more?.[3];
          expect(next ?? String(offset + count)).toBe(String(offset + count));
          offset = next === undefined ? undefined : Number(next);
        }
        // Only the newline at the end is not worth a notice.
        expect([text, text.replace(/\n$/, "")]).toContain(pieces.join("\n"));
      }),
      { numRuns: 60 },
    );
  });
});
