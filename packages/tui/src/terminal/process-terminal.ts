import { appendFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ReadStream, WriteStream } from "node:tty";
import { setKittyProtocolActive } from "../keys/kitty-state.js";
import { escapePattern, replaceControlCharacters } from "../text/escapes.js";
import type { ProgramStatus, Terminal } from "../types.js";
import { formatProgramStatus, isDeviceAttributes } from "./replies.js";
import { StdinBuffer } from "./stdin-buffer.js";

const kittyReply = escapePattern(String.raw`\[\?(\d+)u`);
const statusReply = escapePattern(String.raw`\]7501;\?.*`, "s");
const brokenReply = escapePattern(String.raw`\[\?[\d;]*`);
const REJOIN_MS = 150;
const PROGRESS_MS = 1000;
const endSignals = ["SIGTERM", "SIGHUP"] as const;

/** The process's own terminal: raw mode, keyboard protocols, and everything put back however the process ends. */
export class ProcessTerminal implements Terminal {
  private readonly buffer = new StdinBuffer({ escapeTimeout: escapeTimeout() });
  private onInput: ((data: string) => void) | undefined;
  private onResize: (() => void) | undefined;
  private negotiating = false;
  private kitty = false;
  private otherKeys = false;
  private wasRaw = false;
  private statusKnown = process.env["PI_PROGRAM_STATUS"] === "1";
  private statusShown = false;
  private progress: NodeJS.Timeout | undefined;
  private broken = "";
  private brokenTimer: NodeJS.Timeout | undefined;
  private around: readonly [before: string, after: string] = ["", ""];
  private readonly log = writeLog();

  constructor(
    private readonly stdin: ReadStream = process.stdin,
    private readonly stdout: WriteStream & { readonly fd?: number } = process.stdout,
  ) {
    this.buffer.on("data", (data) => this.receive(data));
    // One event for components, marked as text that was not typed.
    this.buffer.on("paste", (text) => this.onInput?.(`\x1b[200~${text}\x1b[201~`));
  }

  get columns(): number {
    return this.stdout.columns || Number(process.env["COLUMNS"]) || 80;
  }

  get rows(): number {
    return this.stdout.rows || Number(process.env["LINES"]) || 24;
  }

  get kittyProtocolActive(): boolean {
    return this.kitty;
  }

  /** Whether xterm's modifyOtherKeys stands in for the Kitty protocol. */
  get modifyOtherKeysActive(): boolean {
    return this.otherKeys;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    if (this.onInput) return;
    this.onInput = onInput;
    this.onResize = onResize;
    this.wasRaw = this.stdin.isRaw ?? false;
    this.stdin.setRawMode?.(true);
    this.stdin.setEncoding("utf8");
    this.stdin.on("data", this.take);
    this.stdin.resume();
    this.stdout.on("resize", this.resized);
    process.on("exit", this.restoreNow);
    for (const signal of endSignals) process.on(signal, this.endBySignal);
    // The size may have changed while somebody else had the terminal.
    if (process.platform !== "win32") process.kill(process.pid, "SIGWINCH");
    this.negotiating = true;
    this.write("\x1b[?2004h\x1b[>7u\x1b[?u\x1b]7501;?\x1b\\\x1b[c");
  }

  stop(): void {
    if (!this.onInput) return;
    this.setProgress(false);
    this.write(this.resets());
    this.buffer.clear();
    clearTimeout(this.brokenTimer);
    this.broken = "";
    this.stdin.off("data", this.take);
    this.stdout.off("resize", this.resized);
    process.off("exit", this.restoreNow);
    for (const signal of endSignals) process.off(signal, this.endBySignal);
    this.onInput = undefined;
    this.onResize = undefined;
    // Paused first: a Ctrl+D still on its way would otherwise reach the shell.
    this.stdin.pause();
    this.stdin.setRawMode?.(this.wasRaw);
    this.forgetProtocols();
    this.around = ["", ""];
  }

  restoreOnExit(before: string, after: string): void {
    this.around = [before, after];
  }

