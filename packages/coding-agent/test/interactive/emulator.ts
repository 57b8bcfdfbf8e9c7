import type { ProgramStatus, Terminal } from "@earendil-works/pi-tui";
import xterm from "@xterm/headless";

/** A terminal in this process: what is written goes through a real emulator, and its screen can be read. */
export class EmulatedTerminal implements Terminal {
  readonly kittyProtocolActive = false;
  readonly titles: string[] = [];
  readonly #emulator: InstanceType<typeof xterm.Terminal>;
  #onInput: ((data: string) => void) | undefined;
  #onResize: (() => void) | undefined;

  constructor(columns = 80, rows = 24) {
    this.#emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  }

  get columns(): number {
    return this.#emulator.cols;
  }

  get rows(): number {
    return this.#emulator.rows;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#onInput = onInput;
    this.#onResize = onResize;
  }

  stop(): void {
    this.#onInput = undefined;
    this.#onResize = undefined;
  }

  async drainInput(): Promise<void> {}

  write(data: string): void {
    this.#emulator.write(data);
  }

  moveBy(): void {}
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setTitle(title: string): void {
    this.titles.push(title);
  }
  setProgress(_active: boolean): void {}
  setProgramStatus(_status: ProgramStatus): void {}

  type(...keys: string[]): void {
    for (const key of keys) this.#onInput?.(key);
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    this.#onResize?.();
  }

  /** The screen as it is when everything that was asked for has been drawn. */
  async screen(): Promise<string> {
    await new Promise((resolve) => setTimeout(resolve, 40));
    await new Promise<void>((resolve) => this.#emulator.write("", resolve));
    const { active } = this.#emulator.buffer;
    const rows = Array.from({ length: this.rows }, (_, row) =>
      active.getLine(active.baseY + row)?.translateToString(true),
    );
    return rows.map((row) => row?.trimEnd() ?? "").join("\n");
  }
}
