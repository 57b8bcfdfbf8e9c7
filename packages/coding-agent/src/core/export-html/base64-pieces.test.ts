import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base64Pieces } from "./base64-pieces.js";
import { decodeBase64Text } from "./page/decode.js";

describe("base64 in pieces", () => {
  it("is the base64 of the whole, however it was cut", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), (arrays) => {
        const pieces = arrays.map((bytes) => Buffer.from(bytes));
        expect([...base64Pieces(pieces)].join("")).toBe(Buffer.concat(pieces).toString("base64"));
      }),
    );
  });

  it("takes pieces that are overwritten once the next is asked for", () => {
    const shared = Buffer.alloc(4);
    function* pieces() {
      for (const text of ["abcd", "efgh", "ijkl"]) {
        shared.write(text);
        yield shared;
      }
    }
    expect(Buffer.from([...base64Pieces(pieces())].join(""), "base64").toString()).toBe("abcdefghijkl");
  });

  it("is text again in the page, also where a step cuts a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(decodeBase64Text(Buffer.from(text).toString("base64"))).toBe(text.replace(/^\ufeff/, ""));
      }),
    );
    const long = "a\u{1f600}\u00e9".repeat(400_000);
    expect(decodeBase64Text(Buffer.from(long).toString("base64")) === long).toBe(true);
  });
});
