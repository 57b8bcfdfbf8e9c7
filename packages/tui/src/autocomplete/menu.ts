import { SelectList, type SelectListTheme } from "../components/select-list.js";
import type { TextModel } from "../editing/text-model.js";
import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from "./types.js";

const DEBOUNCE_MS = 20;
const PRIMARY = { minPrimaryColumnWidth: 12, maxPrimaryColumnWidth: 32 };

/** The list under an editor: asks a provider one question at a time, and drops answers to what is no longer there. */
export class AutocompleteMenu {
  provider: AutocompleteProvider | undefined;
  list: SelectList | undefined;
  maxVisible = 5;
  private suggestions: AutocompleteSuggestions | undefined;
  private asked: AbortController | undefined;
  private timer: NodeJS.Timeout | undefined;
  private chain: Promise<void> = Promise.resolve();

  constructor(
    private readonly model: TextModel,
    private readonly theme: SelectListTheme,
    private readonly apply: (item: AutocompleteItem, prefix: string) => void,
    private readonly changed: () => void,
  ) {}

  get isOpen(): boolean {
    return this.list !== undefined;
  }

  get prefix(): string {
    return this.suggestions?.prefix ?? "";
  }

  close(): void {
    clearTimeout(this.timer);
    this.asked?.abort();
    this.asked = undefined;
    this.list = undefined;
    this.suggestions = undefined;
  }

  /** The text before the cursor has changed: opens, updates or closes the list. */
  update(): void {
    if (!this.provider) return;
    const trigger = this.trigger();
    if (trigger !== undefined) this.request(false, trigger === "/" ? 0 : DEBOUNCE_MS);
    else if (this.isOpen) this.request(false, 0);
    else this.close();
  }

  /** Tab: asks although nothing opens the list by itself. */
  force(): void {
    const { provider, model } = this;
    const { line, col } = model.cursor;
    if (!provider || !(provider.shouldTriggerFileCompletion?.(model.lines, line, col) ?? true)) {
      if (provider) this.request(false, 0);
      return;
    }
    this.request(true, 0);
  }

  accept(): void {
    const item = this.list?.getSelectedItem();
    const prefix = this.prefix;
    this.close();
    if (item) this.apply(item, prefix);
  }

  /** The character that opens the list, when the cursor is in a word that begins with one. */
  private trigger(): string | undefined {
    const { cursor, line } = this.model;
    const before = line.slice(0, cursor.col);
    if (cursor.line === 0 && /^\s*\//.test(before)) return "/";
    const word = /(?:^|[\s\u3000-\u303f\uff00-\uff0f([{<`])([^\s\u3000-\u303f([{<`]*)$/u.exec(before)?.[1] ?? "";
    const first = word[0] ?? "";
    const triggers = ["@", "#", ...(this.provider?.triggerCharacters ?? [])];
    return triggers.includes(first) ? first : undefined;
  }

  private request(force: boolean, delay: number): void {
    clearTimeout(this.timer);
    this.asked?.abort();
    const asked = new AbortController();
    this.asked = asked;
    const ask = () => {
      this.chain = this.chain.then(() => this.ask(asked, force));
    };
    if (delay === 0) ask();
    else this.timer = setTimeout(ask, delay);
  }

  private async ask(asked: AbortController, force: boolean): Promise<void> {
    if (asked.signal.aborted || !this.provider) return;
    const text = this.model.text;
    const { line, col } = this.model.cursor;
    let found: AutocompleteSuggestions | null;
    try {
      const given = await this.provider.getSuggestions([...this.model.lines], line, col, {
        signal: asked.signal,
        force,
      });
      found = usable(given);
    } catch {
      // A provider that fails has nothing to suggest; typing goes on.
      found = null;
    }
    if (asked.signal.aborted || this.asked !== asked) return;
    const { cursor } = this.model;
    if (this.model.text !== text || cursor.line !== line || cursor.col !== col) return;
    this.show(found, force);
    this.changed();
  }

  private show(found: AutocompleteSuggestions | null, force: boolean): void {
    if (!found || found.items.length === 0) {
      this.close();
      return;
    }
    const [only] = found.items;
    if (force && only && found.items.length === 1) {
      this.close();
      this.apply(only, found.prefix);
      return;
    }
    this.suggestions = found;
    this.list = new SelectList(found.items, this.maxVisible, this.theme, PRIMARY);
    const exact = found.items.findIndex(({ value }) => value === found.prefix);
    const starting = found.items.findIndex(({ value }) => value.startsWith(found.prefix));
    this.list.setSelectedIndex(exact >= 0 ? exact : Math.max(0, starting));
    this.list.onSelect = () => {
      this.accept();
      this.changed();
    };
  }
}

/** Of what a provider gives, which may be anybody's, the items that can be shown. */
function usable(found: AutocompleteSuggestions | null): AutocompleteSuggestions | null {
  if (!Array.isArray(found?.items)) return null;
  const isText = (value: unknown) => typeof value === "string";
  const items = found.items.filter((item) => isText(item?.value) && isText(item.label));
  return { items, prefix: isText(found.prefix) ? found.prefix : "" };
}
