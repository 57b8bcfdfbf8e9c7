import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asciiFrame, dataEvent, namedEvent, pieces } from "./sse.js";

const texts = fc.string({ unit: "binary" });

describe("pieces", () => {
  test("add up to the text, keep to the size and never split a pair", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 9 }), (text, size) => {
        const list = [...pieces(text, size)];
        expect(list.map((piece) => piece.text).join("")).toBe(text);
        expect(list.map((piece) => piece.last)).toEqual(list.map((_, index) => index === list.length - 1));
        for (const piece of list) {
          expect(() => encodeURIComponent(piece.text)).not.toThrow();
          expect(piece.text.length).toBeLessThanOrEqual(Math.max(2, size));
        }
      }),
    );
  });

  test("an empty text has none", () => {
    expect([...pieces("", 5)]).toEqual([]);
  });
});

describe("frames", () => {
  test("asciiFrame says the same in ASCII", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const frame = asciiFrame(dataEvent({ text }));
        expect(frame).not.toMatch(/[\u0080-\uffff]/);
        expect(JSON.parse(frame.slice("data: ".length))).toEqual({ text });
      }),
    );
  });

  test("a named event has two lines", () => {
    expect(namedEvent("ping", { type: "ping" })).toBe('event: ping\ndata: {"type":"ping"}\n\n');
  });
});
