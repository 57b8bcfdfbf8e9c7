import { describe, expect, it } from "vitest";
import { TUI_KEYBINDINGS } from "./default-bindings.js";
import { parseKeyId } from "./key-id.js";
import { getKeybindings, getSelectPageIndex, KeybindingsManager } from "./keybindings.js";

describe("KeybindingsManager", () => {
  it("lets the user's keys replace the defaults of that action only", () => {
    const keys = new KeybindingsManager(TUI_KEYBINDINGS, { "tui.input.submit": "up", "tui.input.tab": [] });
    expect(keys.matches("\r", "tui.input.submit")).toBe(false);
    expect(keys.matches("\x1b[A", "tui.input.submit")).toBe(true);
    expect(keys.matches("\x1b[A", "tui.editor.cursorUp")).toBe(true);
    expect(keys.getKeys("tui.input.tab")).toEqual([]);
    expect(keys.getKeys("tui.input.newLine")).toEqual(["shift+enter", "ctrl+j"]);
    keys.setUserBindings({});
    expect(keys.matches("\r", "tui.input.submit")).toBe(true);
  });

  it("finds conflicts among the user's keys", () => {
    const user = { "tui.input.submit": "f1", "tui.input.tab": ["f1", "f2"], "unknown.action": "f1" } as const;
    const keys = new KeybindingsManager(TUI_KEYBINDINGS, { ...user, "tui.input.tab": ["f1", "f2"] });
    expect(keys.getConflicts()).toEqual([{ key: "f1", keybindings: ["tui.input.submit", "tui.input.tab"] }]);
    expect(getKeybindings().getConflicts()).toEqual([]);
  });

  it("has only real keys among the defaults", () => {
    for (const [id, { defaultKeys }] of Object.entries(TUI_KEYBINDINGS)) {
      for (const key of [defaultKeys].flat()) expect(parseKeyId(key), id).toBeDefined();
    }
  });

  it.each([
    ["\x1b[5~", 7, 2],
    ["\x1b[5~", 2, 0],
    ["\x1b[6~", 7, 9],
    ["x", 7, undefined],
  ])("page key %j from %i leads to %s", (data, from, expected) => {
    expect(getSelectPageIndex(getKeybindings(), data, from, 10, 5)).toBe(expected);
  });
});