  async drainInput(maxMs = 1000, idleMs = 50): Promise<void> {
    if (!this.onInput) return;
    this.write(this.keyboardResets());
    this.forgetProtocols();
    const deliver = this.onInput;
    const start = Date.now();
    let last = start;
    this.onInput = () => {
      last = Date.now();
    };
    while (Date.now() - start < maxMs && Date.now() - last < idleMs) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(idleMs, 10)));
    }
    this.onInput = deliver;
  }

  write(data: string): void {
    if (this.log) appendFileSync(this.log, data);
    this.stdout.write(data);
  }

  moveBy(lines: number): void {
    if (lines !== 0) this.write(lines > 0 ? `\x1b[${lines}B` : `\x1b[${-lines}A`);
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

  setTitle(title: string): void {
    this.write(`\x1b]0;${replaceControlCharacters(title)}\x07`);
  }

  setProgress(active: boolean): void {
    if (!active) {
      if (this.progress) this.write("\x1b]9;4;0\x07");
      clearInterval(this.progress);
      this.progress = undefined;
      return;
    }
    if (this.progress) return;
    // Terminals drop the indicator of a program that has gone silent.
    const show = () => this.write("\x1b]9;4;3\x07");
    show();
    this.progress = setInterval(show, PROGRESS_MS);
    this.progress.unref();
  }

  setProgramStatus(status: ProgramStatus): void {
    if (!this.statusKnown || process.env["PI_PROGRAM_STATUS"] === "0") return;
    this.statusShown = status.state !== "clear";
    this.write(formatProgramStatus(status));
  }

  private readonly take = (data: string | Buffer): void => this.buffer.process(data);
  private readonly resized = (): void => this.onResize?.();

  private receive(data: string): void {
    const whole = this.broken + data;
    clearTimeout(this.brokenTimer);
    this.broken = "";
    if (this.negotiating && brokenReply.test(whole)) {
      this.broken = whole;
      this.brokenTimer = setTimeout(() => {
        this.broken = "";
        this.onInput?.(whole);
      }, REJOIN_MS);
      return;
    }
    if (!this.negotiating || !this.negotiate(whole)) this.onInput?.(whole);
  }

  /** Takes the answers to what `start` asked; false when the input is something else. */
  private negotiate(data: string): boolean {
    const flags = kittyReply.exec(data)?.[1];
    if (flags !== undefined) {
      this.kitty = flags !== "0";
      setKittyProtocolActive(this.kitty);
      this.useOtherKeys(!this.kitty);
      return true;
    }
    if (statusReply.test(data)) {
      this.statusKnown = true;
      return true;
    }
    if (!isDeviceAttributes(data)) return false;
    this.negotiating = false;
    if (!this.kitty) this.useOtherKeys(true);
    return true;
  }

  private useOtherKeys(use: boolean): void {
    if (use === this.otherKeys) return;
    this.otherKeys = use;
    this.write(use ? "\x1b[>4;2m" : "\x1b[>4;0m");
  }

  private forgetProtocols(): void {
    this.kitty = false;
    this.otherKeys = false;
    this.negotiating = false;
    setKittyProtocolActive(false);
  }

  private keyboardResets(): string {
    return `\x1b[<u${this.otherKeys ? "\x1b[>4;0m" : ""}`;
  }

  private resets(): string {
    const status = this.statusShown ? formatProgramStatus({ state: "clear" }) : "";
    this.statusShown = false;
    return `${status}\x1b[?2004l${this.keyboardResets()}`;
  }

  /** The way out without `stop`: nothing asynchronous runs any more. */
  private readonly restoreNow = (): void => {
    const [before, after] = this.around;
    const progress = this.progress ? "\x1b]9;4;0\x07" : "";
    try {
      writeSync(this.stdout.fd ?? 1, `${before}${progress}${this.resets()}${after}\x1b[?25h`);
      this.stdin.setRawMode?.(this.wasRaw);
    } catch {
      // The terminal is gone; there is nothing left to restore.
    }
  };

  private readonly endBySignal = (signal: NodeJS.Signals): void => {
    // Somebody else ends the process, and the exit handler restores the terminal then.
    if (process.listenerCount(signal) > 1) return;
    this.restoreNow();
    process.off("exit", this.restoreNow);
    process.off(signal, this.endBySignal);
    process.kill(process.pid, signal);
  };
}

/** Over SSH the bytes of one key may arrive apart. */
function escapeTimeout(): number {
  const { PI_TUI_ESC_TIMEOUT, SSH_CONNECTION, SSH_TTY } = process.env;
  return Number(PI_TUI_ESC_TIMEOUT) || (SSH_CONNECTION || SSH_TTY ? 100 : 10);
}

/** `PI_TUI_WRITE_LOG`: a file, or a folder in which each process writes a file of its own. */
function writeLog(): string | undefined {
  const path = process.env["PI_TUI_WRITE_LOG"];
  if (!path) return undefined;
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const [date, time] = new Date().toISOString().slice(0, 19).replaceAll(":", "-").split("T");
  return join(path, `tui-${date}_${time}-${process.pid}.log`);
}
