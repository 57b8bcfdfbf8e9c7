/** Talking with nobody: print and JSON mode, and before a mode has said who is there. Source: extensions.md section 8. */

import { plainTheme } from "../../themes/plain-theme.js";
import type { ExtensionUIContext } from "../types/ui.js";

const nothing = () => {};

export const noUI: ExtensionUIContext = {
  select: async () => undefined,
  confirm: async () => false,
  input: async () => undefined,
  editor: async () => undefined,
  notify: nothing,
  setStatus: nothing,
  setWidget: nothing,
  setTitle: nothing,
  setEditorText: nothing,
  getEditorText: () => "",
  pasteToEditor: nothing,
  custom: async <T>() => undefined as T,
  setFooter: nothing,
  setHeader: nothing,
  setEditorComponent: nothing,
  getEditorComponent: () => undefined,
  addAutocompleteProvider: nothing,
  onTerminalInput: () => nothing,
  setWorkingMessage: nothing,
  setWorkingVisible: nothing,
  setWorkingIndicator: nothing,
  setHiddenThinkingLabel: nothing,
  theme: plainTheme,
  getAllThemes: () => [],
  getTheme: () => undefined,
  setTheme: () => ({ success: false, error: "UI not available" }),
  getToolsExpanded: () => false,
  setToolsExpanded: nothing,
};
