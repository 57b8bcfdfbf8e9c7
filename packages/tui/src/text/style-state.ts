import { isSgr } from "./escapes.js";

type Slot =
  | "bold"
  | "dim"
  | "italic"
  | "underline"
  | "blink"
  | "inverse"
  | "hidden"
  | "strike"
  | "overline"
  | "fg"
  | "bg"
  | "underlineColor";

const SET: Readonly<Record<string, Slot>> = {
  "1": "bold",
  "2": "dim",
  "3": "italic",
  "4": "underline",
  "5": "blink",
  "6": "blink",
  "7": "inverse",
  "8": "hidden",
  "9": "strike",
  "21": "underline",
  "53": "overline",
};

const RESET: Readonly<Record<string, readonly Slot[]>> = {
  "22": ["bold", "dim"],
  "23": ["italic"],
  "24": ["underline"],
  "25": ["blink"],
  "27": ["inverse"],
  "28": ["hidden"],
  "29": ["strike"],
  "39": ["fg"],
  "49": ["bg"],
  "55": ["overline"],
  "59": ["underlineColor"],
};

const EXTENDED: Readonly<Record<string, Slot>> = { "38": "fg", "48": "bg", "58": "underlineColor" };

/** Colours, attributes and hyperlink in force after a stretch of text; can say how to bring them back. */
export class StyleState {
  private readonly slots = new Map<Slot, string>();
  private linkOpen = "";

  /** Takes account of one terminal sequence; what is neither SGR nor OSC 8 changes nothing. */
  apply(sequence: string): void {
    if (isSgr(sequence)) this.applySgr(sequence.slice(2, -1));
    else if (sequence.startsWith("\x1b]8;")) this.linkOpen = osc8Url(sequence) === "" ? "" : sequence;
  }

  /** The sequence that turns a plain terminal into this state; empty when it is plain. */
  open(): string {
    const codes = [...this.slots.values()];
    return (codes.length > 0 ? `\x1b[${codes.join(";")}m` : "") + this.linkOpen;
  }

  /** What must not run on at the end of a line: underline and links would colour the rest of the row. */
  closeLine(): string {
    return (this.slots.has("underline") ? "\x1b[24m" : "") + (this.linkOpen ? "\x1b]8;;\x1b\\" : "");
  }

  /** Target of the open hyperlink. */
  get link(): string | undefined {
    return this.linkOpen === "" ? undefined : osc8Url(this.linkOpen);
  }

  private applySgr(parameters: string): void {
    const codes = parameters.split(";");
    for (let at = 0; at < codes.length; at++) {
      const code = codes[at] ?? "";
      const head = code.split(":", 1)[0] ?? "";
      const extended = EXTENDED[head];
      if (code === "" || code === "0") this.slots.clear();
      else if (extended && code.includes(":")) this.slots.set(extended, code);
      else if (extended) at = this.applyExtended(extended, codes, at);
      else this.applySimple(code, head);
    }
  }

  private applyExtended(slot: Slot, codes: readonly string[], at: number): number {
    const length = codes[at + 1] === "2" ? 5 : codes[at + 1] === "5" ? 3 : 0;
    if (length === 0 || at + length > codes.length) return codes.length;
    this.slots.set(slot, codes.slice(at, at + length).join(";"));
    return at + length - 1;
  }

  private applySimple(code: string, head: string): void {
    if (code === "4:0") {
      this.slots.delete("underline");
      return;
    }
    const set = SET[head];
    if (set) {
      this.slots.set(set, code);
      return;
    }
    for (const slot of RESET[head] ?? []) this.slots.delete(slot);
    const number = Number(head);
    if ((number >= 30 && number <= 37) || (number >= 90 && number <= 97)) this.slots.set("fg", code);
    if ((number >= 40 && number <= 47) || (number >= 100 && number <= 107)) this.slots.set("bg", code);
  }
}

/** The address in `OSC 8 ; parameters ; address`; empty for the closing sequence. */
export function osc8Url(sequence: string): string {
  const from = sequence.indexOf(";", 4) + 1;
  const end = sequence.endsWith("\x07") ? -1 : -2;
  return from === 0 ? "" : sequence.slice(from, end);
}
