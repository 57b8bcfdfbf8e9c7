/** Settings that affect display: defaults, and values out of range brought into it. Pure. Source: tui.md section B7. */
import type { Settings } from "./settings.js";

export interface DisplaySettings {
  theme: string;
  quietStartup: boolean | "header";
  tuiMode: "regular" | "fullscreen";
  fullscreenExitOutput: "transcript" | "resume-hint";
  fullscreenScrollbar: "auto" | "always" | "hidden";
  fullscreenCopyOnSelect: boolean;
  fullscreenWheelScrollLines: number | "auto";
  editorPaddingX: number;
  outputPad: number;
  autocompleteMaxVisible: number;
  showHardwareCursor: boolean;
  hideThinkingBlock: boolean;
  showImages: boolean;
  imageWidthCells: number;
  clearOnShrink: boolean;
  showTerminalProgress: boolean;
  codeBlockIndent: string;
  externalEditor: string | undefined;
  doubleEscapeAction: "tree" | "fork" | "none";
  treeFilterMode: "default" | "no-tools" | "user-only" | "labeled-only" | "all";
  screenReader: boolean;
}

/** Names in the settings file of what can be changed. */
export type DisplaySettingPath =
  | ("theme" | "quietStartup" | "tuiMode" | "fullscreenExitOutput" | "fullscreenScrollbar" | "fullscreenCopyOnSelect")
  | ("editorPaddingX" | "outputPad" | "autocompleteMaxVisible" | "showHardwareCursor" | "hideThinkingBlock")
  | ("doubleEscapeAction" | "treeFilterMode" | "terminal.showImages" | "terminal.imageWidthCells")
  | ("terminal.clearOnShrink" | "terminal.showTerminalProgress" | "transport" | "images.autoResize")
  | ("images.blockImages" | "screenReader");

export function displaySettings(settings: Settings): DisplaySettings {
  const { terminal = {}, markdown = {} } = settings;
  const wheel = settings.fullscreenWheelScrollLines;
  return {
    theme: settings.theme ?? "system",
    quietStartup: settings.quietStartup ?? false,
    tuiMode: oneOf(settings.tuiMode, ["fullscreen", "regular"]),
    fullscreenExitOutput: oneOf(settings.fullscreenExitOutput, ["transcript", "resume-hint"]),
    fullscreenScrollbar: oneOf(settings.fullscreenScrollbar, ["auto", "always", "hidden"]),
    fullscreenCopyOnSelect: settings.fullscreenCopyOnSelect ?? true,
    fullscreenWheelScrollLines: typeof wheel === "number" ? between(wheel, 1, 100, 3) : "auto",
    editorPaddingX: between(settings.editorPaddingX, 0, 3, 0),
    outputPad: between(settings.outputPad, 0, 1, 1),
    autocompleteMaxVisible: between(settings.autocompleteMaxVisible, 3, 20, 5),
    showHardwareCursor: settings.showHardwareCursor ?? false,
    hideThinkingBlock: settings.hideThinkingBlock ?? false,
    showImages: terminal.showImages ?? true,
    imageWidthCells: between(terminal.imageWidthCells, 1, 500, 60),
    clearOnShrink: terminal.clearOnShrink ?? false,
    showTerminalProgress: terminal.showTerminalProgress ?? false,
    codeBlockIndent: markdown.codeBlockIndent ?? "  ",
    externalEditor: settings.externalEditor,
    doubleEscapeAction: oneOf(settings.doubleEscapeAction, ["tree", "fork", "none"]),
    treeFilterMode: oneOf(settings.treeFilterMode, ["default", "no-tools", "user-only", "labeled-only", "all"]),
    screenReader: settings.screenReader ?? false,
  };
}

/** The first is the default. */
function oneOf<Value extends string>(value: string | undefined, values: readonly [Value, ...Value[]]): Value {
  return values.find((one) => one === value) ?? values[0];
}

function between(value: number | undefined, least: number, most: number, otherwise: number): number {
  if (value === undefined || !Number.isFinite(value)) return otherwise;
  return Math.max(least, Math.min(most, Math.floor(value)));
}
