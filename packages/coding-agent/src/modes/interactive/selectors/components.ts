/** Lists and questions as components, for extensions and hosts that show them themselves. Source: exports.md section 4.5. */
import type { ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { AuthEvent, AuthInteraction, AuthPrompt, AuthType } from "@earendil-works/pi-ai";
import {
  getKeybindings,
  type KeybindingsManager,
  type SettingItem,
  SettingsList,
  Text,
  type TUI,
} from "@earendil-works/pi-tui";
import { BUILTIN_THEMES } from "../../../core/themes/tokens.js";
import { EditorDialog } from "../extension-ui/editor-dialog.js";
import { editExternally } from "../input/external-editor.js";
import { keyText } from "../keys/key-hints.js";
import { DialogStack } from "../screen/dialog-host.js";
import { getSettingsListTheme } from "../theme/component-themes.js";
import { currentTheme } from "../theme/current.js";
import { Question } from "./ask.js";
import { type Option, optionRow } from "./choose.js";
import { LoginDialog } from "./login-dialog.js";
import { SearchList } from "./search-list.js";
import { SETTINGS_ROWS, SettingsDialog } from "./settings-selector.js";
import { THINKING_DESCRIPTIONS } from "./thinking-selector.js";

const heading = (text: string) => () => currentTheme().style(text, { fg: "accent", bold: true });

/** Chooses a thinking level. */
export class ThinkingSelectorComponent extends SearchList<ThinkingLevel> {
  constructor(
    current: ThinkingLevel,
    levels: readonly ThinkingLevel[],
    onSelect: (level: ThinkingLevel) => void,
    onCancel: () => void,
    onSelectAsDefault?: (level: ThinkingLevel) => void,
    defaultLevel?: ThinkingLevel,
  ) {
    super({
      items: levels,
      title: heading("Thinking level"),
      selected: (level) => level === current,
      row: (level, isSelected) => {
        const description = `${THINKING_DESCRIPTIONS[level]}${level === defaultLevel ? " · default" : ""}`;
        return optionRow({ value: level, label: level.padEnd(8), description }, isSelected);
      },
      ...(onSelectAsDefault && {
        hints: () => [[keyText("app.thinking.save"), "set as default"] as const],
        onKey: (data: string, level: ThinkingLevel | undefined) => {
          if (level === undefined || !getKeybindings().matches(data, "app.thinking.save")) return false;
          onSelectAsDefault(level);
          return true;
        },
      }),
      onSelect,
      onCancel,
    });
  }
}

/** Chooses among the built-in themes and the current one; `onPreview` hears of each one on the way. */
export class ThemeSelectorComponent extends SearchList<string> {
  constructor(
    current: string,
    onSelect: (name: string) => void,
    onCancel: () => void,
    onPreview: (name: string) => void,
  ) {
    super({
      items: [...new Set([...BUILTIN_THEMES, current])],
      title: heading("Theme"),
      selected: (name) => name === current,
      row: (name, isSelected) => optionRow({ value: name, label: name }, isSelected),
      onMove: onPreview,
      onSelect,
      onCancel,
    });
  }
}

/** Chooses whether images are drawn. */
export class ShowImagesSelectorComponent extends SearchList<Option> {
  constructor(current: boolean, onSelect: (show: boolean) => void, onCancel: () => void) {
    super({
      items: [
        { value: "yes", label: "Yes", description: "Draw images in the terminal" },
        { value: "no", label: "No", description: "Show a placeholder" },
      ],
      title: heading("Show images"),
      selected: ({ value }) => (value === "yes") === current,
      row: optionRow,
      onSelect: ({ value }) => onSelect(value === "yes"),
      onCancel,
    });
  }
}

/** Chooses one of the user's messages. */
export class UserMessageSelectorComponent extends SearchList<{ id: string; text: string; timestamp?: string }> {
  constructor(
    messages: readonly { id: string; text: string; timestamp?: string }[],
    onSelect: (id: string) => void,
    onCancel: () => void,
    selectedId?: string,
  ) {
    super({
      items: messages,
      title: heading("Messages"),
      searchText: ({ text }) => text,
      selected: ({ id }) => id === (selectedId ?? messages.at(-1)?.id),
      row: ({ id, text, timestamp }, isSelected) =>
        optionRow({ value: id, label: text.replace(/\s+/g, " "), description: timestamp }, isSelected),
      emptyText: "No messages",
      onSelect: ({ id }) => onSelect(id),
      onCancel,
    });
  }
}

/** A provider to sign in to, or out of. */
export interface OAuthSelectorProvider {
  id: string;
  name?: string | undefined;
  /** Default `oauth`. */
  authType?: AuthType | undefined;
}

/** Chooses the provider of a sign-in. */
export class OAuthSelectorComponent extends SearchList<OAuthSelectorProvider> {
  constructor(
    mode: "login" | "logout",
    providers: readonly OAuthSelectorProvider[],
    onSelect: (id: string, authType: AuthType) => void,
    onCancel: () => void,
    search?: string,
    _tui?: TUI,
  ) {
    super({
      items: providers,
      title: heading(mode === "login" ? "Sign in to" : "Sign out of"),
      searchText: ({ id, name }) => `${id} ${name ?? ""}`,
      query: search,
      row: ({ id, name }, isSelected) => optionRow({ value: id, label: name ?? id }, isSelected),
      emptyText: "No providers",
      onSelect: ({ id, authType = "oauth" }) => onSelect(id, authType),
      onCancel,
    });
  }
}

/** Chooses one of a few texts, as `ctx.ui.select` does. */
export class ExtensionSelectorComponent extends SearchList<string> {
  constructor(title: string, options: readonly string[], onSelect: (option: string) => void, onCancel: () => void) {
    super({
      items: options,
      title: heading(title),
      row: (option, isSelected) => optionRow({ value: option, label: option }, isSelected),
      onSelect,
      onCancel,
    });
  }
}

/** Asks for a text of several lines, as `ctx.ui.editor` does. */
export class ExtensionEditorComponent extends EditorDialog {
  /** `externalEditor`: the command of the user's own editor, which a key opens; default none. */
  constructor(
    tui: TUI,
    keybindings: KeybindingsManager,
    title: string,
    prefill: string | undefined,
    onSubmit: (text: string) => void,
    onCancel: () => void,
    _options?: unknown,
    externalEditor?: string,
  ) {
    const pauses = { pause: () => tui.stop(), resume: () => tui.start() };
    super({
      title,
      prefill: prefill ?? "",
      tui,
      keybindings,
      finish: (text) => (text === undefined ? onCancel() : onSubmit(text)),
      ...(externalEditor !== undefined && {
        editExternally: (text: string) => editExternally(text, externalEditor, pauses),
      }),
    });
  }
}

/**
 * A sign-in: given to `ModelRuntime.login` as its interaction, it shows the address, the code and the questions.
 * `onComplete(false, why)` is called when the user does not go on.
 */
export class LoginDialogComponent extends DialogStack implements AuthInteraction {
  readonly #dialog: LoginDialog;

  constructor(
    tui: TUI,
    providerId: string,
    onComplete: (ok: boolean, message?: string) => void,
    name: string = providerId,
    title = `Sign in: ${name}`,
  ) {
    super();
    this.#dialog = new LoginDialog(title, this, tui);
    this.signal.addEventListener("abort", () => onComplete(false, "Sign-in was cancelled"), { once: true });
  }

  get signal(): AbortSignal {
    return this.#dialog.signal;
  }

  prompt(prompt: AuthPrompt): Promise<string> {
    return this.#dialog.prompt(prompt);
  }

  notify(event: AuthEvent): void {
    this.#dialog.notify(event);
  }
}

export interface SettingsConfig {
  items: readonly SettingItem[];
  /** Rows of the list, default 10. */
  maxVisible?: number;
}

export interface SettingsCallbacks {
  onChange: (id: string, value: string) => void;
  onCancel: () => void;
}

/** Settings to look through and to change. */
export class SettingsSelectorComponent extends SettingsDialog {
  constructor({ items, maxVisible = SETTINGS_ROWS }: SettingsConfig, { onChange, onCancel }: SettingsCallbacks) {
    super(new SettingsList([...items], maxVisible, getSettingsListTheme(), onChange, onCancel, { enableSearch: true }));
  }
}

/** A greeting for those who look for it. */
export class ArminComponent extends Text {
  constructor(_tui: TUI) {
    super(currentTheme().fg("accent", "ARMIN SAYS HI"), 1, 0);
  }
}

/** Asks for a line of text, as `ctx.ui.input` does. */
export class ExtensionInputComponent extends Question {
  constructor(title: string, placeholder: string | undefined, onSubmit: (text: string) => void, onCancel: () => void) {
    super({ title, placeholder }, (text) => (text === undefined ? onCancel() : onSubmit(text)));
  }
}
