import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginning, formatCursor, parseCursor } from "./cursor.js";

describe("cursors", () => {
  it("are read as they were written", () => {
    const id = fc.option(fc.stringMatching(/^[\w.-]{1,40}$/), { nil: null });
    fc.assert(
      fc.property(fc.nat(), fc.nat(), id, (generation, seq, entryId) => {
        const cursor = { generation, seq, entryId };
        expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
      }),
    );
    expect(parseCursor("")).toEqual(beginning);
  });

  it.each(["x", "1.2", "1.x.y", "1.2.a b", '1.2."', "-1.2.a"])("refuses %s", (text) => {
    expect(() => parseCursor(text)).toThrow("Not a cursor");
  });
});
