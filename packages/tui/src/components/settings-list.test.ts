import { describe, expect, it } from "vitest";
import { stripTerminalSequences } from "../text/escapes.js";
import { SettingsList } from "./settings-list.js";
import { Text } from "./text.js";

const plain = (text: string) => text;
const theme = { label: plain, value: plain, description: plain, cursor: "> ", hint: plain };

function list(enableSearch = false) {
  const changes: string[] = [];
  let done: ((value?: string, options?: { navigateTo?: string }) => void) | undefined;
  const items = [
    { id: "color", label: "Color", description: "Which one", currentValue: "red", values: ["red", "blue"] },
    {
      id: "model",
      label: "Model",
      currentValue: "m1",
      submenu: (value: string, close: typeof done) => {
        done = close;
        return new Text(`choose ${value}`, 0, 0);
      },
    },
  ];
  const one = new SettingsList(
    items,
    5,
    theme,
    (id, value) => changes.push(`${id}=${value}`),
    () => changes.push("cancel"),
    {
      enableSearch,
    },
  );
  const shown = () => one.render(60).map((line) => stripTerminalSequences(line).trimEnd());
  return { one, changes, shown, done: (...args: Parameters<NonNullable<typeof done>>) => done?.(...args) };
}

describe("SettingsList", () => {
  it("shows values and goes through them", () => {
    const { one, changes, shown } = list();
    expect(shown()).toEqual([
      "> Color  red",
      "  Model  m1",
      "",
      "  Which one",
      "",
      "  Enter/Space to change · Esc to cancel",
    ]);
    one.handleInput("\r");
    one.handleInput(" ");
    one.handleInput("\x1b");
    expect(changes).toEqual(["color=blue", "color=red", "cancel"]);
  });

  it("opens submenus and goes where they lead", () => {
    const { one, changes, shown, done } = list();
    one.handleInput("\x1b[B");
    one.handleInput("\r");
    expect(shown()).toEqual(["choose m1"]);
    done("m2", { navigateTo: "color" });
    expect(changes).toEqual(["model=m2"]);
    expect(shown().slice(0, 2)).toEqual(["> Color  red", "  Model  m2"]);
  });

  it("searches by label", () => {
    const { one, shown } = list(true);
    one.handleInput("m");
    expect(shown()[2]).toBe("> Model  m1");
    expect(shown().at(-1)).toBe("  Type to search · Enter/Space to change · Esc to cancel");
    one.handleInput("z");
    expect(shown()[2]).toBe("  No matching settings");
  });
});
