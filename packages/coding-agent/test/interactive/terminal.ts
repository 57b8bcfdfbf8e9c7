import { mkdirSync } from "node:fs";
import { type IPty, spawn } from "@lydell/node-pty";
import xterm, { type IBufferCell } from "@xterm/headless";
import { cleanEnvironment, cliPath, type PiFixture } from "../pi.js";
import type { Cell, Frame } from "./golden/frame.js";

export interface TerminalOptions {
  columns?: number;
  rows?: number;
  /** Without the scripted model. */
  bare?: boolean;
  env?: Record<string, string | undefined>;
  /** Runs the program through another one, such as a shell or tmux. */
  command?: (file: string, args: string[]) => [string, string[]];
}

export const keys = {
  enter: "\r",
  escape: "\x1b",
  up: "\x1b[A",
  down: "\x1b[B",
  tab: "\t",
  shiftTab: "\x1b[Z",
  backspace: "\x7f",
  altEnter: "\x1b\r",
  altUp: "\x1bp",
  ctrl: (letter: string) => String.fromCharCode(letter.toUpperCase().charCodeAt(0) - 64),
} as const;

/** The program in a real pseudo-terminal, whose other end is an emulator that answers as terminals do. */
export class PiTerminal {
  readonly child: IPty;
  readonly exited: Promise<{ exitCode: number; signal?: number | undefined }>;
  output = "";
  readonly #emulator: InstanceType<typeof xterm.Terminal>;
  #isOver = false;

