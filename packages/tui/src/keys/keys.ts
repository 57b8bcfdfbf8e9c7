import { parseReportedKey, readFunctionKey, readReportedKey, reportedText } from "./csi-keys.js";
import { ALT, CTRL, formatKey, isTextKey, type KeyId, type KeyReading, parseKeyId, SHIFT } from "./key-id.js";
import { isKittyProtocolActive } from "./kitty-state.js";

/** True when the input is that key, in whichever encoding the terminal uses. */
export function matchesKey(data: string, keyId: KeyId): boolean {
  const wanted = parseKeyId(keyId);
  if (!wanted) return false;
  return readings(data).some(({ key, modifiers }) => key === wanted.key && modifiers === wanted.modifiers);
}

/** The key id of the input; undefined for text that is no key of a US keyboard, and for sequences of no key. */
export function parseKey(data: string): string | undefined {
  if (/^[A-Z]$/.test(data)) return data;
  const [first] = readings(data);
  return first && formatKey(first);
}

/** True for the release of a key (Kitty protocol). */
export function isKeyRelease(data: string): boolean {
  return hasEvent(data, "3");
}

/** True for a key that repeats because it is held down (Kitty protocol). */
export function isKeyRepeat(data: string): boolean {
  return hasEvent(data, "2");
}

function hasEvent(data: string, event: string): boolean {
  // Pasted text may contain anything.
  if (data.includes("\x1b[200~")) return false;
  return new RegExp(`:${event}[u~ABCDHFPQS]`).test(data);
}

/** The text that a key typed, when the terminal reports keys by number (Kitty protocol, modifyOtherKeys). */
export function decodeKittyPrintable(data: string): string | undefined {
  const reported = parseReportedKey(data);
  return reported && reportedText(reported);
}

/** All readings of an input; the first names it. */
function readings(data: string): KeyReading[] {
  if (data.length === 1) return controlOrText(data);
  if (!data.startsWith("\x1b")) return [];
  const reported = parseReportedKey(data);
  if (reported) return readReportedKey(reported);
  const functionKey = readFunctionKey(data);
  if (functionKey.length > 0) return functionKey;
  return data.length === 2 ? escaped(data.slice(1)) : doubleEscaped(data);
}

const controlSymbols: Readonly<Record<number, readonly string[]>> = {
  0: ["space", "@"],
  28: ["\\"],
  29: ["]"],
  30: ["^"],
  31: ["-", "_"],
};

function controlOrText(data: string): KeyReading[] {
  const code = data.charCodeAt(0);
  switch (code) {
    case 0x08:
      return [{ key: "backspace", modifiers: backspaceIsControl() ? CTRL : 0 }];
    case 0x09:
      return [{ key: "tab", modifiers: 0 }];
    case 0x0a:
      return [
        { key: "enter", modifiers: isKittyProtocolActive() ? SHIFT : 0 },
        { key: "j", modifiers: CTRL },
      ];
    case 0x0d:
      return [{ key: "enter", modifiers: 0 }];
    case 0x1b:
      return [
        { key: "escape", modifiers: 0 },
        { key: "[", modifiers: CTRL },
      ];
    case 0x20:
      return [{ key: "space", modifiers: 0 }];
    case 0x7f:
      return [{ key: "backspace", modifiers: 0 }];
    default:
      break;
  }
  const symbols = controlSymbols[code];
  if (symbols) return symbols.map((key) => ({ key, modifiers: CTRL }));
  if (code < 0x20) return [{ key: String.fromCharCode(code + 0x60), modifiers: CTRL }];
  const lower = data.toLowerCase();
  return isTextKey(lower) ? [{ key: lower, modifiers: lower === data ? 0 : SHIFT }] : [];
}

/** Windows Terminal sends 0x08 for Ctrl+Backspace; over SSH nobody knows what is at the other end. */
function backspaceIsControl(): boolean {
  const { WT_SESSION, SSH_CONNECTION, SSH_CLIENT, SSH_TTY } = process.env;
  return Boolean(WT_SESSION) && !SSH_CONNECTION && !SSH_CLIENT && !SSH_TTY;
}

const emacsArrows: Readonly<Record<string, string>> = { b: "left", f: "right", p: "up", n: "down" };

/** `ESC` and one character: Alt, as terminals without a better protocol write it. */
function escaped(char: string): KeyReading[] {
  const arrow = emacsArrows[char];
  const arrows = arrow ? [{ key: arrow, modifiers: ALT }] : [];
  if (isKittyProtocolActive()) return char === "\r" ? [{ key: "enter", modifiers: SHIFT }] : arrows;
  return [...arrows, ...controlOrText(char).map(({ key, modifiers }) => ({ key, modifiers: modifiers | ALT }))];
}

/** `ESC` before a whole sequence: Alt with a cursor or function key, as rxvt writes it. */
function doubleEscaped(data: string): KeyReading[] {
  if (!data.startsWith("\x1b\x1b")) return [];
  return readFunctionKey(data.slice(1)).map(({ key, modifiers }) => ({ key, modifiers: modifiers | ALT }));
}
