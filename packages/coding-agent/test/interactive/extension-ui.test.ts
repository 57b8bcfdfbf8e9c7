import { type Component, Text } from "@earendil-works/pi-tui";
import { expect, it } from "vitest";
import { CustomEditor } from "../../src/modes/interactive/input/custom-editor.js";
import { useMode } from "./in-process.js";

const start = useMode();

it("asks in place of the editor, newest first, and keeps the draft", async () => {
  const { mode, terminal } = await start();
  terminal.type("d", "r", "a", "f", "t");
  const ui = mode.extensionUI;
  const fruit = ui.select("Which fruit?\nTake one.", ["apple", "pear"]);
  const sure = ui.confirm("Sure?", "It cannot be undone.");
  expect(await terminal.screen()).toMatch(
    /Sure\?\nIt cannot be undone\.\n→ Yes\n {2}No\n ↑↓ navigate {2}enter select {2}escape\/ctrl\+c cancel/,
  );
  terminal.type("\r");
  expect(await sure).toBe(true);
  expect(await terminal.screen()).toContain("Which fruit?\nTake one.\n→ apple\n  pear");
  terminal.type("\x1b[B", "\r");
  expect(await fruit).toBe("pear");
  expect(await terminal.screen()).toContain("\ndraft\n");
});

it("takes a cancelled, an aborted and a late dialog as not answered", async () => {
  const { mode, terminal } = await start();
  const ui = mode.extensionUI;
  const cancelled = ui.input("Name?");
  terminal.type("x", "\x1b");
  expect(await cancelled).toBeUndefined();
  const abort = new AbortController();
  const aborted = ui.confirm("Still there?", "", { signal: abort.signal });
  abort.abort();
  expect(await aborted).toBe(false);
  const late = ui.select("Quick!", ["a"], { timeout: 900 });
  expect(await terminal.screen()).toContain("Quick! (1s)");
  expect(await late).toBeUndefined();
});

it("edits a text of several lines", async () => {
  const { mode, terminal } = await start();
  const text = mode.extensionUI.editor("Describe it", "one\ntwo");
  expect(await terminal.screen()).toMatch(/Describe it\n─+\none\ntwo\n─+/);
  terminal.type("!", "\r");
  expect(await text).toBe("one\ntwo!");
});

it("shows widgets on both sides of the editor, ten lines of each", async () => {
  const { mode, terminal } = await start(60, 40);
  const ui = mode.extensionUI;
  ui.setWidget(
    "many",
    Array.from({ length: 12 }, (_, at) => `line ${at + 1}`),
  );
  ui.setWidget("below", (_tui, theme) => new Text(theme.fg("accent", "underneath"), 0, 0), {
    placement: "belowEditor",
  });
  const screen = await terminal.screen();
  expect(screen).toMatch(/line 1\n[\s\S]*line 10\n\.\.\. \(widget truncated\)\n─+\n\n─+\nunderneath\n/);
  expect(screen).not.toContain("line 11");
  ui.setWidget("many", undefined);
  ui.setWidget("below", undefined);
  expect(await terminal.screen()).not.toMatch(/line 1|underneath/);
});

it("replaces header, footer and editor, and brings them back", async () => {
  const { mode, terminal } = await start();
  const ui = mode.extensionUI;
  terminal.type("d", "r", "a", "f", "t");
  ui.setStatus("key", "value");
  ui.setHeader(() => new Text("my header", 0, 0));
  ui.setFooter((_tui, _theme, data) => new Text(`my footer ${[...data.getExtensionStatuses()].join("=")}`, 0, 0));
  class Loud extends CustomEditor {
    protected override renderTopBorder(width: number): string {
      return "!".repeat(width);
    }
  }
  ui.setEditorComponent((tui, theme, keybindings) => new Loud(tui, theme, keybindings));
  const screen = await terminal.screen();
  expect(screen).toContain("my header");
  expect(screen).toContain("my footer key,value");
  expect(screen).toMatch(/!{80}\ndraft\n/);
  ui.reset();
  const after = await terminal.screen();
  expect(after).toContain("escape interrupt");
  expect(after).toContain("no-model");
  expect(after).toMatch(/─{80}\ndraft\n/);
});

it("gives a component the focus until it is done, inline and as an overlay", async () => {
  const { mode, terminal } = await start();
  const ui = mode.extensionUI;
  const ended: string[] = [];
  const component = (name: string, done: (answer: string) => void): Component & { dispose(): void } => ({
    render: () => [`component ${name}`],
    invalidate: () => {},
    handleInput: (data) => done(`${name}:${data}`),
    dispose: () => void ended.push(name),
  });
  const inline = ui.custom<string>((_tui, _theme, _keys, done) => component("inline", done));
  expect(await terminal.screen()).toContain("component inline");
  terminal.type("x");
  expect(await inline).toBe("inline:x");
  const overlay = ui.custom<string>((_tui, _theme, _keys, done) => component("overlay", done), { overlay: true });
  expect(await terminal.screen()).toContain("component overlay");
  terminal.type("y");
  expect(await overlay).toBe("overlay:y");
  expect(ended).toEqual(["inline", "overlay"]);
  terminal.type("z");
  expect(await terminal.screen()).toContain("\nz\n");
});

it("says messages, sets titles and themes, and hears keys first", async () => {
  const { mode, terminal } = await start();
  const ui = mode.extensionUI;
  ui.notify("for your information");
  ui.notify("careful", "warning");
  ui.setTitle("mine");
  expect(ui.setTheme("light")).toEqual({ success: true });
  expect(ui.theme.name).toBe("light");
  expect(ui.setTheme("nobody").error).toContain('No theme is called "nobody"');
  const end = ui.onTerminalInput((data) => (data === "a" ? { data: "b" } : { consume: data === "c" }));
  terminal.type("a", "c", "d");
  end();
  terminal.type("a");
  const screen = await terminal.screen();
  expect(screen).toContain("for your information");
  expect(screen).toContain("Warning: careful");
  expect(screen).toContain("\nbda\n");
  expect(terminal.titles.at(-1)).toBe("mine");
});
