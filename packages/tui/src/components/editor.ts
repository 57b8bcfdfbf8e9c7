import { completed } from "../autocomplete/completed.js";
import { AutocompleteMenu } from "../autocomplete/menu.js";
import type { AutocompleteItem, AutocompleteProvider } from "../autocomplete/types.js";
import { EditSession, normalizeText, pastedText, typedText } from "../editing/edit-session.js";
import { PromptHistory } from "../editing/prompt-history.js";
import { MARKER_CHARS, MARKER_LINES, type TextModel } from "../editing/text-model.js";
import { rowOf, type VisualRow, visualRows } from "../editing/visual-rows.js";
import type { Keybinding } from "../keys/default-bindings.js";
import { getKeybindings } from "../keys/keybindings.js";
import { graphemeWidth, splitGraphemes } from "../text/grapheme-width.js";
import { visibleWidth } from "../text/width.js";
import type { Component, Focusable, TUI, TuiMouseEvent, TuiMouseEventResult } from "../types.js";
import { editorBorder, editorRow } from "./editor-rows.js";
import type { EditorOptions, EditorTheme } from "./editor-types.js";

/** A text of several lines between two rules, with history, completion and everything an editor needs. */
export class Editor implements Component, Focusable {
  focused = false;
  disableSubmit = false;
  borderColor: (text: string) => string;
  onSubmit?: (text: string) => void;
  onChange?: (text: string) => void;
  private readonly session = new EditSession(insertPossiblyLong);
  private readonly history = new PromptHistory();
  private readonly menu: AutocompleteMenu;
  private paddingX: number;
  private width = 80;
  private scroll = 0;
  private shownRows: readonly VisualRow[] = [];
  /** Column that moving up and down keeps through shorter rows. */
  private stickyColumn: number | undefined;
  private jump: "forward" | "backward" | undefined;

  constructor(
    protected readonly tui: TUI,
    theme: EditorTheme,
    options: EditorOptions = {},
  ) {
    this.borderColor = theme.borderColor;
    this.paddingX = Math.max(0, options.paddingX ?? 0);
    this.menu = new AutocompleteMenu(
      this.model,
      theme.selectList,
      (item, prefix) => this.complete(item, prefix),
      () => this.tui.requestRender(),
    );
    if (options.autocompleteMaxVisible !== undefined) this.setAutocompleteMaxVisible(options.autocompleteMaxVisible);
  }

  getText(): string {
    return this.model.text;
  }

  /** Replaces the text; the cursor goes to its end. */
  setText(text: string): void {
    this.history.leave();
    this.session.change((model) => model.setText(normalizeText(text)));
    this.afterChange(false);
  }

  /** The text with what was pasted in the place of its markers. */
  getExpandedText(): string {
    return this.model.expanded;
  }

  getLines(): string[] {
    return [...this.model.lines];
  }

  getCursor(): { line: number; col: number } {
    return { ...this.model.cursor };
  }

  insertTextAtCursor(text: string): void {
    this.session.change((model) => model.insert(normalizeText(text)));
    this.afterChange(false);
  }

  addToHistory(text: string): void {
    this.history.add(text);
  }

  setAutocompleteProvider(provider: AutocompleteProvider): void {
    this.menu.close();
    this.menu.provider = provider;
  }

  isShowingAutocomplete(): boolean {
    return this.menu.isOpen;
  }

  getPaddingX(): number {
    return this.paddingX;
  }

  setPaddingX(padding: number): void {
    this.paddingX = Math.max(0, Math.floor(padding));
    this.tui.requestRender();
  }

  getAutocompleteMaxVisible(): number {
    return this.menu.maxVisible;
  }

  setAutocompleteMaxVisible(maxVisible: number): void {
    this.menu.maxVisible = Math.max(3, Math.min(20, Math.floor(maxVisible)));
  }

  invalidate(): void {}

  render(width: number): readonly string[] {
    this.width = width;
    const rows = this.rows();
    const height = this.maxRows();
    const { line, col } = this.model.cursor;
    const at = rowOf(rows, line, col);
    if (at < this.scroll) this.scroll = at;
    if (at >= this.scroll + height) this.scroll = at - height + 1;
    this.scroll = Math.max(0, Math.min(this.scroll, rows.length - height));
    const shown = rows.slice(this.scroll, this.scroll + height);
    this.shownRows = shown;
    const padding = this.padding();
    const body = shown.map((row, index) => {
      const text = (this.model.lines[row.line] ?? "").slice(row.start, row.end);
      const cursor = this.focused && this.scroll + index === at ? col - row.start : undefined;
      return editorRow(text, cursor, width, padding);
    });
    const list = this.menu.list?.render(Math.max(1, width - 2 * padding)) ?? [];
    return [
      this.renderTopBorder(width, this.scroll),
      ...body,
      this.renderBottomBorder(width, Math.max(0, rows.length - this.scroll - shown.length)),
      ...list.map((one) => " ".repeat(padding) + one),
    ];
  }

