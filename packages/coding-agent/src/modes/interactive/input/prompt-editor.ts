import type { AutocompleteProvider, EditorComponent, TUI } from "@earendil-works/pi-tui";
import type { AppKeybinding, KeybindingsManager } from "../../../core/extensions/types/keybindings.js";
import type { DisplaySettings } from "../display.js";
import { getEditorTheme } from "../theme/component-themes.js";
import { CustomEditor } from "./custom-editor.js";
import type { WorkingStatus } from "./working-status.js";

/** What the keys of the application do. */
export interface EditorActions {
  submit(text: string): void;
  change(text: string): void;
  escape(): void;
  exit(): void;
  pasteImage(): void;
  /** True when the key is one of an extension. */
  shortcut(data: string): boolean;
  handlers: ReadonlyMap<AppKeybinding, () => void>;
}

/** Members that only our own editors have; those of extensions are asked for them, not for their class. */
interface Embedding {
  setWorkingStatusIndicator?(status: WorkingStatus | undefined): void;
  embedWorkingStatus?: boolean;
}

/** The editor of prompts, whichever component it is at the moment: text and behaviour outlive a swap. */
export class PromptEditor {
  #component: EditorComponent;
  /** It is none of an extension, which may have actions of its own. */
  #isUsual = true;
  #provider: AutocompleteProvider | undefined;
  #actions: EditorActions | undefined;
  #border: (text: string) => string = (text) => text;

  constructor(
    private readonly tui: TUI,
    private readonly keybindings: KeybindingsManager,
    private display: DisplaySettings,
  ) {
    this.#component = this.#usual();
  }

  get component(): EditorComponent {
    return this.#component;
  }

  get text(): string {
    return this.#component.getText();
  }

  /** With what was pasted in the place of its markers. */
  get wholeText(): string {
    return this.#component.getExpandedText?.() ?? this.text;
  }

  setText(text: string): void {
    this.#component.setText(text);
    this.tui.requestRender();
  }

  insert(text: string): void {
    if (this.#component.insertTextAtCursor) this.#component.insertTextAtCursor(text);
    else this.#component.setText(this.text + text);
    this.tui.requestRender();
  }

  addToHistory(text: string): void {
    this.#component.addToHistory?.(text);
  }

  setAutocompleteProvider(provider: AutocompleteProvider): void {
    this.#provider = provider;
    this.#component.setAutocompleteProvider?.(provider);
  }

  setActions(actions: EditorActions): void {
    this.#actions = actions;
    this.#connect();
  }

  setBorderColor(color: (text: string) => string): void {
    this.#border = color;
    this.#component.borderColor = color;
    this.tui.requestRender();
  }

  /** True when the editor itself shows what goes on. */
  setWorkingStatus(status: WorkingStatus | undefined): boolean {
    const editor = this.#component as EditorComponent & Embedding;
    if (!editor.setWorkingStatusIndicator || editor.embedWorkingStatus === false) return false;
    editor.setWorkingStatusIndicator(status);
    return true;
  }

  applyDisplay(display: DisplaySettings): void {
    this.display = display;
    this.#component.setPaddingX?.(display.editorPaddingX);
    this.#component.setAutocompleteMaxVisible?.(display.autocompleteMaxVisible);
  }

  /** Takes another editor; undefined brings the usual one back. The text stays. */
  swap(component: EditorComponent | undefined): void {
    const { text } = this;
    this.#component = component ?? this.#usual();
    this.#isUsual = component === undefined;
    this.#component.setText(text);
    this.#component.borderColor = this.#border;
    if (this.#provider) this.#component.setAutocompleteProvider?.(this.#provider);
    this.applyDisplay(this.display);
    this.#connect();
  }

  #usual(): CustomEditor {
    const { editorPaddingX, autocompleteMaxVisible } = this.display;
    return new CustomEditor(this.tui, getEditorTheme(), this.keybindings, {
      paddingX: editorPaddingX,
      autocompleteMaxVisible,
    });
  }

  #connect(): void {
    const actions = this.#actions;
    const editor = this.#component;
    if (!actions) return;
    editor.onSubmit = (text) => actions.submit(text);
    editor.onChange = (text) => actions.change(text);
    // Editors of extensions may come with a class of their own that looks like ours.
    if (!((editor as Partial<CustomEditor>).actionHandlers instanceof Map)) return;
    const own = editor as CustomEditor;
    if (this.#isUsual || !own.onEscape) own.onEscape = () => actions.escape();
    if (this.#isUsual || !own.onCtrlD) own.onCtrlD = () => actions.exit();
    if (this.#isUsual || !own.onExtensionShortcut) own.onExtensionShortcut = (data) => actions.shortcut(data);
    if (this.#isUsual || !own.onPasteImage) own.onPasteImage = () => actions.pasteImage();
    for (const [id, handler] of actions.handlers) {
      if (this.#isUsual || !own.actionHandlers.has(id)) own.actionHandlers.set(id, handler);
    }
  }
}
