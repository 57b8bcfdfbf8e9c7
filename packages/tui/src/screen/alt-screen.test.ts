import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScreenTerminal } from "../../test/screen-terminal.js";
import { Text } from "../components/text.js";
import { distribute } from "../layout/flex.js";
import { MouseRegion } from "../layout/mouse-region.js";
import { ScrollView } from "../layout/scroll-view.js";
import { HStack, VStack } from "../layout/stacks.js";
import { hyperlink } from "../text/links.js";
import { TuiAltScreen, type TuiAltScreenOptions } from "./alt-screen.js";
import { WheelSpeed } from "./mouse-input.js";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join("\n");

function start(text: string, options: TuiAltScreenOptions = {}, rows = 6) {
  const terminal = new ScreenTerminal(20, rows);
  const tui = new TuiAltScreen(terminal, false, "/nonexistent", options);
  const transcript = new Text(text, 0, 0);
  const view = new ScrollView(transcript, { follow: "end", primary: true, scrollbar: "hidden" });
  const editor = new Text("editor", 0, 0);
  tui.setLayoutRoot(
    new VStack([
      { component: view, basis: 0, grow: 1, minSize: 1 },
      { component: editor, shrink: 1 },
    ]),
  );
  tui.start();
  tui.renderNow();
  const screen = async () => {
    tui.renderNow();
    await terminal.settle();
    return terminal.screen();
  };
  return { terminal, tui, transcript, view, screen };
}

