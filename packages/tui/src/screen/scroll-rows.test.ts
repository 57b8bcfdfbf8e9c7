import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScreenTerminal } from "../../test/screen-terminal.js";
import { scrollRows } from "./scroll-rows.js";

describe("scrollRows", () => {
  it("moves a transcript and leaves what is below", () => {
    const rows = ["a", "b", "c", "d", "e", "editor"];
    expect(scrollRows(rows, ["b", "c", "d", "e", "f", "editor"])).toEqual({
      out: "\x1b[1;5r\x1b[1S\x1b[r",
      rows: ["b", "c", "d", "e", "", "editor"],
    });
    expect(scrollRows(rows, ["x", "y", "a", "b", "c", "editor"]).out).toBe("\x1b[1;5r\x1b[2T\x1b[r");
    expect(scrollRows(rows, ["a", "b", "X", "d", "e", "editor"]).out).toBe("");
  });

  it("says what the terminal then shows", async () => {
    const row = fc.constantFrom("", "a", "b", "c", "d", "e", "f", "g");
    const screen = fc.array(row, { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(screen, screen, fc.integer({ min: -4, max: 4 }), async (rows, filling, by) => {
        const next = rows.map((_, at) => rows[at + by] ?? filling[at] ?? "");
        const terminal = new ScreenTerminal(10, 8);
        terminal.write(rows.join("\r\n"));
        const result = scrollRows(rows, next);
        terminal.write(result.out);
        await terminal.settle();
        expect(terminal.screen()).toEqual(result.rows);
      }),
    );
  });
});
