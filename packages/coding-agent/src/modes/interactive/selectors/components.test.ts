import { type Component, setKeybindings, TuiMainScreen } from "@earendil-works/pi-tui";
import { beforeAll, describe, expect, it } from "vitest";
import { EmulatedTerminal } from "../../../../test/interactive/emulator.js";
import { inTemporaryFolder } from "../../../../test/temporary-folder.js";
import { AppKeybindings } from "../keys/keybindings-file.js";
import { initTheme } from "../theme/init-theme.js";
import {
  ArminComponent,
  ExtensionEditorComponent,
  ExtensionInputComponent,
  ExtensionSelectorComponent,
  LoginDialogComponent,
  OAuthSelectorComponent,
  SettingsSelectorComponent,
  ShowImagesSelectorComponent,
  ThemeSelectorComponent,
  ThinkingSelectorComponent,
  UserMessageSelectorComponent,
} from "./components.js";
import { SessionSelectorComponent } from "./session-selector.js";
import { TreeSelectorComponent } from "./tree-selector.js";

let folder = "";
inTemporaryFolder("pi-selectors-", (path) => {
  folder = path;
});
beforeAll(() => initTheme("dark"));

const tui = new TuiMainScreen(new EmulatedTerminal());

type Answer = (...given: unknown[]) => void;
/** Each selector with its second item chosen, or a text typed, and what is told then. */
const selectors: [string, (done: Answer, cancel: () => void) => Component, string, unknown[]][] = [
  ["thinking", (done, cancel) => new ThinkingSelectorComponent("off", ["off", "high"], done, cancel), "high", ["high"]],
  ["theme", (done, cancel) => new ThemeSelectorComponent("system", done, cancel, () => {}), "dark", ["dark"]],
  ["images", (done, cancel) => new ShowImagesSelectorComponent(true, done, cancel), "placeholder", [false]],
  [
    "message",
    (done, cancel) =>
      new UserMessageSelectorComponent(
        [
          { id: "a", text: "first" },
          { id: "b", text: "second\nline" },
        ],
        done,
        cancel,
        "a",
      ),
    "second line",
    ["b"],
  ],
  [
    "sign-in",
    (done, cancel) => new OAuthSelectorComponent("login", [{ id: "x" }, { id: "y", name: "Why" }], done, cancel),
    "Why",
    ["y", "oauth"],
  ],
  [
    "option",
    (done, cancel) => new ExtensionSelectorComponent("Title", ["left", "right"], done, cancel),
    "right",
    ["right"],
  ],
];

const down = "\x1b[B";
const enter = "\r";
const cancelKey = "\x1b";