describe("TuiAltScreen", () => {
  it("fills the screen and follows the end until it is scrolled away", async () => {
    const { tui, terminal, transcript, screen } = start(numbered(10));
    expect(await screen()).toEqual(["line 5", "line 6", "line 7", "line 8", "line 9", "editor"]);
    terminal.type("\x1b[5~");
    expect((await screen())[0]).toBe("line 4");
    expect(tui.isFollowingOutput).toBe(false);
    transcript.setText(numbered(12));
    expect((await screen())[0]).toBe("line 4");
    terminal.type("\x1b[1;5F");
    transcript.setText(numbered(13));
    expect((await screen())[4]).toBe("line 12");
    terminal.type("\x1b[1;5H");
    expect((await screen())[0]).toBe("line 0");
  });

  it("shows its children without a layout", async () => {
    const terminal = new ScreenTerminal(20, 3);
    const tui = new TuiAltScreen(terminal);
    tui.addChild(new Text(numbered(4), 0, 0));
    tui.start();
    tui.addChild(new Text("end", 0, 0));
    tui.renderNow();
    await terminal.settle();
    expect(terminal.screen()).toEqual(["line 2", "line 3", "end"]);
  });

  it("gives the screen back, and prints the document when asked", async () => {
    const { terminal, tui } = start(numbered(8));
    tui.stop({ preserveScreen: false });
    await terminal.settle();
    expect([...terminal.scrollback(), ...terminal.screen()].slice(0, 9)).toEqual([
      ...numbered(8).split("\n"),
      "editor",
    ]);
    const written = terminal.writes.join("");
    for (const mode of ["1000", "1002", "1003", "1004", "1006", "1049"]) {
      expect(written.split(`\x1b[?${mode}h`).length, mode).toBeLessThanOrEqual(written.split(`\x1b[?${mode}l`).length);
    }
  });

  it("sends only the cells that differ", () => {
    const { terminal, tui, transcript } = start("one");
    terminal.writes.length = 0;
    transcript.setText("ones");
    tui.renderNow();
    expect(terminal.writes).toEqual(["\x1b[?2026h\x1b[1;1H\x1b[4Gs\x1b[?2026l"]);
  });

  it("selects by dragging, by words and by lines, and copies", async () => {
    const copied: string[] = [];
    const copySelection = async (text: string) => copied.push(text) > 0;
    const { terminal, screen } = start("alpha beta\ngamma delta", { copySelection });
    const mouse = (code: number, x: number, y: number, end = "M") => terminal.type(`\x1b[<${code};${x};${y}${end}`);
    mouse(0, 7, 1);
    mouse(32, 5, 2);
    await screen();
    expect(terminal.cells()[0]).toMatch(/ -1,-1,0,0,0\|b-1,-1,0,[1-9]/);
    mouse(0, 5, 2, "m");
    for (let click = 0; click < 3; click++) {
      mouse(0, 8, 1);
      mouse(0, 8, 1, "m");
    }
    expect(copied).toEqual(["beta\ngamma", "beta", "alpha beta"]);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await screen())[0]).toContain("Copied!");
  });

  it("searches, and goes from match to match", async () => {
    const { terminal, view, screen } = start(numbered(30));
    terminal.type("\x1b[102;6u");
    for (const char of "LINE 1") terminal.type(char);
    expect((await screen())[5]).toMatch(/^Search: LINE 1/);
    expect(view.scrollTop).toBeLessThan(25);
    const first = view.scrollTop;
    for (let at = 0; at < 3; at++) terminal.type("\r");
    expect(view.scrollTop).not.toBe(first);
    terminal.type("\x1b");
    expect((await screen())[5]).toBe("editor");
  });

  it("opens links, sends clicks to components and scrolls with the wheel", async () => {
    const opened: string[] = [];
    const { terminal, tui, view, screen } = start(`${numbered(20)}\n${hyperlink("here", "https://x.y")}`, {
      openUrl: (url) => opened.push(url),
      wheelScrollLines: 2,
    });
    const click = (x: number, y: number) => {
      terminal.type(`\x1b[<0;${x};${y}M`);
      terminal.type(`\x1b[<0;${x};${y}m`);
    };
    click(2, 5);
    expect(opened).toEqual(["https://x.y"]);
    const top = view.scrollTop;
    terminal.type("\x1b[<64;1;1M");
    expect(view.scrollTop).toBe(top - 2);
    const clicks: string[] = [];
    const button = new MouseRegion(new Text("ok", 0, 0), ({ type, x, y }) => {
      if (type === "click") clicks.push(`${x},${y}`);
      return { handled: true };
    });
    tui.setLayoutRoot(new HStack([{ component: new Text("left", 0, 0), basis: 10 }, button]));
    expect((await screen())[0]).toBe("left      ok");
    click(12, 1);
    expect(clicks).toEqual(["1,0"]);
  });

  it("draws after any changes what a full drawing shows", async () => {
    const step = fc.record({ count: fc.integer({ min: 0, max: 30 }), scroll: fc.integer({ min: -10, max: 10 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { terminal, tui, transcript, view } = start("");
        for (const { count, scroll } of steps) {
          transcript.setText(numbered(count));
          tui.renderNow();
          view.scrollBy(scroll);
          tui.renderNow();
        }
        await terminal.settle();
        const before = terminal.cells();
        tui.renderNow(true);
        await terminal.settle();
        expect(terminal.cells()).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });
});

describe("layout", () => {
  it("shares the space exactly", () => {
    const item = fc.record({
      basis: fc.nat({ max: 20 }),
      grow: fc.nat({ max: 3 }),
      shrink: fc.nat({ max: 3 }),
      min: fc.nat({ max: 5 }),
      max: fc.integer({ min: 5, max: 40 }),
    });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 6 }), fc.nat({ max: 80 }), (items, available) => {
        const sizes = distribute(items, available);
        const total = sizes.reduce((sum, size) => sum + size, 0);
        expect(total).toBeLessThanOrEqual(available);
        const canGrow = items.some(({ grow, max }, at) => grow > 0 && (sizes[at] ?? 0) < max);
        if (canGrow) expect(total).toBe(available);
        for (const size of sizes) expect(Number.isInteger(size) && size >= 0).toBe(true);
      }),
    );
  });

  it("turns the wheel faster when it is turned faster", () => {
    const speed = new WheelSpeed();
    expect([0, 100, 150, 170, 171].map((now) => speed.step(now))).toEqual([1, 1, 2, 5, 6]);
  });
});
