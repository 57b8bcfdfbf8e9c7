import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScreenTerminal } from "../../test/screen-terminal.js";
import { Container } from "../components/container.js";
import { paintArea } from "../layout/paint.js";
import { ScrollView } from "../layout/scroll-view.js";
import { wrapTextWithAnsi } from "../text/wrap.js";
import type { Component } from "../types.js";
import { TuiAltScreen } from "./alt-screen.js";
import { TuiMainScreen } from "./main-screen.js";

/** A message that counts how often it is laid out. */
class Message implements Component {
  layouts = 0;
  private drawn: { key: string; lines: string[] } | undefined;
  constructor(public text: string) {}
  render(width: number): readonly string[] {
    const key = `${width}:${this.text}`;
    if (this.drawn?.key !== key) {
      this.layouts++;
      this.drawn = { key, lines: wrapTextWithAnsi(this.text, width) };
    }
    return this.drawn.lines;
  }
  invalidate(): void {
    this.drawn = undefined;
  }
}

const messages = (count: number) =>
  Array.from({ length: count }, (_, at) => new Message(`m${at} ${"word ".repeat(at % 9)}`));
const layouts = (all: readonly Message[]) => all.reduce((sum, one) => sum + one.layouts, 0);

function fullscreen(all: readonly Message[], columns = 20, rows = 8) {
  const terminal = new ScreenTerminal(columns, rows);
  const tui = new TuiAltScreen(terminal, false, "/nonexistent");
  const chat = new Container();
  for (const one of all) chat.addChild(one);
  const view = new ScrollView(chat, { follow: "end", primary: true, scrollbar: "hidden" });
  tui.setLayoutRoot(view);
  tui.start();
  tui.renderNow();
  const screen = async () => {
    tui.renderNow();
    await terminal.settle();
    return terminal.screen();
  };
  return { terminal, tui, chat, view, screen };
}

const linesOf = (all: readonly Message[], width: number) =>
  all.flatMap((one) => wrapTextWithAnsi(one.text, width)).map((line) => line.trimEnd());

describe("laying out only what is seen", () => {
  it("fullscreen: at the start, after a resize, and for each frame", async () => {
    const all = messages(5000);
    const { terminal, tui, screen } = fullscreen(all);
    expect(layouts(all)).toBeLessThan(20);
    expect(await screen()).toEqual(linesOf(all, 20).slice(-8));
    terminal.resize(12, 8);
    expect(await screen()).toEqual(linesOf(all, 12).slice(-8));
    expect(layouts(all)).toBeLessThan(40);
    tui.invalidate();
    await screen();
    expect(layouts(all)).toBeLessThan(60);
  });

  it("regular: after a resize and for each frame", async () => {
    const all = messages(500);
    const terminal = new ScreenTerminal(20, 8);
    const tui = new TuiMainScreen(terminal);
    for (const one of all) tui.addChild(one);
    tui.start();
    tui.renderNow();
    terminal.resize(12, 8);
    tui.renderNow();
    await terminal.settle();
    expect(terminal.screen()).toEqual(linesOf(all, 12).slice(-8));
    expect(layouts(all)).toBeLessThan(520);
  });

  it("regular: what changes while it is pushed off the screen is right in the scrollback", async () => {
    const terminal = new ScreenTerminal(20, 4);
    const tui = new TuiMainScreen(terminal);
    const [tool, answer] = [new Message("tool runs"), new Message("a")];
    tui.addChild(tool);
    tui.addChild(answer);
    tui.start();
    tui.renderNow();
    tool.text = "tool done";
    answer.text = Array.from({ length: 9 }, (_, at) => `a${at}`).join("\n");
    tui.renderNow();
    await terminal.settle();
    expect(terminal.scrollback()[0]).toBe("tool done");
  });

  it("scrolling shows every line, whatever the heights were taken for", async () => {
    const all = messages(60);
    const expected = linesOf(all, 20);
    const { view, screen } = fullscreen(all);
    const seen = await screen();
    for (let at = 0; at < 400 && view.scrollTop > 0; at++) {
      view.scrollBy(-1);
      seen.unshift((await screen())[0] ?? "");
    }
    expect(seen).toEqual(expected);
  });

  it("stays at a line while lines above it come and go", async () => {
    const all = messages(40);
    const { view, chat, screen } = fullscreen(all);
    view.scrollBy(-30);
    const before = await screen();
    for (const one of all.slice(0, 3)) chat.removeChild(one);
    expect(await screen()).toEqual(before);
    chat.children.unshift(...messages(7));
    expect(await screen()).toEqual(before);
  });

  it("a lazy container renders what an eager one does", () => {
    const step = fc.record({
      action: fc.constantFrom("add", "remove", "change", "width", "tail", "middle"),
      at: fc.nat({ max: 20 }),
      size: fc.nat({ max: 30 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const chat = new Container();
        const view = new ScrollView(chat, { follow: "end", scrollbar: "hidden" });
        let width = 10;
        for (const { action, at, size } of steps) {
          const child = chat.children[at % Math.max(1, chat.children.length)];
          if (action === "add") chat.children.splice(at, 0, new Message("ab ".repeat(size)));
          else if (action === "remove" && child) chat.removeChild(child);
          else if (action === "change" && child instanceof Message) child.text = "xy ".repeat(size);
          else if (action === "width") width = 3 + size;
          else if (action === "tail") view.scrollToEnd();
          else view.scrollTo(size);
          const frame = view[paintArea]({ x: 0, y: 0, width, height: 5 });
          const lines = chat.children.flatMap((one) => [...one.render(width)]);
          const shown = frame.filter((line) => line !== "").join("\n");
          expect(lines.filter((line) => line !== "").join("\n")).toContain(shown);
          if (view.isFollowingEnd) expect(frame.slice(0, lines.length)).toEqual(lines.slice(-frame.length));
        }
        expect(chat.render(width)).toEqual(chat.children.flatMap((one) => [...one.render(width)]));
      }),
    );
  });
});
