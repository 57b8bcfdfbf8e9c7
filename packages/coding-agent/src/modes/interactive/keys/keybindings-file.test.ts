import { describe, expect, it } from "vitest";
import { currentActionName } from "./app-bindings.js";
import { bindingsOf } from "./keybindings-file.js";

describe("keybindings.json", () => {
  it.each([
    [{ "app.exit": "ctrl+q" }, { "app.exit": "ctrl+q" }],
    [{ exit: ["ctrl+q", "f10"] }, { "app.exit": ["ctrl+q", "f10"] }],
    [{ "app.exit": "f1", exit: "f2" }, { "app.exit": "f1" }],
    [
      { cursorUp: [], selectUp: "k" },
      { "tui.editor.cursorUp": [], "tui.select.up": "k" },
    ],
    [{ $schema: "x", "app.exit": 3, "app.clear": [1], nobody: "x" }, {}],
  ])("%j", (file, bindings) => {
    expect(bindingsOf(file)).toEqual(bindings);
  });

  it("takes nothing but an object", () => {
    expect(() => bindingsOf([])).toThrow("expected an object");
  });

  it("knows no name that nothing ever had", () => {
    expect(currentActionName("toString", (id) => id === "app.exit")).toBeUndefined();
  });
});
