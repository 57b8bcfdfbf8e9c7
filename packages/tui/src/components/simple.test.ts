import { describe, expect, it, vi } from "vitest";
import { stripTerminalSequences } from "../text/escapes.js";
import type { TUI } from "../types.js";
import { Box } from "./box.js";
import { Container } from "./container.js";
import { CancellableLoader, Loader } from "./loader.js";
import { SelectList } from "./select-list.js";
import { SettingsList } from "./settings-list.js";
import { Spacer } from "./spacer.js";
import { Text } from "./text.js";
import { TruncatedText } from "./truncated-text.js";

const plain = (text: string) => text;
const theme = { selectedPrefix: plain, selectedText: plain, description: plain, scrollInfo: plain, noMatch: plain };

describe("simple components", () => {
  it("Text wraps, pads, and is the same array while unchanged", () => {
    const text = new Text("hello world", 1, 1);
    expect(text.render(8)).toEqual(["        ", " hello  ", " world  ", "        "]);
    expect(text.render(8)).toBe(text.render(8));
    text.setText(" ");
    expect(text.render(8)).toEqual([]);
    expect(new Text("a\tb", 0, 0, (line) => `<${line}>`).render(6)).toEqual(["<a   b >"]);
    for (let width = 1; width < 5; width++)
      for (const line of new Text("ab", 3, 1).render(width)) expect(line).toHaveLength(width);
  });

  it.each(["\r", "\r\n", "\n"])("no line has a line break in it, and %j hides nothing", (end) => {
    const text = `one${end}two`;
    expect(new Text(text, 0, 0).render(9)).toEqual(["one      ", "two      "]);
    expect(new Text(`\x1b[31mone${end}two`, 0, 0).render(9).map(stripTerminalSequences)).toEqual([
      "one      ",
      "two      ",
    ]);
    expect(new TruncatedText(text).render(9)).toEqual(["one      "]);
    const box = new Box(0, 0);
    box.addChild({ render: () => [text], invalidate: () => {} });
    expect(box.render(9)).toEqual(["one two  "]);
    const item = { value: "v", label: text, description: text };
    expect(new SelectList([item], 5, theme).render(60)[0]).toMatch(/^→ one two +one two$/);
    expect(new SelectList([item], 5, theme, { truncatePrimary: () => text }).render(60)[0]).toMatch(
      /^→ one two +one two$/,
    );
    const settingsTheme = { label: plain, value: plain, description: plain, cursor: "> ", hint: plain };
    const setting = { id: "a", label: text, currentValue: text, description: text };
    const none = () => {};
    const [row, ...below] = new SettingsList([setting], 5, settingsTheme, none, none).render(60);
    expect(row).toBe("> one two  one two");
    expect(below.join("")).not.toMatch(/[\r\n]/);
  });

  it("TruncatedText shows the first line", () => {
    expect(new TruncatedText("one two three\nfour", 1).render(10)).toEqual([" one t\x1b[0m...\x1b[0m "]);
  });

  it("Box draws padding and background, and follows the theme behind its function", () => {
    let mark = "a";
    const box = new Box(1, 1, (line) => `${mark}${line}`);
    expect(box.render(5)).toEqual([]);
    box.addChild(new Text("x", 0, 0));
    expect(box.render(5)).toEqual(["a     ", "a x   ", "a     "]);
    expect(box.render(5)).toBe(box.render(5));
    mark = "b";
    expect(box.render(5)[1]).toBe("b x   ");
  });

  it("Container joins its children and notices every change", () => {
    const container = new Container();
    const parts = ["a", "b", "c"].map((text) => new Text(text, 0, 0));
    for (const part of parts) container.addChild(part);
    expect(container.render(1)).toEqual(["a", "b", "c"]);
    expect(container.render(1)).toBe(container.render(1));
    parts[1]?.setText("x y");
    expect(container.render(1)).toEqual(["a", "x", "y", "c"]);
    if (parts[0]) container.removeChild(parts[0]);
    expect(container.render(1)).toEqual(["x", "y", "c"]);
    container.addChild(new Spacer(2));
    expect(container.render(1)).toEqual(["x", "y", "c", "", ""]);
    container.clear();
    expect(container.render(1)).toEqual([]);
  });

  it("a container with a drawing of its own is drawn by it, in a container too", () => {
    class Framed extends Container {
      override render(width: number): readonly string[] {
        return ["[", ...super.render(width), "]"];
      }
    }
    const outer = new Container();
    const framed = new Framed();
    framed.addChild(new Text("a", 0, 0));
    outer.addChild(framed);
    expect(outer.render(1)).toEqual(["[", "a", "]"]);
  });

  it("SelectList moves, wraps around, filters and chooses", () => {
    const items = ["one", "two", "three", "four"].map((value) => ({
      value,
      label: value,
      description: `about ${value}`,
    }));
    const list = new SelectList(items, 2, theme);
    const chosen: string[] = [];
    list.onSelect = ({ value }) => chosen.push(value);
    expect(list.render(60)).toEqual([`→ one${" ".repeat(29)}about one`, `  two${" ".repeat(29)}about two`, "  (1/4)"]);
    expect(list.render(20)[0]).toBe("→ one");
    list.handleInput("\x1b[A");
    list.handleInput("\r");
    list.handleInput("\x1b[B");
    list.handleInput("\r");
    list.handleInput("\x1b[6~");
    list.handleInput("\r");
    expect(chosen).toEqual(["four", "one", "three"]);
    list.setFilter("TH");
    expect(list.getSelectedItem()?.value).toBe("three");
    list.setFilter("x");
    expect(list.render(60)).toEqual(["  No matching commands"]);
  });

  it("Loader turns, stands still and can be cancelled", () => {
    vi.useFakeTimers();
    const tui = { requestRender: vi.fn() } as unknown as TUI;
    const loader = new Loader(tui, plain, plain, "Busy");
    const shown = () => loader.render(10).map((line) => stripTerminalSequences(line).trimEnd());
    expect(shown()).toEqual(["", " ⠋ Busy"]);
    vi.advanceTimersByTime(80);
    expect(shown()).toEqual(["", " ⠙ Busy"]);
    loader.setIndicator({ frames: [] });
    loader.setMessage("Still");
    expect(shown()).toEqual(["", " Still"]);
    loader.stop();
    const cancellable = new CancellableLoader(tui, plain, plain);
    cancellable.onAbort = vi.fn();
    cancellable.handleInput("\x1b");
    cancellable.handleInput("\x1b");
    expect(cancellable.signal.aborted).toBe(true);
    expect(cancellable.onAbort).toHaveBeenCalledTimes(1);
    cancellable.dispose();
    vi.useRealTimers();
  });
});
