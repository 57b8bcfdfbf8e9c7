import type { Keybinding } from "../keys/default-bindings.js";
import { getKeybindings } from "../keys/keybindings.js";
import { decodeKittyPrintable, matchesKey } from "../keys/keys.js";
import { KillRing } from "./kill-ring.js";
import { type Position, TextModel, type TextSnapshot } from "./text-model.js";
import { UndoStack } from "./undo-stack.js";
import { wordEndAfter, wordStartBefore } from "./words.js";

type LastAction = "kill" | "yank" | undefined;

/** A text that is being edited: the keys that every text field knows, with undo and what was deleted. */
export class EditSession {
  readonly model = new TextModel();
  private readonly undoStack = new UndoStack<TextSnapshot>();
  private readonly ring = new KillRing();
  private last: LastAction;
  private yanked: { from: Position; to: Position } | undefined;

  /** @param insertLong how a long text that is yanked gets in */
  constructor(private readonly insertLong: (model: TextModel, text: string) => void) {}

  /** Runs a change as one step of undo. */
  change(edit: (model: TextModel) => void, word = false): void {
    this.undoStack.keep(() => this.model.snapshot(), word);
    this.last = undefined;
    edit(this.model);
  }

  /** Typed text; words are one step each. */
  type(text: string): void {
    this.change((model) => model.insert(text), /^[\p{L}\p{N}\p{M}_]+$/u.test(text));
  }

  /** The cursor has moved: what is typed next is a step of its own. */
  moved(): void {
    this.undoStack.breakWord();
    this.last = undefined;
  }

  forgetSteps(): void {
    this.undoStack.clear();
    this.last = undefined;
  }

  /** Takes a key that edits or moves within the text; false when it is another. */
  handleKey(data: string): boolean {
    const keys = getKeybindings();
    const is = (id: Keybinding) => keys.matches(data, id);
    const { model } = this;
    if (is("tui.editor.undo")) this.undo();
    else if (is("tui.editor.yank")) this.yank();
    else if (is("tui.editor.yankPop")) this.yankPop();
    else if (is("tui.editor.deleteCharBackward") || matchesKey(data, "shift+backspace")) this.deleteChar(-1);
    else if (is("tui.editor.deleteCharForward") || matchesKey(data, "shift+delete")) this.deleteChar(1);
    else if (is("tui.editor.deleteWordBackward")) this.kill(this.wordBefore(), model.cursor, true);
    else if (is("tui.editor.deleteWordForward")) this.kill(model.cursor, this.wordAfter(), false);
    else if (is("tui.editor.deleteToLineStart")) this.killToLineStart();
    else if (is("tui.editor.deleteToLineEnd")) this.killToLineEnd();
    else if (is("tui.editor.cursorLeft")) this.move(model.before(model.cursor));
    else if (is("tui.editor.cursorRight")) this.move(model.after(model.cursor));
    else if (is("tui.editor.cursorWordLeft")) this.move(this.wordBefore());
    else if (is("tui.editor.cursorWordRight")) this.move(this.wordAfter());
    else if (is("tui.editor.cursorLineStart")) this.move({ line: model.cursor.line, col: 0 });
    else if (is("tui.editor.cursorLineEnd")) this.move({ line: model.cursor.line, col: model.line.length });
    else return false;
    return true;
  }

  private move(to: Position): void {
    this.model.cursor = to;
    this.moved();
  }

  private undo(): void {
    const state = this.undoStack.pop();
    if (state) this.model.restore(state);
    this.last = undefined;
  }

  private deleteChar(direction: 1 | -1): void {
    const { model } = this;
    const other = direction < 0 ? model.before(model.cursor) : model.after(model.cursor);
    if (same(other, model.cursor)) return;
    this.undoStack.breakWord();
    const [from, to] = direction < 0 ? [other, model.cursor] : [model.cursor, other];
    this.change(() => model.remove(from, to));
  }

  private wordBefore(): Position {
    const { model } = this;
    const { line, col } = model.cursor;
    if (col === 0) return model.before(model.cursor);
    return { line, col: wordStartBefore(model.line, col, model.markers(model.line)) };
  }

  private wordAfter(): Position {
    const { model } = this;
    const { line, col } = model.cursor;
    if (col >= model.line.length) return model.after(model.cursor);
    return { line, col: wordEndAfter(model.line, col, model.markers(model.line)) };
  }

  private killToLineStart(): void {
    const { cursor } = this.model;
    const from = cursor.col === 0 ? this.model.before(cursor) : { line: cursor.line, col: 0 };
    this.kill(from, cursor, true);
  }

  private killToLineEnd(): void {
    const { cursor, line } = this.model;
    const to = cursor.col >= line.length ? this.model.after(cursor) : { line: cursor.line, col: line.length };
    this.kill(cursor, to, false);
  }

  private kill(from: Position, to: Position, backward: boolean): void {
    if (same(from, to)) return;
    const join = this.last === "kill";
    this.undoStack.breakWord();
    this.change((model) => this.ring.push(model.remove(from, to), join, backward));
    this.last = "kill";
  }

  private yank(): void {
    this.ring.rewind();
    const text = this.ring.current();
    if (text === undefined) return;
    this.undoStack.breakWord();
    this.change(() => this.insertYanked(text));
    this.last = "yank";
  }

  /** Only right after a yank: takes what it inserted out again, and puts in what was deleted before. */
  private yankPop(): void {
    const { yanked } = this;
    if (this.last !== "yank" || !yanked) return;
    const text = this.ring.older();
    if (text === undefined) return;
    this.change((model) => {
      model.remove(yanked.from, yanked.to);
      this.insertYanked(text);
    });
    this.last = "yank";
  }

  private insertYanked(text: string): void {
    const from = this.model.cursor;
    this.insertLong(this.model, text);
    this.yanked = { from, to: this.model.cursor };
  }
}

function same(a: Position, b: Position): boolean {
  return a.line === b.line && a.col === b.col;
}

/** What a key types, in whichever way the terminal reports it; undefined for keys that type nothing. */
export function typedText(data: string): string | undefined {
  const reported = decodeKittyPrintable(data);
  if (reported !== undefined) return reported;
  return data === "" || /\p{Cc}/u.test(data) ? undefined : data;
}

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";

/** What was pasted, cleaned: line ends are `\n`, no control characters; undefined when the input is no paste. */
export function pastedText(data: string): string | undefined {
  if (!data.startsWith(PASTE_START)) return undefined;
  const end = data.lastIndexOf(PASTE_END);
  const raw = data.slice(PASTE_START.length, end < 0 ? undefined : end);
  // tmux sends control bytes of a paste as keys.
  const decoded = raw.replace(/\p{Cc}\[(\d+);5u/gu, (_, code) => String.fromCharCode(Number(code) & 0x1f));
  return normalizeText(decoded).replace(/(?!\n)\p{Cc}/gu, "");
}

/** Line ends as `\n`, tabs as four spaces. */
export function normalizeText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replaceAll("\t", "    ");
}
