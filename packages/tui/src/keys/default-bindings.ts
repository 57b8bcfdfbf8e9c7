import type { KeyId } from "./key-id.js";

/** An action of the user, and its keys while the user has not chosen others. */
export interface KeybindingDefinition {
  defaultKeys: KeyId | KeyId[];
  description?: string;
}

/** Definitions by id. */
export type KeybindingDefinitions = Record<string, KeybindingDefinition>;

const wsl = process.platform === "linux" && Boolean(process.env["WSL_DISTRO_NAME"]);
const windows = process.platform === "win32";
const onWindows = windows || wsl;

const definitions = {
  "tui.editor.cursorUp": { defaultKeys: "up", description: "Move the cursor up" },
  "tui.editor.cursorDown": { defaultKeys: "down", description: "Move the cursor down" },
  "tui.editor.historyPrevious": { defaultKeys: [], description: "Earlier prompt" },
  "tui.editor.historyNext": { defaultKeys: [], description: "Later prompt" },
  "tui.editor.cursorLeft": { defaultKeys: ["left", "ctrl+b"], description: "Move the cursor left" },
  "tui.editor.cursorRight": { defaultKeys: ["right", "ctrl+f"], description: "Move the cursor right" },
  "tui.editor.cursorWordLeft": { defaultKeys: ["alt+left", "ctrl+left", "alt+b"], description: "Word to the left" },
  "tui.editor.cursorWordRight": { defaultKeys: ["alt+right", "ctrl+right", "alt+f"], description: "Word to the right" },
  "tui.editor.cursorLineStart": { defaultKeys: ["home", "ctrl+a"], description: "Start of the line" },
  "tui.editor.cursorLineEnd": { defaultKeys: ["end", "ctrl+e"], description: "End of the line" },
  "tui.editor.jumpForward": { defaultKeys: "ctrl+]", description: "Jump to the next occurrence of a character" },
  "tui.editor.jumpBackward": { defaultKeys: "ctrl+alt+]", description: "Jump to the previous occurrence" },
  "tui.editor.pageUp": { defaultKeys: ["pageUp", "ctrl+pageUp"], description: "Page up in the text" },
  "tui.editor.pageDown": { defaultKeys: ["pageDown", "ctrl+pageDown"], description: "Page down in the text" },
  "tui.editor.deleteCharBackward": { defaultKeys: "backspace", description: "Delete the character before" },
  "tui.editor.deleteCharForward": { defaultKeys: ["delete", "ctrl+d"], description: "Delete the character after" },
  "tui.editor.deleteWordBackward": { defaultKeys: ["ctrl+w", "alt+backspace"], description: "Delete the word before" },
  "tui.editor.deleteWordForward": { defaultKeys: ["alt+d", "alt+delete"], description: "Delete the word after" },
  "tui.editor.deleteToLineStart": { defaultKeys: "ctrl+u", description: "Delete to the start of the line" },
  "tui.editor.deleteToLineEnd": { defaultKeys: "ctrl+k", description: "Delete to the end of the line" },
  "tui.editor.yank": { defaultKeys: "ctrl+y", description: "Insert what was deleted last" },
  "tui.editor.yankPop": { defaultKeys: "alt+y", description: "Replace it by what was deleted before" },
  "tui.editor.undo": { defaultKeys: windows ? "ctrl+z" : wsl ? "alt+z" : "ctrl+-", description: "Undo" },
  "tui.input.newLine": { defaultKeys: ["shift+enter", "ctrl+j"], description: "New line" },
  "tui.input.submit": { defaultKeys: "enter", description: "Send" },
  "tui.input.tab": { defaultKeys: "tab", description: "Complete" },
  "tui.input.copy": { defaultKeys: "ctrl+c", description: "Copy the selection" },
  "tui.select.up": { defaultKeys: "up", description: "Previous item" },
  "tui.select.down": { defaultKeys: "down", description: "Next item" },
  "tui.select.pageUp": { defaultKeys: "pageUp", description: "A page of items up" },
  "tui.select.pageDown": { defaultKeys: "pageDown", description: "A page of items down" },
  "tui.select.confirm": { defaultKeys: "enter", description: "Choose the item" },
  "tui.select.cancel": { defaultKeys: ["escape", "ctrl+c"], description: "Close without choosing" },
  "tui.altScreen.pageUp": { defaultKeys: "pageUp", description: "Page up in the transcript" },
  "tui.altScreen.pageDown": { defaultKeys: "pageDown", description: "Page down in the transcript" },
  "tui.altScreen.halfPageUp": { defaultKeys: [], description: "Half a page up" },
  "tui.altScreen.halfPageDown": { defaultKeys: [], description: "Half a page down" },
  "tui.altScreen.lineUp": { defaultKeys: [], description: "One line up" },
  "tui.altScreen.lineDown": { defaultKeys: [], description: "One line down" },
  "tui.altScreen.previousPrompt": {
    defaultKeys: onWindows ? "ctrl+up" : ["ctrl+shift+up", "ctrl+up"],
    description: "Previous prompt",
  },
  "tui.altScreen.nextPrompt": {
    defaultKeys: onWindows ? "ctrl+down" : ["ctrl+shift+down", "ctrl+down"],
    description: "Next prompt",
  },
  "tui.altScreen.search": { defaultKeys: onWindows ? "ctrl+f" : "ctrl+shift+f", description: "Search" },
  "tui.altScreen.searchNext": { defaultKeys: ["enter", "ctrl+g"], description: "Next match" },
  "tui.altScreen.searchPrevious": { defaultKeys: ["shift+enter", "ctrl+shift+g"], description: "Previous match" },
  "tui.altScreen.searchClose": { defaultKeys: "escape", description: "Close the search" },
  "tui.altScreen.top": { defaultKeys: "ctrl+home", description: "Start of the transcript" },
  "tui.altScreen.bottom": { defaultKeys: "ctrl+end", description: "End of the transcript" },
} satisfies KeybindingDefinitions;

type TuiKeybindings = { [Id in keyof typeof definitions]: true };

/** Ids of all actions; whoever brings more actions merges them into this interface. */
export interface Keybindings extends TuiKeybindings {}

/** Id of an action. */
export type Keybinding = keyof Keybindings;

/** The actions of this library. */
export const TUI_KEYBINDINGS: KeybindingDefinitions & { readonly [Id in keyof TuiKeybindings]: KeybindingDefinition } =
  definitions;
