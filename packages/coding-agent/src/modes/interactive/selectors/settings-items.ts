import type { SettingItem } from "@earendil-works/pi-tui";
import { type SettingSchema, settingsSchema } from "../../../core/settings/settings-schema.js";
import type { Desk } from "../desk.js";

interface Setting {
  item: SettingItem;
  /** What a new value does. Returns why it cannot be, if it cannot. */
  apply: (value: string) => string | undefined;
}

/** A text that comes back says why the value cannot be. */
type Apply<Value> = (value: Value) => unknown;

function problemOf(result: unknown): string | undefined {
  return typeof result === "string" ? result : undefined;
}

/** What the one table of settings says of a key, as `images.autoResize`. */
function schemaOf(key: string): SettingSchema {
  let schema: SettingSchema | undefined = settingsSchema;
  for (const name of key.split(".")) schema = schema?.properties?.[name];
  if (!schema) throw new Error(`No setting is called ${key}.`);
  return schema;
}

/** All values of a key that has a few. */
function choicesOf(schema: SettingSchema): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(choicesOf);
  if (schema.type === "boolean") return ["true", "false"];
  return (schema.enum ?? [schema.const]).map(String);
}

function item(label: string, key: string, currentValue: string, values?: readonly string[]): SettingItem {
  const schema = schemaOf(key);
  const { description = "" } = schema;
  return { id: key, label, description, currentValue, values: [...(values ?? choicesOf(schema))] };
}

function flag(label: string, key: string, current: boolean, apply: Apply<boolean>): Setting {
  return {
    item: item(label, key, String(current)),
    apply: (value) => problemOf(apply(value === "true")),
  };
}

/** @param values where the table does not list them */
function word<Value extends string>(
  label: string,
  key: string,
  current: Value,
  apply: Apply<Value>,
  values?: readonly Value[],
): Setting {
  return {
    item: item(label, key, current, values),
    apply: (value) => problemOf(apply(value as Value)),
  };
}

function number(label: string, key: string, current: number, values: readonly number[], apply: Apply<number>): Setting {
  return {
    item: item(label, key, String(current), values.map(String)),
    apply: (value) => problemOf(apply(Number(value))),
  };
}

/** The settings that can be changed on screen, by their keys. Each holds at once, where no project decides, and is saved. */
export function settingItems(desk: Desk): Setting[] {
  const settings = [...agentSettings(desk), ...screenSettings(desk), ...conversationSettings(desk)];
  return settings.map(({ item: shown, apply }) => {
    const file = desk.session.settingsManager.projectFileOf(shown.id.split("."));
    if (file === undefined) return { item: shown, apply };
    const description = `${shown.description} This project decides: ${file}`;
    return {
      item: { ...shown, label: `${shown.label} (project)`, description },
      apply: (value) =>
        apply(value) ?? `Saved, but here it stays as the project says: ${shown.id} in ${file}. Change it there.`,
    };
  });
}

function agentSettings({ session }: Desk): Setting[] {
  const { settingsManager: settings } = session;
  return [
    flag("Auto-compaction", "compaction.enabled", session.autoCompactionEnabled, (on) =>
      session.setAutoCompactionEnabled(on),
    ),
    flag("Auto-retry", "retry.enabled", session.autoRetryEnabled, (on) => session.setAutoRetryEnabled(on)),
    word("Steering messages", "steeringMode", session.steeringMode, (mode) => session.setSteeringMode(mode)),
    word("Follow-up messages", "followUpMode", session.followUpMode, (mode) => session.setFollowUpMode(mode)),
    word("Transport", "transport", settings.getTransport(), (transport) => settings.setTransport(transport)),
    flag("Resize images", "images.autoResize", settings.getImageAutoResize(), (on) => settings.setImageAutoResize(on)),
    flag("Block images", "images.blockImages", settings.getBlockImages(), (on) => settings.setBlockImages(on)),
  ];
}

function screenSettings(desk: Desk): Setting[] {
  const { settingsManager: settings } = desk.session;
  return [
    word(
      "Theme",
      "theme",
      desk.themes.setting,
      (name) => {
        const problem = desk.themes.use(name);
        if (problem === undefined) settings.setTheme(name);
        return problem;
      },
      desk.themes.names(),
    ),
    word("Screen", "tuiMode", desk.screen.mode, (mode) => {
      if (desk.session.isStreaming) return "Wait for the current response to finish before changing the screen.";
      if (!desk.screen.setMode(mode)) return "The screen cannot be changed while something lies over it.";
      desk.slot.focus();
      desk.showSession();
      settings.setTuiMode(mode);
      return undefined;
    }),
    word("At exit", "fullscreenExitOutput", settings.getFullscreenExitOutput(), (output) =>
      settings.setFullscreenExitOutput(output),
    ),
    word("Scrollbar", "fullscreenScrollbar", settings.getFullscreenScrollbar(), (bar) =>
      settings.setFullscreenScrollbar(bar),
    ),
    flag("Copy on select", "fullscreenCopyOnSelect", settings.getFullscreenCopyOnSelect(), (on) =>
      settings.setFullscreenCopyOnSelect(on),
    ),
    word("Quiet start", "quietStartup", String(settings.getQuietStartup()), (quiet) =>
      settings.setQuietStartup(quiet === "header" ? quiet : quiet === "true"),
    ),
    flag("Terminal cursor", "showHardwareCursor", settings.getShowHardwareCursor(), (on) =>
      settings.setShowHardwareCursor(on),
    ),
    flag("Images", "terminal.showImages", settings.getShowImages(), (on) => settings.setShowImages(on)),
    number("Image width", "terminal.imageWidthCells", settings.getImageWidthCells(), [60, 80, 120], (cells) =>
      settings.setImageWidthCells(cells),
    ),
    flag("Clear on shrink", "terminal.clearOnShrink", settings.getClearOnShrink(), (on) =>
      settings.setClearOnShrink(on),
    ),
    flag("Screen reader", "screenReader", settings.getScreenReader(), (on) => settings.setScreenReader(on)),
    flag("Progress", "terminal.showTerminalProgress", settings.getShowTerminalProgress(), (on) =>
      settings.setShowTerminalProgress(on),
    ),
  ];
}

function conversationSettings({ session }: Desk): Setting[] {
  const { settingsManager: settings } = session;
  return [
    flag("Hide thinking", "hideThinkingBlock", settings.getHideThinkingBlock(), (on) =>
      settings.setHideThinkingBlock(on),
    ),
    flag("Cache-miss notices", "showCacheMissNotices", settings.getShowCacheMissNotices(), (on) =>
      settings.setShowCacheMissNotices(on),
    ),
    word("Double escape", "doubleEscapeAction", settings.getDoubleEscapeAction(), (action) =>
      settings.setDoubleEscapeAction(action),
    ),
    word("Tree filter", "treeFilterMode", settings.getTreeFilterMode(), (filter) => settings.setTreeFilterMode(filter)),
    number("Editor padding", "editorPaddingX", settings.getEditorPaddingX(), [0, 1, 2, 3], (columns) =>
      settings.setEditorPaddingX(columns),
    ),
    number("Output padding", "outputPad", settings.getOutputPad(), [0, 1], (columns) => settings.setOutputPad(columns)),
    number(
      "Completion rows",
      "autocompleteMaxVisible",
      settings.getAutocompleteMaxVisible(),
      [3, 5, 7, 10, 15, 20],
      (rows) => settings.setAutocompleteMaxVisible(rows),
    ),
  ];
}
