import { CURSOR_MARKER, renderFakeCursor } from "../cursor.js";
import { EditSession, pastedText, typedText } from "../editing/edit-session.js";
import { getKeybindings } from "../keys/keybindings.js";
import { splitGraphemes } from "../text/grapheme-width.js";
import { sliceByColumn } from "../text/slice.js";
import { truncateToWidth } from "../text/truncate.js";
import { visibleWidth } from "../text/width.js";
import type { Component, Focusable } from "../types.js";

export interface InputOptions {
  /** Default `> `. */
  prompt?: string;
  /** Shown while there is no text. */
  placeholder?: string;
  placeholderStyle?: (text: string) => string;
}

/** One line of text. */
export class Input implements Component, Focusable {
  focused = false;
  onSubmit?: (value: string) => void;
  onEscape?: () => void;
  private readonly session = new EditSession((model, text) => model.insert(singleLine(text)));
  private scroll = 0;

  constructor(private readonly options: InputOptions = {}) {}

  getValue(): string {
    return this.session.model.text;
  }

  setValue(value: string): void {
    this.session.model.setText(singleLine(value));
    this.session.forgetSteps();
  }

  invalidate(): void {}

  handleInput(data: string): void {
    const keys = getKeybindings();
    const pasted = pastedText(data);
    if (pasted !== undefined) this.session.change((model) => model.insert(singleLine(pasted)));
    else if (keys.matches(data, "tui.select.cancel")) this.onEscape?.();
    else if (keys.matches(data, "tui.input.submit") || data === "\n") this.onSubmit?.(this.getValue());
    else if (!this.session.handleKey(data)) {
      const text = typedText(data);
      if (text !== undefined) this.session.type(text);
    }
  }

  render(width: number): readonly string[] {
    const prompt = truncateToWidth(this.options.prompt ?? "> ", width - 1, "");
    const room = Math.max(1, width - visibleWidth(prompt));
    const { text, cursor } = this.session.model;
    if (text === "" && this.options.placeholder) return [prompt + this.placeholder(this.options.placeholder, room)];
    const before = visibleWidth(text.slice(0, cursor.col));
    const cell = splitGraphemes(text.slice(cursor.col))[0] ?? " ";
    const cellWidth = Math.min(room, Math.max(1, visibleWidth(cell)));
    if (before < this.scroll) this.scroll = before;
    if (before + cellWidth > this.scroll + room) this.scroll = before + cellWidth - room;
    const left = sliceByColumn(text.slice(0, cursor.col), this.scroll, before - this.scroll);
    // A wide character cut at the left edge leaves a gap.
    const gap = " ".repeat(Math.max(0, before - this.scroll - visibleWidth(left)));
    const rest = room - (before - this.scroll) - cellWidth;
    const right = sliceByColumn(text.slice(cursor.col + cell.length), 0, Math.max(0, rest), true);
    const shownCell = visibleWidth(cell) > room ? "?" : cell;
    const middle = this.focused ? CURSOR_MARKER + renderFakeCursor(shownCell) : shownCell;
    const fill = " ".repeat(Math.max(0, rest - visibleWidth(right)));
    return [`${prompt}${gap}${left}${middle}${right}${fill}`];
  }

  private placeholder(text: string, room: number): string {
    const style = this.options.placeholderStyle ?? ((one: string) => one);
    const shown = truncateToWidth(text, room, "");
    if (!this.focused) return style(shown);
    const [first = " "] = splitGraphemes(shown);
    return CURSOR_MARKER + renderFakeCursor(first) + style(shown.slice(first.length));
  }
}

function singleLine(text: string): string {
  return text.replaceAll("\t", "    ").replace(/\p{Cc}/gu, "");
}
