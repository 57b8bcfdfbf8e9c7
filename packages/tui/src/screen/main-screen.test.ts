import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScreenTerminal } from "../../test/screen-terminal.js";
import { CURSOR_MARKER, renderFakeCursor } from "../cursor.js";
import { visibleWidth } from "../text/width.js";
import type { Component } from "../types.js";
import { TuiMainScreen } from "./main-screen.js";

/** A component whose lines a test sets. */
class Lines implements Component {
  focused = false;
  readonly inputs: string[] = [];
  constructor(public lines: readonly string[]) {}
  render(): readonly string[] {
    return this.lines;
  }
  handleInput(data: string): void {
    this.inputs.push(data);
  }
  invalidate(): void {}
}

function start(columns: number, rows: number, ...lines: string[][]) {
  const terminal = new ScreenTerminal(columns, rows);
  const tui = new TuiMainScreen(terminal, false, "/nonexistent");
  const parts = lines.map((one) => new Lines(one));
  for (const part of parts) tui.addChild(part);
  tui.start();
  tui.renderNow();
  return { terminal, tui, parts };
}

const numbered = (count: number, name = "line") => Array.from({ length: count }, (_, at) => `${name} ${at}`);
const trimmed = (lines: string[]) => lines.join("\n").trimEnd().split("\n");

describe("TuiMainScreen", () => {
  it("leaves what scrolls off in the scrollback, once", async () => {
    const { terminal, tui, parts } = start(20, 5, numbered(3), ["editor"]);
    for (let count = 4; count <= 12; count++) {
      if (parts[0]) parts[0].lines = numbered(count);
      tui.renderNow();
    }
    await terminal.settle();
    expect(terminal.screen()).toEqual([...numbered(12).slice(-4), "editor"]);
    expect(terminal.scrollback()).toEqual(numbered(8));
  });

  it("does not replay what changed above the screen, and keeps the rest in place", async () => {
    const { terminal, tui, parts } = start(20, 5, numbered(8, "old"), ["tail"], ["editor"]);
    if (parts[0]) parts[0].lines = ["changed", ...numbered(8, "old").slice(1)];
    if (parts[1]) parts[1].lines = ["tail", "more"];
    tui.renderNow();
    await terminal.settle();
    expect(terminal.screen()).toEqual(["old 6", "old 7", "tail", "more", "editor"]);
    expect(terminal.scrollback()).toEqual(numbered(6, "old"));
    expect(terminal.writes.join("")).not.toContain("\x1b[3J");
  });

  it("sends only the cells that differ", async () => {
    const { terminal, tui, parts } = start(100, 10, ["\x1b[31mThe answer is fourty-one\x1b[0m and more text"]);
    terminal.writes.length = 0;
    if (parts[0]) parts[0].lines = ["\x1b[31mThe answer is fourty-two\x1b[0m and more text"];
    tui.renderNow();
    expect(terminal.writes).toHaveLength(1);
    expect(terminal.writes.join("")).toBe("\x1b[?2026h\x1b[22G\x1b[31mtwo\x1b[0m\x1b[?2026l");
    terminal.writes.length = 0;
    tui.renderNow();
    expect(terminal.writes).toEqual([]);
  });

  it("cuts lines that are too wide, at any width", async () => {
    for (let columns = 2; columns <= 6; columns++) {
      const { terminal } = start(columns, 4, ["中文字 wide", "a\tb", "\x1b[2J\x1b[5;5Hx\r\ny"]);
      await terminal.settle();
      for (const row of terminal.screen()) expect(visibleWidth(row)).toBeLessThanOrEqual(columns);
      expect(terminal.screen()[2]).toBe("xy".slice(0, columns));
    }
  });

  it("puts the cursor where the text is inserted, shown or not", async () => {
    const { terminal, tui } = start(20, 5, ["one", `中${CURSOR_MARKER}${renderFakeCursor("x")}y`, "end"]);
    await terminal.settle();
    expect(terminal.cursor()).toEqual({ column: 2, row: 1 });
    expect(terminal.screen()[1]).toBe("中xy");
    expect(terminal.writes.join("")).toContain("\x1b[7mx\x1b[27m");
    tui.setShowHardwareCursor(true);
    tui.renderNow();
    expect(terminal.writes.at(-1)).toContain("\x1b[?25h");
  });

  it("goes on below when stopped, and draws again when started", async () => {
    const { terminal, tui } = start(20, 5, ["one", "two"]);
    tui.stop();
    terminal.write("$\r\n");
    tui.start();
    tui.requestRender(true);
    tui.renderNow();
    await terminal.settle();
    expect(trimmed([...terminal.scrollback(), ...terminal.screen()])).toEqual(["one", "two", "$", "one", "two"]);
  });

  it("draws an overlay over the content and takes it away again", async () => {
    const { terminal, tui, parts } = start(20, 6, ["one", "two", "three"]);
    tui.setFocus(parts[0] ?? null);
    const box = new Lines(["┌──┐", "└──┘"]);
    const handle = tui.showOverlay(box, { width: 4, anchor: "top-left", offsetX: 1, offsetY: 1 });
    tui.renderNow();
    await terminal.settle();
    expect(terminal.screen().slice(0, 3)).toEqual(["one", "t┌──┐", "t└──┘"]);
    expect(handle.getBounds()).toEqual({ row: 1, col: 1, width: 4, height: 2 });
    terminal.type("x");
    expect(box.inputs).toEqual(["x"]);
    handle.hide();
    tui.renderNow();
    await terminal.settle();
    expect(terminal.screen()).toEqual(["one", "two", "three", "", "", ""]);
    terminal.type("y");
    expect(parts[0]?.inputs).toEqual(["y"]);
  });

  it("shows after any changes what a full drawing shows", async () => {
    const piece = fc.constantFrom("a", "b", " ", "中", "é", "👍", "\x1b[31m", "\x1b[7m", "\x1b[0m", "─");
    const line = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    const block = fc.array(line, { maxLength: 4 });
    const step = fc.tuple(fc.nat({ max: 2 }), block);
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 2, max: 14 }),
        async (steps, columns) => {
          const { terminal, tui, parts } = start(columns, 13, [], [], []);
          for (const [at, lines] of steps) {
            const part = parts[at];
            if (part) part.lines = lines;
            tui.renderNow();
          }
          const fresh = start(columns, 13, ...parts.map((part) => [...part.lines]));
          await Promise.all([terminal.settle(), fresh.terminal.settle()]);
          expect(terminal.cells()).toEqual(fresh.terminal.cells());
        },
      ),
      { numRuns: 60 },
    );
  });

  it("shows the end of the content after any growth and resize", async () => {
    const step = fc.oneof(
      fc.record({ at: fc.nat({ max: 1 }), count: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ columns: fc.integer({ min: 4, max: 30 }), rows: fc.integer({ min: 2, max: 10 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        const { terminal, tui, parts } = start(20, 6, ["first"], ["second"], ["editor"]);
        let named = 0;
        for (const one of steps) {
          if ("columns" in one) {
            terminal.resize(one.columns, one.rows);
          } else {
            const part = parts[one.at];
            if (part) part.lines = [...part.lines, ...Array.from({ length: one.count }, () => `n${++named}`)];
          }
          tui.renderNow();
        }
        await terminal.settle();
        const all = parts.flatMap((part) => [...part.lines]);
        const expected = all.map((text) => text.slice(0, terminal.columns)).slice(-terminal.rows);
        expect(trimmed(terminal.screen()).slice(-expected.length)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});
