import xterm from "@xterm/headless";
import type { ProgramStatus, Terminal } from "../src/types.js";

/** A terminal for tests: what is written goes through a real emulator, and its screen can be read. */
export class ScreenTerminal implements Terminal {
  readonly kittyProtocolActive = false;
  readonly writes: string[] = [];
  private readonly emulator: InstanceType<typeof xterm.Terminal>;
  private onInput: ((data: string) => void) | undefined;
  private onResize: (() => void) | undefined;

  constructor(columns: number, rows: number) {
    this.emulator = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  }

  get columns(): number {
    return this.emulator.cols;
  }

  get rows(): number {
    return this.emulator.rows;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.onInput = onInput;
    this.onResize = onResize;
  }

  stop(): void {
    this.onInput = undefined;
    this.onResize = undefined;
  }

  async drainInput(): Promise<void> {}

  write(data: string): void {
    this.writes.push(data);
    this.emulator.write(data);
  }

  moveBy(lines: number): void {
    this.write(lines > 0 ? `\x1b[${lines}B` : `\x1b[${-lines}A`);
  }

  hideCursor(): void {
    this.write("\x1b[?25l");
  }

  showCursor(): void {
    this.write("\x1b[?25h");
  }

  clearLine(): void {
    this.write("\x1b[K");
  }

  clearFromCursor(): void {
    this.write("\x1b[J");
  }

  clearScreen(): void {
    this.write("\x1b[2J\x1b[H");
  }

  setTitle(_title: string): void {}
  setProgress(_active: boolean): void {}
  setProgramStatus(_status: ProgramStatus): void {}

  /** One key or paste of the user. */
  type(data: string): void {
    this.onInput?.(data);
  }

  resize(columns: number, rows: number): void {
    this.emulator.resize(columns, rows);
    this.onResize?.();
  }

  /** Waits until everything written has been drawn. */
  settle(): Promise<void> {
    return new Promise((resolve) => this.emulator.write("", resolve));
  }

  /** Rows of the screen, without trailing spaces. */
  screen(): string[] {
    const { active } = this.emulator.buffer;
    return Array.from({ length: this.rows }, (_, row) => this.row(active.baseY + row));
  }

  /** Rows above the screen. */
  scrollback(): string[] {
    return Array.from({ length: this.emulator.buffer.active.baseY }, (_, row) => this.row(row));
  }

  /** Each cell of the screen with its style, to compare two screens. */
  cells(): string[] {
    const { active } = this.emulator.buffer;
    return Array.from({ length: this.rows }, (_, row) => {
      const line = active.getLine(active.baseY + row);
      return Array.from({ length: this.columns }, (_, column) => {
        const cell = line?.getCell(column);
        const chars = cell?.getChars() || " ";
        return `${chars}${cell?.getFgColor()},${cell?.getBgColor()},${cell?.isBold()},${cell?.isInverse()},${cell?.isUnderline()}`;
      }).join("|");
    });
  }

  cursor(): { column: number; row: number } {
    const { cursorX, cursorY } = this.emulator.buffer.active;
    return { column: cursorX, row: cursorY };
  }

  private row(index: number): string {
    return this.emulator.buffer.active.getLine(index)?.translateToString(true).trimEnd() ?? "";
  }
}
