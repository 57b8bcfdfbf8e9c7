import {
  type Component,
  type Focusable,
  fuzzyFilter,
  getKeybindings,
  getSelectPageIndex,
  Input,
  type TuiMouseEvent,
  type TuiMouseEventResult,
  truncateToWidth,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import { rawKeyHint, shownKey } from "../keys/key-hints.js";
import { currentTheme } from "../theme/current.js";

export interface SearchListOptions<Item> {
  items: readonly Item[];
  title: () => string;
  /** One row, at most `width` columns. */
  row: (item: Item, isSelected: boolean, width: number) => string;
  /** What a search looks at; without it nothing is searched. */
  searchText?: ((item: Item) => string) | undefined;
  /** Default: fuzzy over `searchText`. */
  filter?: ((items: readonly Item[], query: string) => readonly Item[]) | undefined;
  /** Rows of the list, default 10. */
  maxVisible?: number | (() => number) | undefined;
  selected?: ((item: Item) => boolean) | undefined;
  query?: string | undefined;
  emptyText?: string | undefined;
  /** More keys in the line below the list. */
  hints?: (() => readonly [key: string, what: string][]) | undefined;
  /** Lines below the list about what is selected. */
  detail?: ((item: Item) => string) | undefined;
  onSelect: (item: Item) => void;
  onCancel: () => void;
  onMove?: ((item: Item) => void) | undefined;
  /** Keys of this list's own; true when one was meant. */
  onKey?: ((data: string, item: Item | undefined, list: SearchList<Item>) => boolean) | undefined;
}

/** A list to choose from, in place of the editor: search by typing, framed by rules. */
export class SearchList<Item> implements Component, Focusable {
  #items: readonly Item[];
  #shown: readonly Item[] = [];
  #selected = 0;
  #focused = false;
  readonly #search = new Input({ prompt: "> " });

  constructor(private readonly options: SearchListOptions<Item>) {
    this.#items = options.items;
    if (options.query !== undefined) this.#search.setValue(options.query);
    this.#filter();
    const { selected } = options;
    const at = selected ? this.#shown.findIndex(selected) : -1;
    this.#selected = Math.max(0, at);
  }

  get focused(): boolean {
    return this.#focused;
  }

  set focused(focused: boolean) {
    this.#focused = focused;
    this.#search.focused = focused;
  }

  get selectedItem(): Item | undefined {
    return this.#shown[this.#selected];
  }

  get query(): string {
    return this.#search.getValue();
  }

  /** Other items; the selection stays on the one that `isSame` knows again, or at its place. */
  setItems(items: readonly Item[], isSame?: (item: Item) => boolean): void {
    this.#items = items;
    this.#filter();
    const at = isSame ? this.#shown.findIndex(isSame) : -1;
    this.#selected = at >= 0 ? at : Math.max(0, Math.min(this.#selected, this.#shown.length - 1));
  }

  invalidate(): void {}

  render(width: number): readonly string[] {
    const theme = currentTheme();
    const rule = theme.fg("border", "─".repeat(Math.max(1, width)));
    const title = this.options
      .title()
      .split("\n")
      .flatMap((line) => wrapTextWithAnsi(line, width));
    const search = this.options.searchText ? [...this.#search.render(width)] : [];
    const { start, end } = this.#window();
    const rows = this.#shown
      .slice(start, end)
      .map((item, at) => truncateToWidth(this.options.row(item, start + at === this.#selected, width), width, "…"));
    if (rows.length === 0)
      rows.push(theme.fg("muted", truncateToWidth(`  ${this.options.emptyText ?? "Nothing found"}`, width)));
    if (start > 0 || end < this.#shown.length) {
      rows.push(theme.fg("muted", truncateToWidth(`  (${this.#selected + 1}/${this.#shown.length})`, width)));
    }
    const item = this.selectedItem;
    const detail = item && this.options.detail ? wrapTextWithAnsi(this.options.detail(item), width) : [];
    this.#firstRow = 1 + title.length + search.length;
    return [rule, ...title, ...search, ...rows, ...detail, ...wrapTextWithAnsi(this.#hintLine(), width), rule];
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    const count = this.#shown.length;
    const page = getSelectPageIndex(keys, data, this.#selected, count, this.#visible());
    if (this.options.onKey?.(data, this.selectedItem, this)) return;
    if (keys.matches(data, "tui.select.up")) this.#move(this.#selected === 0 ? count - 1 : this.#selected - 1);
    else if (keys.matches(data, "tui.select.down")) this.#move(this.#selected === count - 1 ? 0 : this.#selected + 1);
    else if (page !== undefined) this.#move(page);
    else if (keys.matches(data, "tui.select.confirm")) this.#choose();
    else if (keys.matches(data, "tui.select.cancel")) this.options.onCancel();
    else if (this.options.searchText) {
      const before = this.query;
      this.#search.handleInput(data);
      if (this.query === before) return;
      this.#filter();
      this.#move(0);
    }
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    if (event.type === "wheel") {
      this.#move(Math.max(0, Math.min(this.#shown.length - 1, this.#selected + Math.sign(event.wheelDelta ?? 0))));
      return { handled: true };
    }
    const { start, end } = this.#window();
    const index = start + event.y - this.#firstRow;
    if (event.type !== "click" || event.button !== "left" || index < start || index >= end) return undefined;
    this.#move(index);
    this.#choose();
    return { handled: true };
  }

  select(index: number): void {
    this.#move(Math.max(0, Math.min(index, this.#shown.length - 1)));
  }

  get shown(): readonly Item[] {
    return this.#shown;
  }

  #firstRow = 1;

  #choose(): void {
    const item = this.selectedItem;
    if (item !== undefined) this.options.onSelect(item);
  }

  #move(index: number): void {
    if (this.#shown.length === 0) return;
    this.#selected = index;
    const item = this.selectedItem;
    if (item !== undefined) this.options.onMove?.(item);
  }

  #filter(): void {
    const { searchText, filter } = this.options;
    const query = this.query.trim();
    if (query === "" && !filter) this.#shown = this.#items;
    else if (filter) this.#shown = filter(this.#items, query);
    else this.#shown = searchText ? fuzzyFilter([...this.#items], query, searchText) : this.#items;
  }

  #visible(): number {
    const { maxVisible = 10 } = this.options;
    return Math.max(1, typeof maxVisible === "function" ? maxVisible() : maxVisible);
  }

  #window(): { start: number; end: number } {
    const visible = this.#visible();
    const last = Math.max(0, this.#shown.length - visible);
    const start = Math.max(0, Math.min(last, this.#selected - Math.floor(visible / 2)));
    return { start, end: Math.min(this.#shown.length, start + visible) };
  }

  #hintLine(): string {
    const keys = getKeybindings();
    const key = (id: "tui.select.confirm" | "tui.select.cancel") => keys.getKeys(id).map(shownKey).join("/");
    const all: (readonly [string, string])[] = [
      ["↑↓", "navigate"],
      [key("tui.select.confirm"), "select"],
      ...(this.options.hints?.() ?? []),
      [key("tui.select.cancel"), "cancel"],
    ];
    return ` ${all.map(([one, what]) => rawKeyHint(one, what)).join("  ")}`;
  }
}