describe("selectors as components (exports.md section 4.5)", () => {
  it.each(selectors)("%s", (_name, make, shown, answer) => {
    const told: unknown[][] = [];
    let cancelled = 0;
    const component = make(
      (...given) => told.push(given),
      () => cancelled++,
    );
    expect(component.render(60).join("\n")).toContain(shown);
    component.handleInput?.(down);
    component.handleInput?.(enter);
    expect(told.map((given) => given.slice(0, answer.length))).toEqual([answer]);
    component.handleInput?.(cancelKey);
    expect(cancelled).toBe(1);
  });

  it("a key chooses for good, where that is asked for", () => {
    const told: unknown[] = [];
    const quiet = () => {};
    const list = new ThinkingSelectorComponent(
      "off",
      ["off", "high"],
      quiet,
      quiet,
      (level) => told.push(level),
      "high",
    );
    expect(list.render(80).join("\n")).toContain("default");
    setKeybindings(new AppKeybindings(folder));
    list.handleInput("\x13");
    expect(told).toEqual(["off"]);
  });

  it("a line of text", () => {
    const told: unknown[] = [];
    const input = new ExtensionInputComponent(
      "Name?",
      "yours",
      (text) => told.push(text),
      () => told.push("cancelled"),
    );
    expect(input.render(40).join("\n")).toContain("Name?");
    for (const key of ["h", "i", enter]) input.handleInput(key);
    input.handleInput(cancelKey);
    expect(told).toEqual(["hi", "cancelled"]);
  });

  it("a tree: an entry is chosen, its label edited", () => {
    setKeybindings(new AppKeybindings(folder));
    const at = (id: string, parentId: string | null, content: string) => ({
      type: "message" as const,
      id,
      parentId,
      timestamp: "2026-01-01T00:00:00.000Z",
      message: { role: "user" as const, content, timestamp: 1 },
    });
    const tree = [
      { entry: at("a", null, "first"), children: [{ entry: at("b", "a", "second"), children: [], label: "old" }] },
    ];
    const told: unknown[] = [];
    const component = new TreeSelectorComponent(
      tree,
      "b",
      30,
      (id) => told.push(id),
      () => told.push("cancelled"),
      (id, label) => told.push([id, label]),
    );
    const shown = () => component.render(60).join("\n");
    expect(shown()).toContain("[old]");
    component.handleInput("L");
    expect(shown()).toContain("Label");
    for (const key of ["!", enter]) component.handleInput(key);
    return Promise.resolve().then(() => {
      expect(told).toEqual([["b", "old!"]]);
      expect(shown()).toContain("[old!]");
      component.handleInput(enter);
      component.handleInput(cancelKey);
      expect(told.slice(1)).toEqual(["b", "cancelled"]);
    });
  });

  it("sessions, of the folder and of all", async () => {
    setKeybindings(new AppKeybindings(folder));
    const session = (path: string, firstMessage: string) => ({
      path,
      id: path,
      cwd: folder,
      created: new Date(0),
      modified: new Date(0),
      messageCount: 1,
      firstMessage,
      allMessagesText: firstMessage,
    });
    const told: unknown[] = [];
    let draws = 0;
    const component = new SessionSelectorComponent(
      async () => [session("/1", "here")],
      async () => {
        throw new Error("no such folder");
      },
      (path) => told.push(path),
      () => told.push("cancelled"),
      () => told.push("exit"),
      () => draws++,
    );
    const shown = () => component.render(80).join("\n");
    await expect.poll(shown).toContain("here");
    component.handleInput(enter);
    component.handleInput("\x04");
    component.handleInput(cancelKey);
    expect(told).toEqual(["/1", "exit", "cancelled"]);
    component.handleInput("\t");
    await expect.poll(shown).toContain("no such folder");
    expect(draws).toBeGreaterThan(1);
  });

  it("settings", () => {
    const told: unknown[] = [];
    const component = new SettingsSelectorComponent(
      { items: [{ id: "a", label: "Apples", description: "", currentValue: "off", values: ["off", "on"] }] },
      { onChange: (id, value) => told.push([id, value]), onCancel: () => told.push("cancelled") },
    );
    expect(component.render(60).join("\n")).toContain("Apples");
    component.handleInput(enter);
    component.handleInput(cancelKey);
    expect(told).toEqual([["a", "on"], "cancelled"]);
  });

  it("a text of several lines", () => {
    const told: unknown[] = [];
    const keybindings = new AppKeybindings(folder);
    setKeybindings(keybindings);
    const editor = new ExtensionEditorComponent(
      tui,
      keybindings,
      "Story",
      "once",
      (text) => told.push(text),
      () => told.push("cancelled"),
    );
    expect(editor.render(60).join("\n")).toMatch(/Story[\s\S]*once/);
    editor.handleInput(enter);
    editor.handleInput(cancelKey);
    expect(told).toEqual(["once", "cancelled"]);
  });

  it("a sign-in: questions are answered, going away ends it", async () => {
    const told: unknown[] = [];
    const dialog = new LoginDialogComponent(tui, "acme", (ok, message) => told.push([ok, message]), "Acme");
    const shown = () => dialog.render(60).join("\n");
    expect(shown()).toContain("Sign in: Acme");
    const answer = dialog.prompt({ type: "text", message: "Code?" });
    expect(shown()).toContain("Code?");
    for (const key of ["4", "2", enter]) dialog.handleInput(key);
    expect(await answer).toBe("42");
    dialog.notify({ type: "progress", message: "Waiting" });
    expect(shown()).toContain("Waiting");
    dialog.handleInput(cancelKey);
    expect(told).toEqual([[false, "Sign-in was cancelled"]]);
    expect(dialog.signal.aborted).toBe(true);
  });

  it("a greeting", () => {
    expect(new ArminComponent(tui).render(40).join("\n")).toContain("ARMIN");
  });
});
