import { afterEach, describe, expect, it, vi } from "vitest";
import { Key, type KeyId, parseKeyId } from "./key-id.js";
import { decodeKittyPrintable, isKeyRelease, isKeyRepeat, matchesKey, parseKey } from "./keys.js";
import { setKittyProtocolActive } from "./kitty-state.js";

afterEach(() => {
  setKittyProtocolActive(false);
  vi.unstubAllEnvs();
});

const named: [data: string, id: string][] = [
  ["a", "a"],
  ["A", "A"],
  ["+", "+"],
  [" ", "space"],
  ["\r", "enter"],
  ["\n", "enter"],
  ["\t", "tab"],
  ["\x1b", "escape"],
  ["\x7f", "backspace"],
  ["\x08", "backspace"],
  ["\x03", "ctrl+c"],
  ["\x00", "ctrl+space"],
  ["\x1c", "ctrl+\\"],
  ["\x1d", "ctrl+]"],
  ["\x1f", "ctrl+-"],
  ["\x1bx", "alt+x"],
  ["\x1bX", "shift+alt+x"],
  ["\x1b\x7f", "alt+backspace"],
  ["\x1b\x03", "ctrl+alt+c"],
  ["\x1b\r", "alt+enter"],
  ["\x1bb", "alt+left"],
  ["\x1bn", "alt+down"],
  ["\x1b[A", "up"],
  ["\x1bOA", "up"],
  ["\x1bOM", "enter"],
  ["\x1bOP", "f1"],
  ["\x1b[[B", "f2"],
  ["\x1b[3~", "delete"],
  ["\x1b[5~", "pageUp"],
  ["\x1b[24~", "f12"],
  ["\x1b[Z", "shift+tab"],
  ["\x1b[1;5C", "ctrl+right"],
  ["\x1b[1;6A", "shift+ctrl+up"],
  ["\x1b[1;133C", "ctrl+right"],
  ["\x1b[3;5~", "ctrl+delete"],
  ["\x1b[3$", "shift+delete"],
  ["\x1bOd", "ctrl+left"],
  ["\x1b[b", "shift+down"],
  ["\x1b\x1b[A", "alt+up"],
  ["\x1b[99;5u", "ctrl+c"],
  ["\x1b[99;5:3u", "ctrl+c"],
  ["\x1b[27;2;13~", "shift+enter"],
  ["\x1b[13;2~", "shift+enter"],
  ["\x1b[13;2u", "shift+enter"],
  ["\x1b[57414u", "enter"],
  ["\x1b[57400u", "1"],
  ["\x1b[57413;5u", "ctrl++"],
  ["\x1b[57421u", "pageUp"],
  ["\x1b[97;9u", "super+a"],
  ["\x1b[1089::99;5u", "ctrl+c"],
];

describe("parseKey", () => {
  it.each(named)("%j is %s", (data, id) => {
    expect(parseKey(data)).toBe(id);
    if (id !== "A") expect(matchesKey(data, id as KeyId)).toBe(true);
  });

  it.each(["é", "中", "👍", "\x1b[200~a\x1b[201~", "\x1b[?62c", "\x1b[<0;1;1M", "ab"])("%j is no key", (data) => {
    expect(parseKey(data)).toBeUndefined();
  });
});

describe("matchesKey", () => {
  const cases: [string, string, boolean][] = [
    ["A", "shift+a", true],
    ["a", "shift+a", false],
    ["\x03", "CTRL+C", true],
    ["\x1b[112;6u", "shift+ctrl+p", true],
    ["\x1b[112;6u", "ctrl+shift+p", true],
    ["\x1b[112;6u", "ctrl+p", false],
    ["\x1bb", "alt+b", true],
    ["\n", "ctrl+j", true],
    ["\x1f", "ctrl+_", true],
    ["\x1b", "esc", true],
    ["\r", "return", true],
    ["\x1b[61:43;2u", "shift+=", true],
    ["\x1b[61:43;2u", "+", true],
    ["\x1b[43;2u", "+", true],
    ["\x1b[43;2u", "shift+=", true],
    // Dvorak: the letter counts, not its place.
    ["\x1b[106::99;5u", "ctrl+j", true],
    ["\x1b[106::99;5u", "ctrl+c", false],
    ["\x03", "ctrl+ctrl+c", false],
    ["\x03", "ctrl+c+x", false],
    ["\x03", "hyper+c", false],
    ["\x08", "ctrl+backspace", false],
  ];
  it.each(cases)("%j as %s: %s", (data, id, expected) => {
    expect(matchesKey(data, id as KeyId)).toBe(expected);
  });

  it("reads Enter and Alt by the protocol in use", () => {
    setKittyProtocolActive(true);
    expect(parseKey("\n")).toBe("shift+enter");
    expect(parseKey("\x1b\r")).toBe("shift+enter");
    expect(parseKey("\x1bx")).toBeUndefined();
    expect(parseKey("\x1bf")).toBe("alt+right");
  });

  it("knows Windows Terminal's Ctrl+Backspace, but not over SSH", () => {
    vi.stubEnv("WT_SESSION", "1");
    for (const name of ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"]) vi.stubEnv(name, "");
    expect(matchesKey("\x08", "ctrl+backspace")).toBe(true);
    vi.stubEnv("SSH_TTY", "/dev/pts/0");
    expect(matchesKey("\x08", "backspace")).toBe(true);
  });
});

describe("key events and text", () => {
  it("tells repeats and releases from presses, and leaves pastes alone", () => {
    expect(isKeyRelease("\x1b[97;1:3u")).toBe(true);
    expect(isKeyRelease("\x1b[1;1:3A")).toBe(true);
    expect(isKeyRepeat("\x1b[3;1:2~")).toBe(true);
    expect(isKeyRelease("\x1b[97;1u")).toBe(false);
    expect(isKeyRelease("\x1b[200~90:62:3F:A5\x1b[201~")).toBe(false);
  });

  it.each([
    ["\x1b[97u", "a"],
    ["\x1b[97:65;2u", "A"],
    ["\x1b[27;2;65~", "A"],
    ["\x1b[228u", "ä"],
    ["\x1b[57400u", "1"],
    ["\x1b[97;5u", undefined],
    ["\x1b[97;1:3u", undefined],
    ["\x1b[13u", undefined],
    ["\x1b[57441u", undefined],
    ["a", undefined],
  ])("%j types %j", (data, text) => {
    expect(decodeKittyPrintable(data)).toBe(text);
  });

  it("every name of Key is a key id", () => {
    for (const value of Object.values(Key))
      if (typeof value === "string") expect(parseKeyId(value), value).toBeDefined();
    expect(parseKeyId(Key.ctrlShiftAlt("+"))).toEqual({ key: "+", modifiers: 7 });
  });
});
