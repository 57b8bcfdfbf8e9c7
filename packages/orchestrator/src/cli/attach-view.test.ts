import { describe, expect, it } from "vitest";
import type { Dialog } from "../types.js";
import { AttachView } from "./attach-view.js";

const dialog = (id: string, more: object) =>
  ({ type: "extension_ui_request", id, title: `${id}?`, ...more }) as unknown as Dialog;
const select = dialog("s", { method: "select", options: ["left", "right"] });
const confirm = dialog("c", { method: "confirm", message: "Sure?" });
const input = dialog("i", { method: "input" });

describe("a line at an attached terminal", () => {
  it.each([
    [select, "2", { id: "s", value: "right" }],
    [select, " 1 ", { id: "s", value: "left" }],
    [select, "right", { id: "s", value: "right" }],
    [select, "9", undefined],
    [select, "0", undefined],
    [select, "1.5", undefined],
    [select, "middle", undefined],
    [confirm, "Yes", { id: "c", confirmed: true }],
    [confirm, "n", { id: "c", confirmed: false }],
    [confirm, "maybe", undefined],
    [input, " as it is", { id: "i", value: " as it is" }],
  ])("answers %j: %s", (asked, line, answer) => {
    let output = "";
    const view = new AttachView([asked], (text) => {
      output += text;
    });
    expect(view.answer(line)).toEqual(answer);
    if (answer) expect(view.answer(line)).toBe("prompt");
    else {
      // It stays open, and people are told what would do.
      expect(output).toContain("Answer ");
      expect(view.answer(line)).toBeUndefined();
    }
  });

  it("is a prompt again when somebody else has answered", () => {
    let output = "";
    const view = new AttachView([confirm, input], (text) => {
      output += text;
    });
    view.frame({ type: "dialog_closed", dialogId: "c" });
    expect(view.answer("text")).toEqual({ id: "i", value: "text" });
    view.frame({ type: "dialog_closed", dialogId: "i" });
    expect(view.answer("text")).toBe("prompt");
    expect(output).toBe("[no longer asked: c?]\n");
  });
});
