import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ScreenTerminal } from "../../test/screen-terminal.js";
import { Text } from "../components/text.js";
import { TuiAltScreen } from "./alt-screen.js";
import { TuiMainScreen } from "./main-screen.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pi-redraws-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function draw(Screen: typeof TuiMainScreen | typeof TuiAltScreen): string {
  const terminal = new ScreenTerminal(20, 5);
  const tui = new Screen(terminal, false, folder);
  const text = new Text("one", 0, 0);
  tui.addChild(text);
  tui.start();
  tui.renderNow();
  text.setText("two");
  tui.renderNow();
  tui.renderNow(true);
  tui.stop();
  return join(folder, "pi-tui-debug.log");
}

it.each([
  ["regular", TuiMainScreen, "first frame"],
  ["fullscreen", TuiAltScreen, "first frame, or another size"],
] as const)("PI_TUI_DEBUG_REDRAW=1 tells why whole screens were drawn, %s", (_mode, Screen, first) => {
  vi.stubEnv("PI_TUI_DEBUG_REDRAW", "1");
  const reasons = readFileSync(draw(Screen), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.replace(/^\S+Z /, ""));
  expect(reasons).toEqual([`full redraw: ${first}`, "full redraw: asked for"]);
});

it("nothing is written unless it is wanted", () => {
  expect(existsSync(draw(TuiMainScreen))).toBe(false);
});
