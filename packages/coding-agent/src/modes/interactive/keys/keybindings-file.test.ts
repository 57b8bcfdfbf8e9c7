import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../../../../test/temporary-folder.js";
import { currentActionName } from "./app-bindings.js";
import { AppKeybindings, bindingsOf } from "./keybindings-file.js";

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

describe.skipIf(process.platform === "win32")("a keybindings.json that is no file", () => {
  let dir: string;
  inTemporaryFolder("pi-keys-", (path) => {
    dir = path;
  });

  it("is said, and the usual keys are in force", () => {
    const path = join(dir, "keybindings.json");
    execFileSync("mkfifo", [path]);
    const keys = new AppKeybindings(dir);
    expect(keys.error).toBe(
      `${path}: it is a named pipe, but a file is expected there. The usual keys are in force until you correct it.`,
    );
    expect(keys.actions().find(({ id }) => id === "app.exit")?.keys).not.toEqual([]);
  });
});
