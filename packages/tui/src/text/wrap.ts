import { withNewlines } from "./escapes.js";
import { StyleState } from "./style-state.js";
import { isPrintableAscii, type Piece, splitPieces } from "./width.js";

/**
 * Breaks a text into lines of at most `width` columns, at spaces and between ideographs, in the middle of words that
 * are longer than a line. Styles and links that are open at a break are opened again on the next line. `""` is one
 * empty line; lines are not padded. A carriage return breaks a line as a newline does: it must hide nothing.
 */
export function wrapTextWithAnsi(text: string, width: number): string[] {
  const columns = Math.max(1, Math.floor(width));
  const source = withNewlines(text).replaceAll("\t", "   ");
  const lines: string[] = [];
  const state = new StyleState();
  for (const line of source.split("\n")) {
    const plain = state.open() === "";
    if (plain && isPrintableAscii(line)) wrapAscii(line, columns, lines);
    else new LineWrapper(lines, state, columns).wrap(line);
  }
  return lines;
}

/** The same for a line in which each character is one column: most lines are. */
function wrapAscii(line: string, columns: number, lines: string[]): void {
  let from = 0;
  let end = 0;
  let at = 0;
  while (at < line.length && line.length - from > columns) {
    let word = at;
    while (line[word] === " ") word++;
    const space = line.indexOf(" ", word);
    const wordEnd = space < 0 ? line.length : space;
    if (word === line.length) break;
    if (wordEnd - from > columns) {
      if (end > from) lines.push(line.slice(from, end));
      from = word;
      for (; wordEnd - from > columns; from += columns) lines.push(line.slice(from, from + columns));
    }
    at = wordEnd;
    end = wordEnd;
  }
  const isTooLong = line.length - from > columns;
  lines.push(line.slice(from, isTooLong ? end : line.length));
}

/** Wraps one line of source; `state` carries the styles from line to line. */
class LineWrapper {
  private current: string;
  private currentWidth = 0;
  private spaces = 0;
  private word: Piece[] = [];
  private wordWidth = 0;

  constructor(
    private readonly lines: string[],
    private readonly state: StyleState,
    private readonly columns: number,
  ) {
    this.current = state.open();
  }

  wrap(line: string): void {
    for (const piece of splitPieces(line)) {
      if (piece.text === " ") {
        this.placeWord();
        this.spaces++;
      } else if (!piece.escape && isIdeograph(piece.text)) {
        this.placeWord();
        this.addToWord(piece);
        this.placeWord();
      } else {
        this.addToWord(piece);
      }
    }
    this.placeWord();
    if (this.currentWidth + this.spaces <= this.columns) this.current += " ".repeat(this.spaces);
    this.lines.push(this.current + this.state.closeLine());
  }

  private addToWord(piece: Piece): void {
    this.word.push(piece);
    this.wordWidth += piece.width;
  }

  private placeWord(): void {
    if (this.word.length === 0) return;
    if (this.currentWidth + this.spaces + this.wordWidth <= this.columns) {
      this.emitSpaces();
    } else {
      // Spaces at a break belong to neither line; indentation that leaves no room goes too.
      this.spaces = 0;
      if (this.currentWidth > 0 && this.wordWidth > 0) this.breakLine();
    }
    for (const piece of this.word) this.emit(piece);
    this.word = [];
    this.wordWidth = 0;
  }

  private emitSpaces(): void {
    this.current += " ".repeat(this.spaces);
    this.currentWidth += this.spaces;
    this.spaces = 0;
  }

  private emit(piece: Piece): void {
    if (piece.escape) {
      this.state.apply(piece.text);
      this.current += piece.text;
      return;
    }
    if (piece.width > this.columns) {
      // A wide glyph has no place in a single column.
      for (let column = 0; column < piece.width; column += this.columns) this.emit({ ...piece, text: "?", width: 1 });
      return;
    }
    if (this.currentWidth + piece.width > this.columns) this.breakLine();
    this.current += piece.text;
    this.currentWidth += piece.width;
  }

  private breakLine(): void {
    this.lines.push(this.current + this.state.closeLine());
    this.current = this.state.open();
    this.currentWidth = 0;
  }
}

/** Scripts written without spaces, in which a line may break after each character. */
function isIdeograph(cluster: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(cluster);
}
