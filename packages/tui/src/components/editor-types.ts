import type { AutocompleteProvider } from "../autocomplete/types.js";
import type { Component } from "../types.js";
import type { SelectListTheme } from "./select-list.js";

export interface EditorTheme {
  borderColor: (text: string) => string;
  selectList: SelectListTheme;
}

export interface EditorOptions {
  /** Default 0. */
  paddingX?: number;
  /** 3 to 20, default 5. */
  autocompleteMaxVisible?: number;
}

/** What an editor of an extension has to offer, and what it may. */
export interface EditorComponent extends Component {
  handleInput(data: string): void;
  getText(): string;
  setText(text: string): void;
  onSubmit?: (text: string) => void;
  onChange?: (text: string) => void;
  addToHistory?(text: string): void;
  insertTextAtCursor?(text: string): void;
  getExpandedText?(): string;
  setAutocompleteProvider?(provider: AutocompleteProvider): void;
  borderColor?: (text: string) => string;
  setPaddingX?(padding: number): void;
  setAutocompleteMaxVisible?(maxVisible: number): void;
}
