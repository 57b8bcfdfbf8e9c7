import type { SettingItem } from "@earendil-works/pi-tui";
import type { DisplaySettingPath } from "../../../core/settings/display-settings.js";
import type { Desk } from "../desk.js";

interface Setting {
  item: SettingItem;
  /** What a new value does. Returns why it cannot be, if it cannot. */
  apply: (value: string) => string | undefined;
}

const onOff = ["true", "false"];

/** The settings that can be changed on screen. Each holds at once and is saved. */
export function settingItems(desk: Desk): Setting[] {
  const { session, display } = desk;
  const { settingsManager } = session;
  const settings = settingsManager.getSettings();
  const save = (path: DisplaySettingPath, value: string | number | boolean) => {
    settingsManager.setDisplaySetting(path, value);
    desk.applyDisplay();
    return undefined;
  };
  const flag = (path: DisplaySettingPath, label: string, description: string, current: boolean): Setting => ({
    item: { id: path, label, description, currentValue: String(current), values: onOff },
    apply: (value) => save(path, value === "true"),
  });
  const word = (
    path: DisplaySettingPath,
    label: string,
    description: string,
    current: string,
    values: string[],
  ): Setting => ({
    item: { id: path, label, description, currentValue: current, values },
    apply: (value) => save(path, value),
  });
  const number = (
    path: DisplaySettingPath,
    label: string,
    description: string,
    current: number,
    values: number[],
  ): Setting => ({
    item: { id: path, label, description, currentValue: String(current), values: values.map(String) },
    apply: (value) => save(path, Number(value)),
  });
  const queue = ["one-at-a-time", "all"];
  return [
    {
      item: {
        id: "autoCompaction",
        label: "Auto-compaction",
        description: "Summarise the conversation before the context is full",
        currentValue: String(session.autoCompactionEnabled),
        values: onOff,
      },
      apply: (value) => {
        session.setAutoCompactionEnabled(value === "true");
        desk.changed();
        return undefined;
      },
    },
    {
      item: {
        id: "autoRetry",
        label: "Auto-retry",
        description: "Ask again when a provider fails",
        currentValue: String(session.autoRetryEnabled),
        values: onOff,
      },
      apply: (value) => {
        session.setAutoRetryEnabled(value === "true");
        return undefined;
      },
    },
    {
      item: {
        id: "steeringMode",
        label: "Steering messages",
        description: "How many waiting messages one turn takes",
        currentValue: session.steeringMode,
        values: queue,
      },
      apply: (value) => {
        session.setSteeringMode(value === "all" ? "all" : "one-at-a-time");
        return undefined;
      },
    },
    {
      item: {
        id: "followUpMode",
        label: "Follow-up messages",
        description: "How many waiting messages one run takes",
        currentValue: session.followUpMode,
        values: queue,
      },
      apply: (value) => {
        session.setFollowUpMode(value === "all" ? "all" : "one-at-a-time");
        return undefined;
      },
    },
    {
      item: {
        id: "theme",
        label: "Theme",
        description: "Colours; your own are in the themes folder of the agent directory",
        currentValue: display.theme,
        values: desk.themes.names(),
      },
      apply: (value) => {
        const problem = desk.themes.use(value);
        if (problem === undefined) save("theme", value);
        return problem;
      },
    },
    {
      item: {
        id: "tuiMode",
        label: "Screen",
        description: "fullscreen: a screen of its own; regular: the terminal's scrollback",
        currentValue: desk.screen.mode,
        values: ["fullscreen", "regular"],
      },
      apply: (value) => {
        if (!desk.screen.setMode(value === "regular" ? "regular" : "fullscreen")) {
          return "The screen cannot be changed while something lies over it.";
        }
        desk.slot.focus();
        return save("tuiMode", value);
      },
    },
    word("fullscreenExitOutput", "At exit", "What stays on the main screen", display.fullscreenExitOutput, [
      "transcript",
      "resume-hint",
    ]),
    word("fullscreenScrollbar", "Scrollbar", "When the fullscreen scrollbar is shown", display.fullscreenScrollbar, [
      "auto",
      "always",
      "hidden",
    ]),
    flag(
      "fullscreenCopyOnSelect",
      "Copy on select",
      "Copy a selection when the mouse is released",
      display.fullscreenCopyOnSelect,
    ),
    flag(
      "hideThinkingBlock",
      "Hide thinking",
      "Show one word instead of the model's thinking",
      display.hideThinkingBlock,
    ),
    word("doubleEscapeAction", "Double escape", "What two presses of Escape open", display.doubleEscapeAction, [
      "tree",
      "fork",
      "none",
    ]),
    word("treeFilterMode", "Tree filter", "What the tree shows at first", display.treeFilterMode, [
      "default",
      "no-tools",
      "user-only",
      "labeled-only",
      "all",
    ]),
    word("quietStartup", "Quiet start", "Hide the header", String(display.quietStartup), ["false", "header", "true"]),
    number(
      "editorPaddingX",
      "Editor padding",
      "Columns beside the editor's text",
      display.editorPaddingX,
      [0, 1, 2, 3],
    ),
    number("outputPad", "Output padding", "Columns beside the conversation", display.outputPad, [0, 1]),
    number(
      "autocompleteMaxVisible",
      "Completion rows",
      "Rows of the completion list",
      display.autocompleteMaxVisible,
      [3, 5, 7, 10, 15, 20],
    ),
    flag("showHardwareCursor", "Terminal cursor", "Show the terminal's own cursor", display.showHardwareCursor),
    flag("terminal.showImages", "Images", "Draw images where the terminal can", display.showImages),
    number("terminal.imageWidthCells", "Image width", "Columns of an image", display.imageWidthCells, [60, 80, 120]),
    flag(
      "terminal.clearOnShrink",
      "Clear on shrink",
      "Fill the screen again when the content gets shorter",
      display.clearOnShrink,
    ),
    flag(
      "terminal.showTerminalProgress",
      "Progress",
      "Tell the terminal that something is going on",
      display.showTerminalProgress,
    ),
    word("transport", "Transport", "How streams of OpenAI models arrive", settings.transport ?? "auto", [
      "auto",
      "sse",
      "websocket",
      "websocket-cached",
    ]),
    flag(
      "images.autoResize",
      "Resize images",
      "Make images smaller that are too large for the model",
      settings.images?.autoResize ?? true,
    ),
    flag("images.blockImages", "Block images", "Never send images", settings.images?.blockImages ?? false),
    flag(
      "screenReader",
      "Screen reader",
      "Plain lines instead of a screen, from the next start on",
      display.screenReader,
    ),
  ];
}