  constructor(fixture: PiFixture, args: string[], options: TerminalOptions = {}) {
    const { columns = 80, rows = 24, env = {}, command = (file, words) => [file, words] } = options;
    this.#emulator = new xterm.Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true });
    const model = options.bare ? [] : ["--model", "scripted/m1"];
    const [file, words] = command(process.execPath, [cliPath, ...model, ...args]);
    mkdirSync(fixture.cwd, { recursive: true });
    this.child = spawn(file, words, {
      cols: columns,
      rows,
      cwd: fixture.cwd,
      env: {
        ...withoutUndefined(cleanEnvironment()),
        HOME: fixture.home,
        PI_CODING_AGENT_DIR: fixture.agentDir,
        TERM: "xterm-256color",
        COLORTERM: "truecolor",
        ...withoutUndefined(env),
      },
    });
    this.child.onData((data) => {
      this.output += data;
      this.#emulator.write(data);
    });
    this.#emulator.onData((data) => {
      if (!this.#isOver) this.child.write(data);
    });
    this.exited = new Promise((resolve) =>
      this.child.onExit((end) => {
        this.#isOver = true;
        // What was said last is on the screen only when the emulator has read it.
        this.#emulator.write("", () => resolve(end));
      }),
    );
  }

  type(...parts: string[]): void {
    for (const part of parts) this.child.write(part);
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    this.child.resize(columns, rows);
  }

  /** Rows of the screen, without trailing spaces. */
  screen(): string[] {
    const { active } = this.#emulator.buffer;
    return Array.from({ length: this.#emulator.rows }, (_, row) => this.#row(active.baseY + row));
  }

  /** Everything that the main screen kept, with the screen. */
  all(): string[] {
    const { active } = this.#emulator.buffer;
    return Array.from({ length: active.baseY + this.#emulator.rows }, (_, row) => this.#row(row));
  }

  text(): string {
    return this.screen().join("\n");
  }

  /** Waits for a text, or a pattern, on the screen. */
  async shows(wanted: string | RegExp): Promise<void> {
    const matches = () => (typeof wanted === "string" ? this.text().includes(wanted) : wanted.test(this.text()));
    await this.until(`${wanted}`, matches);
  }

  /** Waits until the session is there: the footer names its model. */
  async ready(): Promise<void> {
    await this.shows(/ (m1|no-model)(?: •.*)?$/m);
  }

  async until(what: string, holds: () => boolean, ms = 15_000): Promise<void> {
    const end = Date.now() + ms;
    while (!holds()) {
      if (Date.now() > end) throw new Error(`Never seen: ${what}\n${this.screen().join("\n")}`);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  }

  /** Foreground colours of a row's cells, -1 for the terminal's own. */
  colors(row: number): number[] {
    const line = this.#emulator.buffer.active.getLine(this.#emulator.buffer.active.baseY + row);
    return Array.from({ length: this.#emulator.cols }, (_, column) => line?.getCell(column)?.getFgColor() ?? -1);
  }

  /** Background colours of a row's cells, -1 for the terminal's own. */
  backgrounds(row: number): number[] {
    const line = this.#emulator.buffer.active.getLine(this.#emulator.buffer.active.baseY + row);
    return Array.from({ length: this.#emulator.cols }, (_, column) => line?.getCell(column)?.getBgColor() ?? -1);
  }

  /** What the cells of a row have besides colours. */
  styles(row: number): string[] {
    const line = this.#emulator.buffer.active.getLine(this.#emulator.buffer.active.baseY + row);
    const found = new Set<string>();
    for (let column = 0; column < this.#emulator.cols; column++) {
      const cell = line?.getCell(column);
      if (cell?.isBold()) found.add("bold");
      if (cell?.isItalic()) found.add("italic");
      if (cell?.isUnderline()) found.add("underline");
      if (cell?.isInverse()) found.add("inverse");
      if (cell?.isStrikethrough()) found.add("strikethrough");
    }
    return [...found];
  }

  /** The screen with its styles. @param nameColor what colours of 24 bits are called */
  frame(nameColor: (rgb: number) => string): Frame {
    const { active } = this.#emulator.buffer;
    const { cols, rows } = this.#emulator;
    return Array.from({ length: rows }, (_, row) => {
      const line = active.getLine(active.baseY + row);
      return Array.from({ length: cols }, (_unused, column): Cell => {
        const cell = line?.getCell(column);
        if (!cell) return { text: " ", style: "" };
        const text = cell.getWidth() === 0 ? "" : cell.getChars() || " ";
        return { text, style: styleOf(cell, nameColor) };
      });
    });
  }

  kill(): void {
    if (!this.#isOver) this.child.kill("SIGKILL");
  }

  #row(index: number): string {
    return this.#emulator.buffer.active.getLine(index)?.translateToString(true).trimEnd() ?? "";
  }
}

/** `accent bold on selectedBg`; colours of the terminal's palette are numbers. */
function styleOf(cell: IBufferCell, nameColor: (rgb: number) => string): string {
  const color = (isRgb: boolean, value: number) => (isRgb ? nameColor(value) : String(value));
  return [
    cell.isFgDefault() ? "" : color(cell.isFgRGB(), cell.getFgColor()),
    cell.isBold() ? "bold" : "",
    cell.isDim() ? "faint" : "",
    cell.isItalic() ? "italic" : "",
    cell.isUnderline() ? "underline" : "",
    cell.isInverse() ? "inverse" : "",
    cell.isStrikethrough() ? "strikethrough" : "",
    cell.isBgDefault() ? "" : `on ${color(cell.isBgRGB(), cell.getBgColor())}`,
  ]
    .filter((word) => word !== "")
    .join(" ");
}

/** Modes that the terminal is left in, which it was not in before. */
export function leftOn(output: string): string[] {
  const left = new Set<string>();
  let at = 0;
  for (;;) {
    at = output.indexOf("\x1b[?", at);
    if (at < 0) break;
    const match = /^(\d+)([hl])/.exec(output.slice(at + 3, at + 12));
    if (match?.[2] === "h") left.add(match[1] ?? "");
    if (match?.[2] === "l") left.delete(match[1] ?? "");
    at += 3;
  }
  // The cursor and line wrapping are on by default.
  for (const mode of ["25", "7"]) {
    if (!left.delete(mode) && output.includes(`\x1b[?${mode}l`)) left.add(`not ${mode}`);
  }
  return [...left];
}

function withoutUndefined(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
