import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutBytes } from "./chunking.js";
import type { Chunking } from "./types.js";

const events = fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }));
const modes = fc.oneof<fc.Arbitrary<Chunking>[]>(
  fc.constant("event"),
  fc.constant("whole"),
  fc.record({ bytes: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ seed: fc.integer() }),
);

const cut = (list: Uint8Array[], chunking: Chunking) => [...cutBytes(list, chunking)];

describe("cutBytes", () => {
  test("loses and adds nothing, and writes nothing empty", () => {
    fc.assert(
      fc.property(events, modes, (list, chunking) => {
        const chunks = cut(list, chunking);
        expect(Buffer.concat(chunks)).toEqual(Buffer.concat(list));
        expect(chunks.every((chunk) => chunk.length > 0)).toBe(true);
      }),
    );
  });

  test("cuts every n bytes, across events", () => {
    fc.assert(
      fc.property(events, fc.integer({ min: 1, max: 300 }), (list, bytes) => {
        const sizes = cut(list, { bytes }).map((chunk) => chunk.length);
        expect(sizes.slice(0, -1).every((size) => size === bytes)).toBe(true);
        expect(sizes.at(-1) ?? 1).toBeLessThanOrEqual(bytes);
      }),
    );
  });

  test("cuts 1 to 40 bytes by the seed, the same each time", () => {
    const list = [new Uint8Array(5000), new Uint8Array(3)];
    const sizes = (seed: number) => cut(list, { seed }).map((chunk) => chunk.length);
    expect(sizes(1)).toEqual(sizes(1));
    expect(sizes(1)).not.toEqual(sizes(2));
    expect(Math.min(...sizes(3))).toBe(1);
    expect(Math.max(...sizes(3))).toBe(40);
  });

  test("asks for the next event only when it is needed", () => {
    let asked = 0;
    function* counting(): Generator<Uint8Array> {
      for (;;) {
        asked += 1;
        yield new Uint8Array(10);
      }
    }
    const chunks = cutBytes(counting(), { bytes: 4 });
    chunks.next();
    chunks.next();
    expect(asked).toBe(1);
  });
});
