import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countPlainNewlines } from "./plain-text.js";

/** What the fast look must agree with. */
function slowly(bytes: Buffer): number | undefined {
  const text = bytes.toString();
  if (!Buffer.from(text).equals(bytes) || /[^\P{Cc}\t\n]|[\ufff9-\ufffb]/u.test(text)) return undefined;
  return bytes.filter((byte) => byte === 10).length;
}

/** The same bytes at every alignment of memory. */
function atOffset(bytes: Buffer, offset: number): Buffer {
  return Buffer.concat([Buffer.alloc(offset), bytes]).subarray(offset);
}

describe("countPlainNewlines", () => {
  it.each(Array.from({ length: 256 }, (_, byte) => byte))("byte %d, alone and among others", (byte) => {
    for (const bytes of [Buffer.from([byte]), Buffer.from([65, 10, byte, 10, 66, 67, 68, 69, 70])]) {
      expect(countPlainNewlines(bytes)).toBe(slowly(bytes));
    }
  });

  it("agrees with a slow look, at any alignment and length", () => {
    const ascii = fc.constantFrom("\t", "\n", "\n", " ", "A", "~").map((text) => Buffer.from(text));
    const wide = fc.constantFrom("é", "\u00a0", "\uff01", "\ufffc", "日", "😀").map((text) => Buffer.from(text));
    const bad = fc.oneof(
      fc.constantFrom("\u0085", "\u009f", "\ufff9", "\ufffb", "\r", "\x7f").map((text) => Buffer.from(text)),
      fc.integer({ min: 0, max: 255 }).map((byte) => Buffer.from([byte])),
    );
    const textOf = (...parts: { weight: number; arbitrary: fc.Arbitrary<Buffer> }[]) =>
      fc.array(fc.oneof(...parts), { maxLength: 3000, size: "max" });
    const plain = { weight: 300, arbitrary: ascii };
    const odd = { weight: 1, arbitrary: bad };
    const any = fc.oneof(
      textOf(plain),
      textOf(plain, odd),
      textOf(plain, { weight: 100, arbitrary: wide }),
      textOf(plain, { weight: 100, arbitrary: wide }, odd),
    );
    fc.assert(
      fc.property(any, fc.nat(3), (parts, offset) => {
        const bytes = atOffset(Buffer.concat(parts), offset);
        expect(countPlainNewlines(bytes)).toBe(slowly(bytes));
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ["é", 30_000],
    ["·", 30_000],
    ["\u0085", 1],
  ])("gives up on %j only where there are too many to look at", (character, times) => {
    const text = `${"a\n".repeat(3000)}${character.repeat(times)}`;
    expect(countPlainNewlines(Buffer.from(text))).toBe(character === "é" ? 3000 : undefined);
  });

  it("counts blocks of nothing but newlines", () => {
    expect(countPlainNewlines(Buffer.alloc(100_003, 10))).toBe(100_003);
  });
});
