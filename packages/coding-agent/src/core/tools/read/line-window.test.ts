import fc from "fast-check";
import { expect, it } from "vitest";
import { truncateHead } from "../truncate.js";
import { LineWindow } from "./line-window.js";

const parts = fc.array(fc.constantFrom("a", "bb", "é", "\n", "\n", "€€€"), { maxLength: 40 });

it("shows what slicing the whole text shows, however it arrives", () => {
  fc.assert(
    fc.property(
      parts,
      fc.nat(6),
      fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 20 }),
      (pieces, start, count, maxLines, maxBytes) => {
        const lines = pieces.join("").split("\n");
        const selected = lines.slice(start, count === undefined ? undefined : start + count);
        const window = new LineWindow({ start, count, maxLines, maxBytes });
        for (const piece of pieces) window.push(piece);
        const found = window.finish();
        expect(found).toEqual({
          totalLines: lines.length,
          endsWithNewline: pieces.at(-1) === "\n",
          selectedLines: selected.length,
          firstLineBytes: Buffer.byteLength(selected[0] ?? ""),
          truncation: truncateHead(selected.join("\n"), { maxLines, maxBytes }),
        });
      },
    ),
    { numRuns: 3000 },
  );
});
