type Letter =
  | ("a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i" | "j" | "k" | "l" | "m")
  | ("n" | "o" | "p" | "q" | "r" | "s" | "t" | "u" | "v" | "w" | "x" | "y" | "z");
type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";

const symbols = {
  backtick: "`",
  hyphen: "-",
  equals: "=",
  leftbracket: "[",
  rightbracket: "]",
  backslash: "\\",
  semicolon: ";",
  quote: "'",
  comma: ",",
  period: ".",
  slash: "/",
  exclamation: "!",
  at: "@",
  hash: "#",
  dollar: "$",
  percent: "%",
  caret: "^",
  ampersand: "&",
  asterisk: "*",
  leftparen: "(",
  rightparen: ")",
  underscore: "_",
  plus: "+",
  pipe: "|",
  tilde: "~",
  leftbrace: "{",
  rightbrace: "}",
  colon: ":",
  lessthan: "<",
  greaterthan: ">",
  question: "?",
} as const;

const special = {
  escape: "escape",
  esc: "esc",
  enter: "enter",
  return: "return",
  tab: "tab",
  space: "space",
  backspace: "backspace",
  delete: "delete",
  insert: "insert",
  clear: "clear",
  home: "home",
  end: "end",
  pageUp: "pageUp",
  pageDown: "pageDown",
  up: "up",
  down: "down",
  left: "left",
  right: "right",
  f1: "f1",
  f2: "f2",
  f3: "f3",
  f4: "f4",
  f5: "f5",
  f6: "f6",
  f7: "f7",
  f8: "f8",
  f9: "f9",
  f10: "f10",
  f11: "f11",
  f12: "f12",
} as const;

/** A key without modifiers. */
export type BaseKey = Letter | Digit | (typeof symbols)[keyof typeof symbols] | (typeof special)[keyof typeof special];

type Prefix<All extends string, One extends string = All> =
  | ""
  | (One extends One ? `${One}+${Prefix<Exclude<All, One>>}` : never);

/** A key with up to four different modifiers in any order: `ctrl+shift+p`. */
export type KeyId = `${Prefix<"ctrl" | "shift" | "alt" | "super">}${BaseKey}`;

/** What happened to the key; terminals without the Kitty protocol know only `press`. */
export type KeyEventType = "press" | "repeat" | "release";

/** Names for keys and ways to combine them: `Key.ctrl("c")` is `"ctrl+c"`. */
export const Key = {
  ...special,
  ...symbols,
  ctrl: <K extends string>(key: K): `ctrl+${K}` => `ctrl+${key}`,
  shift: <K extends string>(key: K): `shift+${K}` => `shift+${key}`,
  alt: <K extends string>(key: K): `alt+${K}` => `alt+${key}`,
  super: <K extends string>(key: K): `super+${K}` => `super+${key}`,
  ctrlShift: <K extends string>(key: K): `ctrl+shift+${K}` => `ctrl+shift+${key}`,
  shiftCtrl: <K extends string>(key: K): `shift+ctrl+${K}` => `shift+ctrl+${key}`,
  ctrlAlt: <K extends string>(key: K): `ctrl+alt+${K}` => `ctrl+alt+${key}`,
  altCtrl: <K extends string>(key: K): `alt+ctrl+${K}` => `alt+ctrl+${key}`,
  shiftAlt: <K extends string>(key: K): `shift+alt+${K}` => `shift+alt+${key}`,
  altShift: <K extends string>(key: K): `alt+shift+${K}` => `alt+shift+${key}`,
  ctrlSuper: <K extends string>(key: K): `ctrl+super+${K}` => `ctrl+super+${key}`,
  superCtrl: <K extends string>(key: K): `super+ctrl+${K}` => `super+ctrl+${key}`,
  shiftSuper: <K extends string>(key: K): `shift+super+${K}` => `shift+super+${key}`,
  superShift: <K extends string>(key: K): `super+shift+${K}` => `super+shift+${key}`,
  altSuper: <K extends string>(key: K): `alt+super+${K}` => `alt+super+${key}`,
  superAlt: <K extends string>(key: K): `super+alt+${K}` => `super+alt+${key}`,
  ctrlShiftAlt: <K extends string>(key: K): `ctrl+shift+alt+${K}` => `ctrl+shift+alt+${key}`,
  ctrlShiftSuper: <K extends string>(key: K): `ctrl+shift+super+${K}` => `ctrl+shift+super+${key}`,
} as const;

const modifierBits: Readonly<Record<string, number>> = { shift: 1, alt: 2, ctrl: 4, super: 8 };
export const SHIFT = 1;
export const ALT = 2;
export const CTRL = 4;
export const SUPER = 8;

const baseKeys = new Set<string>([
  ..."abcdefghijklmnopqrstuvwxyz0123456789",
  ...Object.values(symbols),
  ...Object.values(special).map((name) => name.toLowerCase()),
]);
const aliases: Readonly<Record<string, string>> = { esc: "escape", return: "enter" };

/** One reading of a key press: a base key in lower case and modifier bits. */
export interface KeyReading {
  readonly key: string;
  readonly modifiers: number;
}

/** Ids come from bindings and are asked for with every key: each is read once. */
const known = new Map<string, KeyReading | undefined>();
const MAX_KNOWN = 1000;

/** Reads a key id, in any case and order of modifiers; undefined when it is none. */
export function parseKeyId(id: string): KeyReading | undefined {
  if (known.has(id)) return known.get(id);
  if (known.size >= MAX_KNOWN) known.clear();
  const reading = readKeyId(id);
  known.set(id, reading);
  return reading;
}

function readKeyId(id: string): KeyReading | undefined {
  const lower = id.toLowerCase();
  const plus = lower === "+" || lower.endsWith("++");
  const names = plus ? lower.slice(0, -1).split("+").slice(0, -1) : lower.split("+");
  const key = plus ? "+" : (names.pop() ?? "");
  let modifiers = 0;
  for (const name of names) {
    const bit = modifierBits[name];
    if (bit === undefined || (modifiers & bit) !== 0) return undefined;
    modifiers |= bit;
  }
  return baseKeys.has(key) ? { key: aliases[key] ?? key, modifiers } : undefined;
}

/** True for keys that stand for themselves as text: letters, digits, symbols. */
export function isTextKey(key: string): boolean {
  return key.length === 1 && baseKeys.has(key);
}

const spelled: Readonly<Record<string, string>> = { pageup: "pageUp", pagedown: "pageDown" };

/** Writes a reading as a key id, modifiers in the order shift, ctrl, alt, super. */
export function formatKey({ key, modifiers }: KeyReading): string {
  const names = [
    modifiers & SHIFT ? "shift+" : "",
    modifiers & CTRL ? "ctrl+" : "",
    modifiers & ALT ? "alt+" : "",
    modifiers & SUPER ? "super+" : "",
  ];
  return names.join("") + (spelled[key] ?? key);
}