  handleInput(data: string): void {
    if (this.jump && this.finishJump(data)) return;
    const pasted = pastedText(data);
    if (pasted !== undefined) {
      this.paste(pasted);
      return;
    }
    if (this.menu.isOpen && this.handleMenuKey(data)) return;
    const is = (id: Keybinding) => getKeybindings().matches(data, id);
    // The owner copies; nothing is typed.
    if (is("tui.input.copy")) return;
    if (is("tui.input.tab")) this.menu.force();
    else if (is("tui.input.newLine") || data === "\x1b\r" || data === "\x1b[13;2~" || data === "\n") this.newLine();
    else if (is("tui.input.submit")) this.submitOrNewLine();
    else if (is("tui.editor.jumpForward")) this.jump = "forward";
    else if (is("tui.editor.jumpBackward")) this.jump = "backward";
    else if (this.handleVerticalKey(data)) return;
    else if (this.edit(data)) return;
    else this.type(data);
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    const list = this.menu.list;
    const listRow = event.y - this.shownRows.length - 2;
    if (list && listRow >= 0) return list.handleMouse({ ...event, y: listRow });
    const row = this.shownRows[event.y - 1];
    if (event.type !== "click" || event.button !== "left" || !row) return undefined;
    this.menu.close();
    this.placeInRow(row, event.x - this.padding());
    this.session.moved();
    this.stickyColumn = undefined;
    return { handled: true, focus: true };
  }

  protected renderTopBorder(width: number, hidden: number): string {
    return this.borderColor(editorBorder(width, hidden > 0 ? ` ↑ ${hidden} more ` : ""));
  }

  protected renderBottomBorder(width: number, hidden: number): string {
    return this.borderColor(editorBorder(width, hidden > 0 ? ` ↓ ${hidden} more ` : ""));
  }

  private get model(): TextModel {
    return this.session.model;
  }

  private padding(): number {
    return Math.max(0, Math.min(this.paddingX, Math.floor((this.width - 1) / 2)));
  }

  private rows(): VisualRow[] {
    const padding = this.padding();
    // Without padding the cursor behind a full row needs a column of its own.
    return visualRows(this.model, Math.max(1, this.width - 2 * padding - (padding === 0 ? 1 : 0)));
  }

  private maxRows(): number {
    return Math.max(5, Math.floor(this.tui.terminal.rows * 0.3));
  }

  private handleMenuKey(data: string): boolean {
    const is = (id: Keybinding) => getKeybindings().matches(data, id);
    if (is("tui.select.cancel")) {
      this.menu.close();
      return true;
    }
    if (is("tui.select.up") || is("tui.select.down") || is("tui.select.pageUp") || is("tui.select.pageDown")) {
      this.menu.list?.handleInput(data);
      return true;
    }
    if (is("tui.input.tab")) {
      this.menu.accept();
      return true;
    }
    if (!is("tui.select.confirm") || is("tui.input.newLine")) return false;
    // A command is whole with its name; everything else goes on.
    const isCommand = /^\s*\/\S*$/.test(this.menu.prefix) && this.model.cursor.line === 0;
    this.menu.accept();
    if (isCommand) this.submit();
    return true;
  }

  private handleVerticalKey(data: string): boolean {
    const is = (id: Keybinding) => getKeybindings().matches(data, id);
    const page = this.maxRows();
    if (is("tui.editor.historyPrevious")) this.browse("older");
    else if (is("tui.editor.historyNext")) this.browse("newer");
    else if (is("tui.editor.cursorUp")) this.up();
    else if (is("tui.editor.cursorDown")) this.down();
    else if (is("tui.editor.pageUp")) this.moveRows(-page);
    else if (is("tui.editor.pageDown")) this.moveRows(page);
    else return false;
    return true;
  }

  private edit(data: string): boolean {
    const before = this.model.text;
    if (!this.session.handleKey(data)) return false;
    if (this.model.text !== before) this.afterChange(true);
    else this.afterMove();
    return true;
  }

  private type(data: string): void {
    const text = typedText(data);
    if (text === undefined) return;
    this.session.type(text);
    this.afterChange(true);
  }

  private paste(text: string): void {
    if (text === "") return;
    const before = this.model.line.slice(0, this.model.cursor.col);
    const isPath = /^[/~.]/.test(text) && /[\p{L}\p{N}_]$/u.test(before);
    this.session.change((model) => insertPossiblyLong(model, isPath ? ` ${text}` : text));
    this.menu.close();
    this.afterChange(false);
  }

  private newLine(): void {
    const swapped = getKeybindings().getKeys("tui.input.submit").includes("shift+enter");
    if (swapped && this.takeBackslash()) {
      this.submit();
      return;
    }
    this.session.change((model) => model.insert("\n"));
    this.afterChange(true);
  }

  private submitOrNewLine(): void {
    const swapped = getKeybindings().getKeys("tui.input.submit").includes("shift+enter");
    if (!swapped && this.takeBackslash()) {
      this.model.insert("\n");
      this.afterChange(true);
      return;
    }
    this.submit();
  }

