import { getKeybindings, getSelectPageIndex } from "../keys/keybindings.js";
import { onOneLine } from "../text/escapes.js";
import { truncateToWidth } from "../text/truncate.js";
import { visibleWidth } from "../text/width.js";
import type { Component, TuiMouseEvent, TuiMouseEventResult } from "../types.js";

type StyleFunction = (text: string) => string;

export interface SelectItem {
  value: string;
  label: string;
  description?: string;
}

export interface SelectListTheme {
  selectedPrefix: StyleFunction;
  selectedText: StyleFunction;
  description: StyleFunction;
  scrollInfo: StyleFunction;
  noMatch: StyleFunction;
}

export interface SelectListTruncatePrimaryContext {
  text: string;
  maxWidth: number;
  columnWidth: number;
  item: SelectItem;
  isSelected: boolean;
}

export interface SelectListLayoutOptions {
  minPrimaryColumnWidth?: number;
  maxPrimaryColumnWidth?: number;
  truncatePrimary?: (context: SelectListTruncatePrimaryContext) => string;
}

const PRIMARY_WIDTH = 32;
const DESCRIPTION_FROM = 40;
const GAP = 2;

/** A list to choose from. */
export class SelectList implements Component {
  onSelect?: (item: SelectItem) => void;
  onCancel?: () => void;
  onSelectionChange?: (item: SelectItem) => void;
  private shown: SelectItem[];
  private selected = 0;

  constructor(
    private readonly items: SelectItem[],
    private readonly maxVisible: number,
    private readonly theme: SelectListTheme,
    private readonly layout: SelectListLayoutOptions = {},
  ) {
    this.shown = items;
  }

  /** Shows the items whose value starts with the filter. */
  setFilter(filter: string): void {
    const prefix = filter.toLowerCase();
    this.shown = this.items.filter(({ value }) => value.toLowerCase().startsWith(prefix));
    this.selected = 0;
  }

  setSelectedIndex(index: number): void {
    this.selected = Math.max(0, Math.min(this.shown.length - 1, index));
  }

  getSelectedItem(): SelectItem | null {
    return this.shown[this.selected] ?? null;
  }

  invalidate(): void {}

  render(width: number): readonly string[] {
    if (this.shown.length === 0) return [this.theme.noMatch(truncateToWidth("  No matching commands", width))];
    const { start, end } = this.window();
    const column = this.primaryWidth();
    const lines = this.shown
      .slice(start, end)
      .map((item, at) => this.line(item, start + at === this.selected, width, column));
    if (start > 0 || end < this.shown.length) {
      const info = `  (${this.selected + 1}/${this.shown.length})`;
      lines.push(this.theme.scrollInfo(truncateToWidth(info, width)));
    }
    return lines;
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    const count = this.shown.length;
    const page = getSelectPageIndex(keys, data, this.selected, count, this.maxVisible);
    if (keys.matches(data, "tui.select.up")) this.move(this.selected === 0 ? count - 1 : this.selected - 1);
    else if (keys.matches(data, "tui.select.down")) this.move(this.selected === count - 1 ? 0 : this.selected + 1);
    else if (page !== undefined) this.move(page);
    else if (keys.matches(data, "tui.select.confirm")) this.choose();
    else if (keys.matches(data, "tui.select.cancel")) this.onCancel?.();
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    if (event.type === "wheel") {
      this.move(Math.max(0, Math.min(this.shown.length - 1, this.selected + Math.sign(event.wheelDelta ?? 0))));
      return { handled: true };
    }
    const index = this.window().start + event.y;
    if (event.type !== "click" || event.button !== "left" || index >= this.window().end) return undefined;
    this.move(index);
    this.choose();
    return { handled: true };
  }

  private choose(): void {
    const item = this.getSelectedItem();
    if (item) this.onSelect?.(item);
  }

  private move(index: number): void {
    if (this.shown.length === 0) return;
    this.selected = index;
    const item = this.getSelectedItem();
    if (item) this.onSelectionChange?.(item);
  }

  /** The part of the list on screen, with the selection in its middle. */
  private window(): { start: number; end: number } {
    const visible = Math.max(1, this.maxVisible);
    const last = Math.max(0, this.shown.length - visible);
    const start = Math.max(0, Math.min(last, this.selected - Math.floor(visible / 2)));
    return { start, end: Math.min(this.shown.length, start + visible) };
  }

  private primaryWidth(): number {
    const { minPrimaryColumnWidth: min, maxPrimaryColumnWidth: max } = this.layout;
    if (min === undefined && max === undefined) return PRIMARY_WIDTH;
    const low = Math.min(min ?? max ?? PRIMARY_WIDTH, max ?? Number.POSITIVE_INFINITY);
    const high = Math.max(low, max ?? min ?? PRIMARY_WIDTH);
    const widest = Math.max(0, ...this.shown.map((item) => visibleWidth(labelOf(item))));
    return Math.max(low, Math.min(high, widest + GAP));
  }

  private line(item: SelectItem, isSelected: boolean, width: number, columnWidth: number): string {
    const room = Math.max(1, width - 2);
    const description = item.description?.replace(/\s+/g, " ").trim();
    const withDescription = Boolean(description) && width > DESCRIPTION_FROM;
    const maxWidth = withDescription ? Math.max(1, Math.min(columnWidth - GAP, room)) : room;
    const text = labelOf(item);
    const primary = this.layout.truncatePrimary
      ? truncateToWidth(
          onOneLine(this.layout.truncatePrimary({ text, maxWidth, columnWidth, item, isSelected })),
          maxWidth,
          "",
        )
      : truncateToWidth(text, maxWidth, "");
    const spacing = " ".repeat(withDescription ? Math.max(1, columnWidth - visibleWidth(primary)) : 0);
    const left = room - visibleWidth(primary) - spacing.length;
    const rest = withDescription && left > 10 ? truncateToWidth(description ?? "", left, "") : "";
    const gap = rest ? spacing : "";
    if (!isSelected) return truncateToWidth(`  ${primary}${rest && this.theme.description(gap + rest)}`, width, "");
    const prefix = this.theme.selectedPrefix(truncateToWidth("→ ", width, ""));
    return prefix + this.theme.selectedText(width > 2 ? primary + gap + rest : "");
  }
}

function labelOf(item: SelectItem): string {
  return onOneLine(item.label || item.value);
}
