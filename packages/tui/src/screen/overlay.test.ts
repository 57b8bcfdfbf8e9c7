import { describe, expect, it } from "vitest";
import { ScreenTerminal } from "../../test/screen-terminal.js";
import type { Component, OverlayOptions } from "../types.js";
import { TuiMainScreen } from "./main-screen.js";
import { overlayArea } from "./overlay-layout.js";

describe("overlayArea on 100 × 40", () => {
  it.each<[OverlayOptions, number, [row: number, col: number, width: number, height: number]]>([
    [{}, 10, [15, 10, 80, 10]],
    [{ width: 20, anchor: "top-left" }, 3, [0, 0, 20, 3]],
    [{ width: 20, anchor: "bottom-right", margin: 2 }, 3, [35, 78, 20, 3]],
    [{ width: "50%", maxHeight: "25%" }, 30, [15, 25, 50, 10]],
    [{ width: 10, minWidth: 30, anchor: "top-center" }, 1, [0, 35, 30, 1]],
    [{ width: 10, row: "100%", col: "0%" }, 4, [36, 0, 10, 4]],
    [{ width: 10, row: 5, col: 95 }, 4, [5, 90, 10, 4]],
    [{ width: 10, anchor: "top-left", offsetX: 3, offsetY: -3 }, 4, [0, 3, 10, 4]],
    [{ width: 500, margin: { left: -5, right: 10 } }, 1, [19, 0, 90, 1]],
    [{ anchor: "right-center", width: 10 }, 2, [19, 90, 10, 2]],
  ])("%j, %i high", (options, height, [row, col, width, shown]) => {
    expect(overlayArea(options, 100, 40).place(height)).toEqual({ row, col, width, height: shown });
  });

  it("fits the smallest terminal", () => {
    expect(overlayArea({ width: 50, margin: 9 }, 1, 1).place(5)).toMatchObject({ width: 1, height: 1 });
  });
});

class Part implements Component {
  focused = false;
  readonly inputs: string[] = [];
  constructor(readonly name: string) {}
  render(): readonly string[] {
    return [this.name];
  }
  handleInput(data: string): void {
    this.inputs.push(data);
  }
  invalidate(): void {}
}

function setup() {
  const terminal = new ScreenTerminal(20, 5);
  const tui = new TuiMainScreen(terminal);
  const editor = new Part("editor");
  tui.addChild(editor);
  tui.setFocus(editor);
  tui.start();
  const parts = [editor];
  const part = (name: string) => {
    const one = new Part(name);
    parts.push(one);
    return one;
  };
  /** Who gets the keys. */
  const focused = () => {
    tui.renderNow();
    terminal.type("k");
    const taker = parts.find((one) => one.inputs.pop() !== undefined);
    expect(parts.filter((one) => one.focused)).toEqual(taker ? [taker] : []);
    return taker?.name;
  };
  return { terminal, tui, editor, part, focused };
}

describe("focus and overlays", () => {
  it("goes to the overlay and back, through hiding and showing", () => {
    const { tui, part, focused } = setup();
    const first = tui.showOverlay(part("first"));
    const second = tui.showOverlay(part("second"));
    expect(focused()).toBe("second");
    second.setHidden(true);
    expect(focused()).toBe("first");
    second.setHidden(false);
    expect(focused()).toBe("second");
    first.focus();
    expect(focused()).toBe("first");
    first.hide();
    expect(focused()).toBe("second");
    tui.hideOverlay();
    expect(focused()).toBe("editor");
    expect(tui.hasOverlay()).toBe(false);
  });

  it("stays where it is with an overlay that does not take it", () => {
    const { tui, part, focused } = setup();
    const handle = tui.showOverlay(part("hint"), { nonCapturing: true });
    expect(focused()).toBe("editor");
    handle.focus();
    expect(focused()).toBe("hint");
    handle.unfocus();
    expect(focused()).toBe("editor");
  });

  it("leaves an overlay that the terminal has become too small for", () => {
    const { terminal, tui, part, focused } = setup();
    tui.showOverlay(part("wide"), { visible: (columns) => columns >= 20 });
    expect(focused()).toBe("wide");
    terminal.resize(10, 5);
    expect(focused()).toBe("editor");
  });

  it("comes back to the overlay from a component that borrowed it", () => {
    const { tui, editor, part, focused } = setup();
    const overlay = tui.showOverlay(part("overlay"));
    const dialog = part("dialog");
    tui.addChild(dialog);
    tui.setFocus(dialog);
    expect(focused()).toBe("dialog");
    tui.removeChild(dialog);
    expect(focused()).toBe("overlay");
    tui.addChild(dialog);
    tui.setFocus(dialog);
    tui.setFocus(editor);
    expect(focused()).toBe("overlay");
    overlay.unfocus({ target: editor });
    expect(focused()).toBe("editor");
  });
});

describe("input on its way", () => {
  it("passes listeners, which change, drop and keep it", () => {
    const { terminal, tui, editor } = setup();
    const stop = tui.addInputListener((data) =>
      data === "a" ? { data: "b" } : data === "x" ? { consume: true } : undefined,
    );
    tui.addInputListener((data) => (data === "y" ? { data: "" } : undefined));
    for (const key of ["a", "x", "y", "z"]) terminal.type(key);
    expect(editor.inputs).toEqual(["b", "z"]);
    stop();
    terminal.type("a");
    expect(editor.inputs).toEqual(["b", "z", "a"]);
  });

  it("keeps the terminal's answers and key releases from components", async () => {
    const { terminal, tui, editor } = setup();
    const schemes: string[] = [];
    tui.onTerminalColorSchemeChange((scheme) => schemes.push(scheme));
    const asked = tui.queryTerminalColors({ timeoutMs: 1000 });
    terminal.type("\x1b]11;rgb:ffff/8080/0000\x1b\\");
    terminal.type("\x1b[?62c");
    expect(await asked).toEqual({ background: { r: 255, g: 128, b: 0 } });
    terminal.type("\x1b[?997;2n");
    terminal.type("\x1b[97;1:3u");
    expect(schemes).toEqual(["light"]);
    expect(editor.inputs).toEqual([]);
  });
});