  /** Removes the backslash before the cursor, which turns the key into the other one. */
  private takeBackslash(): boolean {
    const { line, col } = this.model.cursor;
    if (this.model.line[col - 1] !== "\\") return false;
    this.session.change((model) => model.remove({ line, col: col - 1 }, { line, col }));
    return true;
  }

  private submit(): void {
    if (this.disableSubmit) return;
    const text = this.model.expanded.trim();
    this.menu.close();
    this.history.leave();
    this.model.setText("");
    this.session.forgetSteps();
    this.scroll = 0;
    this.stickyColumn = undefined;
    this.onChange?.("");
    this.onSubmit?.(text);
  }

  private up(): void {
    const rows = this.rows();
    const { line, col } = this.model.cursor;
    const isFirst = rowOf(rows, line, col) === 0;
    if (isFirst && (this.history.browsing || this.model.text === "" || col === 0)) this.browse("older");
    else if (isFirst) this.moveTo(0, 0);
    else this.moveRows(-1);
  }

  private down(): void {
    const rows = this.rows();
    const { line, col } = this.model.cursor;
    if (rowOf(rows, line, col) < rows.length - 1) this.moveRows(1);
    else if (this.history.browsing) this.browse("newer");
    else this.moveTo(line, this.model.line.length);
  }

  private moveTo(line: number, col: number): void {
    this.model.cursor = { line, col };
    this.session.moved();
    this.afterMove();
  }

  private browse(direction: "older" | "newer"): void {
    const text = direction === "older" ? this.history.older(this.model.text) : this.history.newer();
    if (text === undefined) return;
    this.session.change((model) => model.setText(text));
    if (direction === "older") this.model.cursor = { line: 0, col: 0 };
    this.menu.close();
    this.stickyColumn = undefined;
    this.onChange?.(this.model.text);
  }

  private moveRows(count: number): void {
    const rows = this.rows();
    const { line, col } = this.model.cursor;
    const from = rowOf(rows, line, col);
    const target = rows[Math.max(0, Math.min(rows.length - 1, from + count))];
    const row = rows[from];
    if (!row || !target) return;
    this.stickyColumn ??= visibleWidth(this.model.line.slice(row.start, col));
    this.placeInRow(target, this.stickyColumn);
    this.session.moved();
    this.menu.close();
  }

  /** Puts the cursor on the character at a column of a row; inside a marker it goes to its start. */
  private placeInRow(row: VisualRow, column: number): void {
    const text = this.model.lines[row.line] ?? "";
    let col = row.start;
    let used = 0;
    for (const cluster of splitGraphemes(text.slice(row.start, row.end))) {
      const width = graphemeWidth(cluster);
      if (used + width > column) break;
      used += width;
      col += cluster.length;
    }
    // Behind a broken row is the start of the next one.
    if (row.continues && col >= row.end) col = this.model.before({ line: row.line, col: row.end }).col;
    const marker = this.model.markers(text).find(({ start, end }) => start < col && col < end);
    this.model.cursor = { line: row.line, col: marker?.start ?? col };
  }

  /** The key after a jump key: goes to that character. False when the key has a meaning of its own. */
  private finishJump(data: string): boolean {
    const direction = this.jump;
    this.jump = undefined;
    const keys = getKeybindings();
    if (keys.matches(data, "tui.editor.jumpForward") || keys.matches(data, "tui.editor.jumpBackward")) return true;
    const char = typedText(data);
    if (char === undefined) return false;
    const { line, col } = this.model.cursor;
    const step = direction === "forward" ? 1 : -1;
    for (let at = line; at >= 0 && at < this.model.lines.length; at += step) {
      const text = this.model.lines[at] ?? "";
      const from = at === line ? col + step : step > 0 ? 0 : text.length;
      const found = from < 0 ? -1 : step > 0 ? text.indexOf(char, from) : text.lastIndexOf(char, from);
      if (found < 0) continue;
      this.moveTo(at, found);
      break;
    }
    return true;
  }

  private complete(item: AutocompleteItem, prefix: string): void {
    const { provider } = this.menu;
    if (!provider) return;
    const { line, col } = this.model.cursor;
    const result = completed(provider, this.model.lines, line, col, item, prefix);
    this.session.change((model) => {
      model.lines = [...result.lines];
      model.cursor = { line: result.cursorLine, col: result.cursorCol };
    });
    this.history.leave();
    this.stickyColumn = undefined;
    this.onChange?.(this.model.text);
    // A folder is a step on the way.
    if (this.model.line.slice(0, this.model.cursor.col).endsWith("/")) this.menu.update();
  }

  private afterChange(complete: boolean): void {
    this.history.leave();
    this.stickyColumn = undefined;
    this.onChange?.(this.model.text);
    if (complete) this.menu.update();
    else this.menu.close();
  }

  private afterMove(): void {
    this.stickyColumn = undefined;
    this.menu.close();
  }
}

function insertPossiblyLong(model: TextModel, text: string): void {
  if (text.length > MARKER_CHARS || text.split("\n").length > MARKER_LINES) model.insertPaste(text);
  else model.insert(text);
}
