import { EventEmitter } from "node:events";
import { parseReportedKey } from "../keys/csi-keys.js";
import { inputHead } from "./sequence-end.js";

export interface StdinBufferOptions {
  /** Milliseconds that an unfinished sequence is waited for; default 50. */
  timeout?: number;
  /** Milliseconds after which a lone ESC is the Escape key; default 10. */
  escapeTimeout?: number;
}

export interface StdinBufferEventMap {
  data: [string];
  paste: [string];
}

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";

/** Cuts the terminal's input into keys, sequences and pastes, however it arrives in pieces. */
export class StdinBuffer extends EventEmitter<StdinBufferEventMap> {
  private readonly timeout: number;
  private readonly escapeTimeout: number;
  private buffer = "";
  private paste: string[] | undefined;
  private timer: NodeJS.Timeout | undefined;
  private late: NodeJS.Immediate | undefined;
  private doubleReport: string | undefined;

  constructor(options: StdinBufferOptions = {}) {
    super();
    this.timeout = options.timeout ?? 50;
    this.escapeTimeout = options.escapeTimeout ?? 10;
  }

  /** Takes what the terminal sent. A single byte above 127 is Alt and a key, as old terminals send it. */
  process(data: string | Buffer): void {
    this.stopWaiting();
    if (typeof data === "string") this.buffer += data;
    else if (data.length === 1 && (data[0] ?? 0) > 127)
      this.buffer += `\x1b${String.fromCharCode((data[0] ?? 0) - 128)}`;
    else this.buffer += data.toString("utf8");
    this.consume();
  }

  /** Hands out what has been waiting for its end, as it is. */
  flush(): void {
    this.stopWaiting();
    if (this.paste || this.buffer === "") return;
    const rest = this.buffer;
    this.buffer = "";
    this.send(rest);
  }

  /** Forgets what has been waiting. */
  clear(): void {
    this.stopWaiting();
    this.buffer = "";
    this.paste = undefined;
    this.doubleReport = undefined;
  }

  /** What is waiting for its end. */
  getBuffer(): string {
    return this.buffer;
  }

  destroy(): void {
    this.clear();
    this.removeAllListeners();
  }

  private consume(): void {
    // Taken by position and cut once: a paste without brackets may be long.
    let input = this.buffer;
    let at = 0;
    while (at < input.length || this.paste) {
      if (this.paste) {
        this.buffer = input.slice(at);
        if (!this.continuePaste(this.paste)) return;
        input = this.buffer;
        at = 0;
        continue;
      }
      const code = input.charCodeAt(at);
      const isPlain = code !== 0x1b && (code < 0xd800 || code > 0xdbff);
      const head = isPlain ? undefined : inputHead(input.slice(at, at + MAX_SEQUENCE));
      if (head?.kind === "incomplete") {
        this.buffer = input.slice(at);
        this.wait(head.wait);
        return;
      }
      const length = head?.length ?? 1;
      const sequence = input.slice(at, at + length);
      at += length;
      if (sequence === PASTE_START) this.paste = [];
      else this.send(sequence);
    }
    this.buffer = "";
  }

  private stopWaiting(): void {
    clearTimeout(this.timer);
    clearImmediate(this.late);
  }

  private wait(kind: "escape" | "sequence" | "reply"): void {
    if (kind === "reply") return;
    // What arrived while the program was busy is read before the time counts as up: timers come first in a turn.
    const late = () => {
      this.late = setImmediate(() => this.flush());
    };
    this.timer = setTimeout(late, kind === "escape" ? this.escapeTimeout : this.timeout);
  }

  /** Returns whether the paste has ended. Keeps back only what may be the start of the end marker. */
  private continuePaste(parts: string[]): boolean {
    const end = this.buffer.indexOf(PASTE_END);
    if (end < 0) {
      const keep = Math.min(this.buffer.length, PASTE_END.length - 1);
      parts.push(this.buffer.slice(0, this.buffer.length - keep));
      this.buffer = this.buffer.slice(this.buffer.length - keep);
      return false;
    }
    parts.push(this.buffer.slice(0, end));
    this.buffer = this.buffer.slice(end + PASTE_END.length);
    this.paste = undefined;
    this.emit("paste", parts.join(""));
    return true;
  }

  private send(sequence: string): void {
    const repeated = sequence === this.doubleReport;
    this.doubleReport = unmodifiedText(sequence);
    // Some terminals send a key as text too, right after they have reported it.
    if (!repeated) this.emit("data", sequence);
  }
}

/** Longer replies (a Kitty answer, a colour) do not exist; the limit keeps the scan of a long input linear. */
const MAX_SEQUENCE = 65536;

function unmodifiedText(sequence: string): string | undefined {
  if (!sequence.startsWith("\x1b[") || !sequence.endsWith("u")) return undefined;
  const key = parseReportedKey(sequence);
  if (key?.modifiers !== 0 || key.event === "release") return undefined;
  if (key.code < 0x20 || key.code > 0x10ffff) return undefined;
  return String.fromCodePoint(key.code);
}
