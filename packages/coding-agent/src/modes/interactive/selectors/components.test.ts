import { type Component, setKeybindings } from "@earendil-works/pi-tui";
import { beforeAll, describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../../../../test/temporary-folder.js";
import { AppKeybindings } from "../keys/keybindings-file.js";
import { initTheme } from "../theme/init-theme.js";
import {
  ExtensionInputComponent,
  ExtensionSelectorComponent,
  OAuthSelectorComponent,
  ShowImagesSelectorComponent,
  ThemeSelectorComponent,
  ThinkingSelectorComponent,
  UserMessageSelectorComponent,
} from "./components.js";

let folder = "";
inTemporaryFolder("pi-selectors-", (path) => {
  folder = path;
});
beforeAll(() => initTheme("dark"));

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
});
