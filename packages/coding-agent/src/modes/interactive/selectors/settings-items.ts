import type { SettingItem } from "@earendil-works/pi-tui";
import type { Desk } from "../desk.js";

interface Setting {
  item: SettingItem;
  /** What a new value does. Returns why it cannot be, if it cannot. */
  apply: (value: string) => string | undefined;
}

const ON_OFF = ["true", "false"];

/** A text that comes back says why the value cannot be. */
type Apply<Value> = (value: Value) => unknown;

function problemOf(result: unknown): string | undefined {
  return typeof result === "string" ? result : undefined;
}

function flag(label: string, description: string, current: boolean, apply: Apply<boolean>): Setting {
  return {
    item: { id: label, label, description, currentValue: String(current), values: ON_OFF },
    apply: (value) => problemOf(apply(value === "true")),
  };
}

function word<Value extends string>(
  label: string,
  description: string,
  current: Value,
  values: readonly Value[],
  apply: Apply<Value>,
): Setting {
  return {
    item: { id: label, label, description, currentValue: current, values: [...values] },
    apply: (value) => problemOf(apply(value as Value)),
  };
}

function number(
  label: string,
  description: string,
  current: number,
  values: readonly number[],
  apply: Apply<number>,
): Setting {
  return {
    item: { id: label, label, description, currentValue: String(current), values: values.map(String) },
    apply: (value) => problemOf(apply(Number(value))),
  };
}

const QUEUE_MODES = ["one-at-a-time", "all"] as const;

/** The settings that can be changed on screen. Each holds at once and is saved. */
export function settingItems(desk: Desk): Setting[] {
  return [...agentSettings(desk), ...screenSettings(desk), ...conversationSettings(desk)];
}

function agentSettings({ session }: Desk): Setting[] {
  const { settingsManager: settings } = session;
  const transports = ["auto", "sse", "websocket", "websocket-cached"] as const;
  return [
    flag(
      "Auto-compaction",
      "Summarise the conversation before the context is full",
      session.autoCompactionEnabled,
      (on) => session.setAutoCompactionEnabled(on),
    ),
    flag("Auto-retry", "Ask again when a provider fails", session.autoRetryEnabled, (on) =>
      session.setAutoRetryEnabled(on),
    ),
    word("Steering messages", "How many waiting messages one turn takes", session.steeringMode, QUEUE_MODES, (mode) =>
      session.setSteeringMode(mode),
    ),
    word("Follow-up messages", "How many waiting messages one run takes", session.followUpMode, QUEUE_MODES, (mode) =>
      session.setFollowUpMode(mode),
    ),
    word("Transport", "How streams of OpenAI models arrive", settings.getTransport(), transports, (transport) =>
      settings.setTransport(transport),
    ),
    flag("Resize images", "Make images smaller that are too large for the model", settings.getImageAutoResize(), (on) =>
      settings.setImageAutoResize(on),
    ),
    flag("Block images", "Never send images", settings.getBlockImages(), (on) => settings.setBlockImages(on)),
  ];
}

function screenSettings(desk: Desk): Setting[] {
  const { settingsManager: settings } = desk.session;
  return [
    word(
      "Theme",
      "Colours; your own are in the themes folder of the agent directory",
      desk.themes.setting,
      desk.themes.names(),
      (name) => {
        const problem = desk.themes.use(name);
        if (problem === undefined) settings.setTheme(name);
        return problem;
      },
    ),
    word(
      "Screen",
      "fullscreen: a screen of its own; regular: the terminal's scrollback",
      desk.screen.mode,
      ["fullscreen", "regular"],
      (mode) => {
        if (desk.session.isStreaming) return "Wait for the current response to finish before changing the screen.";
        if (!desk.screen.setMode(mode)) return "The screen cannot be changed while something lies over it.";
        desk.slot.focus();
        desk.showSession();
        settings.setTuiMode(mode);
        return undefined;
      },
    ),
    word(
      "At exit",
      "What stays on the main screen",
      settings.getFullscreenExitOutput(),
      ["transcript", "resume-hint"],
      (output) => settings.setFullscreenExitOutput(output),
    ),
    word(
      "Scrollbar",
      "When the fullscreen scrollbar is shown",
      settings.getFullscreenScrollbar(),
      ["auto", "always", "hidden"],
      (bar) => settings.setFullscreenScrollbar(bar),
    ),
    flag("Copy on select", "Copy a selection when the mouse is released", settings.getFullscreenCopyOnSelect(), (on) =>
      settings.setFullscreenCopyOnSelect(on),
    ),
    word("Quiet start", "Hide the header", String(settings.getQuietStartup()), ["false", "header", "true"], (quiet) =>
      settings.setQuietStartup(quiet === "header" ? quiet : quiet === "true"),
    ),
    flag("Terminal cursor", "Show the terminal's own cursor", settings.getShowHardwareCursor(), (on) =>
      settings.setShowHardwareCursor(on),
    ),
    flag("Images", "Draw images where the terminal can", settings.getShowImages(), (on) => settings.setShowImages(on)),
    number("Image width", "Columns of an image", settings.getImageWidthCells(), [60, 80, 120], (cells) =>
      settings.setImageWidthCells(cells),
    ),
    flag("Clear on shrink", "Fill the screen again when the content gets shorter", settings.getClearOnShrink(), (on) =>
      settings.setClearOnShrink(on),
    ),
    flag("Screen reader", "Plain lines instead of a screen, from the next start on", settings.getScreenReader(), (on) =>
      settings.setScreenReader(on),
    ),
    flag("Progress", "Tell the terminal that something is going on", settings.getShowTerminalProgress(), (on) =>
      settings.setShowTerminalProgress(on),
    ),
  ];
}

function conversationSettings({ session }: Desk): Setting[] {
  const { settingsManager: settings } = session;
  const filters = ["default", "no-tools", "user-only", "labeled-only", "all"] as const;
  return [
    flag("Hide thinking", "Show one word instead of the model's thinking", settings.getHideThinkingBlock(), (on) =>
      settings.setHideThinkingBlock(on),
    ),
    word(
      "Double escape",
      "What two presses of Escape open",
      settings.getDoubleEscapeAction(),
      ["tree", "fork", "none"],
      (action) => settings.setDoubleEscapeAction(action),
    ),
    word("Tree filter", "What the tree shows at first", settings.getTreeFilterMode(), filters, (filter) =>
      settings.setTreeFilterMode(filter),
    ),
    number(
      "Editor padding",
      "Columns beside the editor's text",
      settings.getEditorPaddingX(),
      [0, 1, 2, 3],
      (columns) => settings.setEditorPaddingX(columns),
    ),
    number("Output padding", "Columns beside the conversation", settings.getOutputPad(), [0, 1], (columns) =>
      settings.setOutputPad(columns),
    ),
    number(
      "Completion rows",
      "Rows of the completion list",
      settings.getAutocompleteMaxVisible(),
      [3, 5, 7, 10, 15, 20],
      (rows) => settings.setAutocompleteMaxVisible(rows),
    ),
  ];
}
