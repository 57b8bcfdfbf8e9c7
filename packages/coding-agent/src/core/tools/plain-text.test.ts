import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countPlainNewlines } from "./plain-text.js";

/** What the fast look must agree with. */
function slowly(bytes: Buffer): number | undefined {
  if (bytes.some((byte) => byte > 0x7e || (byte < 0x20 && byte !== 9 && byte !== 10))) return undefined;
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
    const plain = fc.constantFrom(9, 10, 10, 32, 65, 126);
    const any = fc.oneof({ weight: 200, arbitrary: plain }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 3000, size: "max" }), fc.nat(3), (values, offset) => {
        const bytes = atOffset(Buffer.from(values), offset);
        expect(countPlainNewlines(bytes)).toBe(slowly(bytes));
      }),
      { numRuns: 200 },
    );
  });

  it("counts blocks of nothing but newlines", () => {
    expect(countPlainNewlines(Buffer.alloc(100_003, 10))).toBe(100_003);
  });
});
