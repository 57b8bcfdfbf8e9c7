import type { KeyEventType, KeyReading } from "./key-id.js";
import { CTRL, isTextKey, SHIFT } from "./key-id.js";

const letters: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "clear",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
};

const numbers: Readonly<Record<number, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
};

const codepoints: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  32: "space",
  127: "backspace",
  57414: "enter",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "pageup",
  57422: "pagedown",
  57423: "home",
  57424: "end",
  57425: "insert",
  57426: "delete",
  57427: "clear",
};

/** Keypad keys that stand for a character: 57399 is `0`. */
const KEYPAD_TEXT = "0123456789./*-+";
const KEYPAD_FIRST = 57399;

function keypadText(code: number): string | undefined {
  if (code === 57415) return "=";
  if (code === 57416) return ",";
  return code >= KEYPAD_FIRST ? KEYPAD_TEXT[code - KEYPAD_FIRST] : undefined;
}

/** Symbols by the key they share on a US keyboard. */
const unshifted: Readonly<Record<string, string>> = Object.fromEntries(
  [..."!1@2#3$4%5^6&7*8(9)0_-+={[}]|\\:;\"'<,>.?/~`"].flatMap((char, at, all) =>
    at % 2 === 0 ? [[char, all[at + 1] ?? char]] : [],
  ),
);

/** A key that the terminal reported by number, with everything it said about it. */
export interface ReportedKey {
  readonly code: number;
  readonly shifted?: number;
  readonly base?: number;
  readonly modifiers: number;
  readonly event: KeyEventType;
}

const ESC = "\\x1b";
const kittyPattern = new RegExp(`^${ESC}\\[(\\d+)(?::(\\d*))?(?::(\\d*))?(?:;(\\d*)(?::(\\d))?)?(?:;[\\d:]*)?u$`);
const otherKeysPattern = new RegExp(`^${ESC}\\[27;(\\d+);(\\d+)~$`);
const letterPattern = new RegExp(`^${ESC}\\[(?:1;(\\d+)(?::\\d)?)?([A-FHP-S])$`);
const numberPattern = new RegExp(`^${ESC}\\[(\\d+)(?:;(\\d+)(?::\\d)?)?([~^$@])$`);
const LOCKS = 64 | 128;

/** Kitty `CSI … u` and xterm `CSI 27;…~`: any key by its codepoint. */
export function parseReportedKey(data: string): ReportedKey | undefined {
  const kitty = kittyPattern.exec(data);
  if (kitty) {
    const [, code, shifted, base, modifiers, event] = kitty;
    return {
      code: Number(code),
      ...(shifted && { shifted: Number(shifted) }),
      ...(base && { base: Number(base) }),
      modifiers: modifierBits(modifiers),
      event: event === "3" ? "release" : event === "2" ? "repeat" : "press",
    };
  }
  const other = otherKeysPattern.exec(data);
  return other ? { code: Number(other[2]), modifiers: modifierBits(other[1]), event: "press" } : undefined;
}

function modifierBits(parameter: string | undefined): number {
  return parameter ? (Number(parameter) - 1) & ~LOCKS & 0xf : 0;
}

/** Readings of a key reported by codepoint; several when a symbol needs Shift. */
export function readReportedKey(reported: ReportedKey): KeyReading[] {
  const { modifiers } = reported;
  const named = codepoints[reported.code];
  if (named) return [{ key: named, modifiers }];
  const char = keypadText(reported.code) ?? safeChar(reported.code);
  const lower = char.toLowerCase();
  if (isTextKey(lower)) {
    const readings = [{ key: lower, modifiers: char === lower ? modifiers : modifiers | SHIFT }];
    return [...readings, ...shiftedReadings(lower, reported)];
  }
  // Only a layout without Latin letters is asked for the key's place; with Dvorak the place would be the wrong letter.
  const base = reported.base === undefined ? "" : safeChar(reported.base).toLowerCase();
  return isTextKey(base) ? [{ key: base, modifiers }] : [];
}

function shiftedReadings(key: string, { shifted, modifiers }: ReportedKey): KeyReading[] {
  if (!(modifiers & SHIFT) || /[a-z]/.test(key)) return [];
  const readings: KeyReading[] = [];
  const symbol = shifted === undefined ? undefined : safeChar(shifted);
  if (symbol && isTextKey(symbol)) readings.push({ key: symbol, modifiers: modifiers & ~SHIFT });
  const plain = unshifted[key];
  if (plain) readings.push({ key, modifiers: modifiers & ~SHIFT }, { key: plain, modifiers });
  return readings;
}

function safeChar(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** Readings of cursor, function and editing keys in their `CSI` forms (xterm, Kitty, rxvt, Linux console). */
export function readFunctionKey(data: string): KeyReading[] {
  const letter = letterPattern.exec(data);
  if (letter) return reading(letters[letter[2] ?? ""], modifierBits(letter[1]));
  const number = numberPattern.exec(data);
  if (number) {
    const suffix = { "^": CTRL, $: SHIFT, "@": CTRL | SHIFT, "~": 0 }[number[3] ?? "~"] ?? 0;
    if (number[1] === "13" && number[2] === "2") return reading("enter", SHIFT);
    return reading(numbers[Number(number[1])], modifierBits(number[2]) | suffix);
  }
  if (data === "\x1b[Z") return reading("tab", SHIFT);
  const console = /^\[\[([A-E])$/.exec(data.slice(1));
  if (console) return reading(`f${"ABCDE".indexOf(console[1] ?? "") + 1}`, 0);
  const rxvt = /^([[O])([a-d])$/.exec(data.slice(1));
  if (rxvt) return reading(letters[(rxvt[2] ?? "").toUpperCase()], rxvt[1] === "O" ? CTRL : SHIFT);
  const ss3 = /^O([A-FHMP-S])$/.exec(data.slice(1));
  return ss3 ? reading(ss3[1] === "M" ? "enter" : letters[ss3[1] ?? ""], 0) : [];
}

function reading(key: string | undefined, modifiers: number): KeyReading[] {
  return key === undefined ? [] : [{ key, modifiers }];
}

/** The text that a reported key types, when it types any. */
export function reportedText({ code, shifted, modifiers, event }: ReportedKey): string | undefined {
  if (event === "release" || (modifiers & ~SHIFT) !== 0) return undefined;
  const keypad = keypadText(code);
  if (keypad !== undefined) return keypad;
  // Private use: Kitty's numbers for keys without text.
  if (code < 0x20 || code === 0x7f || (code >= 0xe000 && code <= 0xf8ff)) return undefined;
  return safeChar(modifiers & SHIFT && shifted ? shifted : code) || undefined;
}
