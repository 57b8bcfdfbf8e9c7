/**
 * Command output as a reader sees it: no escape sequences, no control characters, no overwritten progress lines.
 * Pure. Source: agent-and-tools.md F13 and section E.
 */

/** Introducer of control sequences (colours, cursor). */
const CSI = "(?:\\x1b\\[|\\x9b)";
/** Introducers of strings (titles, links, pictures), which BEL or ST ends. */
const STRING = "(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])";
const STRING_END = "(?:\\x07|\\x1b\\\\|\\x9c)";
const ESCAPES = new RegExp(
  `${CSI}[0-?]*[ -/]*[@-~]|${STRING}[^\\x07\\x1b\\x9c]{0,8192}${STRING_END}|\\x1b[ -/]*[0-~]`,
  "g",
);
/** The beginning of an escape sequence at the end of a text. */
const UNFINISHED_ESCAPE = new RegExp(`${CSI}[0-?]*[ -/]*$|${STRING}[^\\x07\\x1b\\x9c]*\\x1b?$|\\x1b[ -/]*$`);
/** Everything but tab, newline and carriage return; also the interlinear annotation characters. */
const CONTROLS = /[^\P{Cc}\t\n\r]|[\ufff9-\ufffb]/gu;
const ANY_CONTROL = /[^\P{Cc}\t\n]|[\ufff9-\ufffb]/u;
/** How much of an unfinished escape is held back, in UTF-16 units. */
const MAX_HELD = 256;

/** Removes escape sequences and control characters but tab, newline and carriage return from a whole text. */
export function stripControls(text: string): string {
  return ANY_CONTROL.test(text) ? text.replace(ESCAPES, "").replace(CONTROLS, "") : text;
}

/** `stripControls` for a text that arrives in pieces: an unfinished escape waits for the next piece. */
export class ControlStripper {
  private held = "";

  /** An unfinished escape waits for what follows. */
  get isWaiting(): boolean {
    return this.held !== "";
  }

  /** The clean part of what has arrived. */
  push(text: string): string {
    const all = this.held + text;
    this.held = "";
    if (!ANY_CONTROL.test(all)) return all;
    const from = Math.max(0, all.length - MAX_HELD);
    const unfinished = UNFINISHED_ESCAPE.exec(all.slice(from));
    if (!unfinished) return stripControls(all);
    const cut = from + unfinished.index;
    this.held = all.slice(cut);
    return stripControls(all.slice(0, cut));
  }
}

/** A piece of clean output; `restartsLine` says that the line so far was overwritten. */
export interface CleanPiece {
  readonly text: string;
  readonly restartsLine: boolean;
}

/**
 * Output as a model reads it, piece by piece: `stripControls`, CRLF as LF, and of every line only what follows its
 * last carriage return (a return at the end of a line overwrites nothing).
 */
export class OutputCleaner {
  private readonly stripper = new ControlStripper();
  private pendingReturn = false;

  /** What comes next is read in the light of what came: even plain text may change. */
  get isWaiting(): boolean {
    return this.pendingReturn || this.stripper.isWaiting;
  }

  push(raw: string): CleanPiece {
    const stripped = this.stripper.push(raw);
    if (stripped === "" || (!this.pendingReturn && !stripped.includes("\r"))) {
      return { text: stripped, restartsLine: false };
    }
    const arrived = this.pendingReturn ? `\r${stripped}` : stripped;
    const text = arrived.replace(/\r+$/, "");
    this.pendingReturn = text.length < arrived.length;
    const lines = text.replace(/\r+\n/g, "\n").split("\n");
    const restartsLine = lines[0]?.includes("\r") ?? false;
    return { text: lines.map((line) => line.slice(line.lastIndexOf("\r") + 1)).join("\n"), restartsLine };
  }
}

/** A whole text as a model reads it. */
export function cleanOutput(raw: string): string {
  return new OutputCleaner().push(raw).text;
}
