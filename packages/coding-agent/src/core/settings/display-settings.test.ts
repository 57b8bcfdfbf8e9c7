import { describe, expect, it } from "vitest";
import { displaySettings } from "./display-settings.js";
import type { Settings } from "./settings.js";

describe("settings that affect display", () => {
  it("have defaults", () => {
    expect(displaySettings({})).toMatchObject({
      theme: "system",
      tuiMode: "fullscreen",
      outputPad: 1,
      doubleEscapeAction: "tree",
      autocompleteMaxVisible: 5,
    });
  });

  it.each<[Settings, object]>([
    [{ tuiMode: "regular" }, { tuiMode: "regular" }],
    [{ tuiMode: "sideways" }, { tuiMode: "fullscreen" }],
    [
      { editorPaddingX: 9, outputPad: -1 },
      { editorPaddingX: 3, outputPad: 0 },
    ],
    [{ autocompleteMaxVisible: 1 }, { autocompleteMaxVisible: 3 }],
    [{ fullscreenWheelScrollLines: 1000 }, { fullscreenWheelScrollLines: 100 }],
    [{ terminal: { imageWidthCells: 80, showImages: false } }, { imageWidthCells: 80, showImages: false }],
  ])("%j", (settings, effective) => {
    expect(displaySettings(settings)).toMatchObject(effective);
  });
});
