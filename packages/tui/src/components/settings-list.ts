import { fuzzyFilter } from "../fuzzy.js";
import { getKeybindings, getSelectPageIndex } from "../keys/keybindings.js";
import { onOneLine } from "../text/escapes.js";
import { truncateToWidth } from "../text/truncate.js";
import { visibleWidth } from "../text/width.js";
import { wrapTextWithAnsi } from "../text/wrap.js";
import type { Component } from "../types.js";
import { Input } from "./input.js";

export interface SettingItem {
  id: string;
  label: string;
  description?: string;
  currentValue: string;
  /** Values that Enter goes through. */
  values?: string[];
  /** What Enter opens instead; `done` closes it, with the new value if there is one. */
  submenu?: (currentValue: string, done: (value?: string, options?: { navigateTo?: string }) => void) => Component;
}

export interface SettingsListTheme {
  label: (text: string, selected: boolean) => string;
  value: (text: string, selected: boolean) => string;
  description: (text: string) => string;
  cursor: string;
  hint: (text: string) => string;
}

export interface SettingsListOptions {
  enableSearch?: boolean;
}

const MAX_LABEL = 30;

/** Settings with their values. */
export class SettingsList implements Component {
  private shown: SettingItem[];
  private selected = 0;
  private open: Component | undefined;
  private readonly search: Input | undefined;

  constructor(
    private readonly items: SettingItem[],
    private readonly maxVisible: number,
    private readonly theme: SettingsListTheme,
    private readonly onChange: (id: string, value: string) => void,
    private readonly onCancel: () => void,
    options: SettingsListOptions = {},
  ) {
    this.shown = items;
    if (options.enableSearch) this.search = new Input();
  }

  updateValue(id: string, value: string): void {
    const item = this.items.find((one) => one.id === id);
    if (item) item.currentValue = value;
  }

  selectItem(id: string): void {
    const index = this.shown.findIndex((item) => item.id === id);
    if (index >= 0) this.selected = index;
  }

  invalidate(): void {
    (this.open as Partial<Component> | undefined)?.invalidate?.();
  }

  render(width: number): readonly string[] {
    if (this.open) return this.open.render(width);
    const lines = this.search ? [...this.search.render(width), ""] : [];
    if (this.shown.length === 0) lines.push(this.theme.hint(truncateToWidth("  No matching settings", width)));
    lines.push(...this.itemLines(width));
    const description = this.shown[this.selected]?.description;
    if (description) {
      const wrapped = wrapTextWithAnsi(description, Math.max(1, width - 4));
      lines.push("", ...wrapped.map((line) => this.theme.description(truncateToWidth(`  ${line}`, width))));
    }
    const hint = `${this.search ? "Type to search · " : ""}Enter/Space to change · Esc to cancel`;
    const hints = wrapTextWithAnsi(`  ${hint}`, Math.max(1, width)).map((line) => this.theme.hint(line));
    return [...lines, "", ...hints];
  }

  handleInput(data: string): void {
    if (this.open) {
      this.open.handleInput?.(data);
      return;
    }
    const keys = getKeybindings();
    const last = this.shown.length - 1;
    const page = getSelectPageIndex(keys, data, this.selected, this.shown.length, this.maxVisible);
    if (keys.matches(data, "tui.select.up")) this.selected = this.selected <= 0 ? Math.max(0, last) : this.selected - 1;
    else if (keys.matches(data, "tui.select.down")) this.selected = this.selected >= last ? 0 : this.selected + 1;
    else if (page !== undefined) this.selected = Math.max(0, page);
    else if (keys.matches(data, "tui.select.confirm") || data === " ") this.activate();
    else if (keys.matches(data, "tui.select.cancel")) this.onCancel();
    else if (this.search) this.filter(this.search, data);
  }

  private filter(search: Input, data: string): void {
    search.handleInput(data);
    this.shown = fuzzyFilter(this.items, search.getValue(), (item) => item.label);
    this.selected = 0;
  }

  private activate(): void {
    const item = this.shown[this.selected];
    if (!item) return;
    if (item.submenu) {
      this.open = item.submenu(item.currentValue, (value, options) => {
        this.open = undefined;
        if (value !== undefined) this.change(item, value);
        if (options?.navigateTo !== undefined) this.selectItem(options.navigateTo);
      });
      return;
    }
    const values = item.values ?? [];
    const next = values[(values.indexOf(item.currentValue) + 1) % values.length];
    if (next !== undefined) this.change(item, next);
  }

  private change(item: SettingItem, value: string): void {
    item.currentValue = value;
    this.onChange(item.id, value);
  }

  private itemLines(width: number): string[] {
    const visible = Math.max(1, this.maxVisible);
    const start = Math.max(0, Math.min(this.shown.length - visible, this.selected - Math.floor(visible / 2)));
    const end = Math.min(this.shown.length, start + visible);
    const labelWidth = Math.min(
      MAX_LABEL,
      Math.max(0, ...this.items.map((item) => visibleWidth(onOneLine(item.label)))),
    );
    const lines = this.shown.slice(start, end).map((item, at) => {
      const selected = start + at === this.selected;
      const prefix = selected ? this.theme.cursor : " ".repeat(visibleWidth(this.theme.cursor));
      const label = this.theme.label(truncateToWidth(onOneLine(item.label), labelWidth, "…", true), selected);
      return truncateToWidth(
        `${prefix}${label}  ${this.theme.value(onOneLine(item.currentValue), selected)}`,
        width,
        "…",
      );
    });
    if (start > 0 || end < this.shown.length) {
      lines.push(this.theme.hint(truncateToWidth(`  (${this.selected + 1}/${this.shown.length})`, width)));
    }
    return lines;
  }
}
