import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BLOCK_BREAK, shortenedText } from "./shorten.js";

describe("a conversation made shorter", () => {
  it("what fits stays as it is", () => {
    expect(shortenedText(["ab", "cd"], 6)).toEqual({ text: `ab${BLOCK_BREAK}cd`, omitted: 0 });
  });

  it("only what is longest loses its middle", () => {
    const { text, omitted } = shortenedText(["short", `begin${"x".repeat(1000)}end`, "also short"], 200);
    expect(text).toMatch(
      /^short\n\nbeginx+\n\n\[\.\.\. \d+ characters left out: too long to summarise\]\n\nx+end\n\nalso short$/,
    );
    expect(text).toContain(`[... ${omitted} characters`);
  });

  it("is never too long, nor half of a character, whatever there is", () => {
    const block = fc.string({ unit: fc.constantFrom("a", "\u{1f600}", "\n"), maxLength: 300 });
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 2000 }),
        (blocks, limit) => {
          const { text, omitted } = shortenedText(blocks, limit);
          expect(text.length).toBeLessThanOrEqual(limit);
          expect(Buffer.from(text).toString()).toBe(text);
          if (blocks.join(BLOCK_BREAK).length > limit) expect(omitted).toBeGreaterThan(0);
          else expect(text).toBe(blocks.join(BLOCK_BREAK));
        },
      ),
    );
  });
});
