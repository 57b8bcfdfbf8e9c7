export interface AutocompleteItem {
  value: string;
  label: string;
  description?: string;
}

/** A command of the form `/name arguments`. */
export interface SlashCommand {
  name: string;
  description?: string;
  argumentHint?: string;
  getArgumentCompletions?: (prefix: string) => AutocompleteItem[] | null | Promise<AutocompleteItem[] | null>;
}

export interface AutocompleteSuggestions {
  items: AutocompleteItem[];
  /** What stands before the cursor and will be replaced. */
  prefix: string;
}

/** Knows what could come at a cursor. */
export interface AutocompleteProvider {
  /** Characters that open the list at the start of a word, besides `/`, `@` and `#`. */
  triggerCharacters?: string[];
  getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    options: { signal: AbortSignal; force?: boolean },
  ): Promise<AutocompleteSuggestions | null>;
  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    item: AutocompleteItem,
    prefix: string,
  ): { lines: string[]; cursorLine: number; cursorCol: number };
  shouldTriggerFileCompletion?(lines: string[], cursorLine: number, cursorCol: number): boolean;
}
