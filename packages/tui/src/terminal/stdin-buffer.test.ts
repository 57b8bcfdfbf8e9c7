import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StdinBuffer } from "./stdin-buffer.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function listen(options = {}) {
  const buffer = new StdinBuffer(options);
  const events: string[] = [];
  buffer.on("data", (data) => events.push(data));
  buffer.on("paste", (text) => events.push(`paste:${text}`));
  return { buffer, events };
}

describe("StdinBuffer", () => {
  it.each<[string, string[]]>([
    ["ab", ["a", "b"]],
    ["a👍b", ["a", "👍", "b"]],
    ["\x1b[A\x1b[1;5C", ["\x1b[A", "\x1b[1;5C"]],
    ["\x1b[<0;10;5Mx", ["\x1b[<0;10;5M", "x"]],
    ["\x1b[M !!x", ["\x1b[M !!", "x"]],
    ["\x1bOPx", ["\x1bOP", "x"]],
    ["\x1b[[Ax", ["\x1b[[A", "x"]],
    ["\x1bx", ["\x1bx"]],
    ["\x1b\x1b[A", ["\x1b", "\x1b[A"]],
    ["\x1b]11;rgb:0/0/0\x07a", ["\x1b]11;rgb:0/0/0\x07", "a"]],
    ["\x1b]11;rgb:0/0/0\x1b\\a", ["\x1b]11;rgb:0/0/0\x1b\\", "a"]],
    ["\x1b_Gi=1;OK\x1b\\", ["\x1b_Gi=1;OK\x1b\\"]],
    ["\x1b[200~a\nb\x1b[A\x1b[201~c", ["paste:a\nb\x1b[A", "c"]],
    ["\x1b[97ua", ["\x1b[97u"]],
    ["\x1b[97uaa", ["\x1b[97u", "a"]],
    ["\x1b[97;5ua", ["\x1b[97;5u", "a"]],
  ])("%j is cut into %j, whole or byte by byte", (input, expected) => {
    const all = listen();
    all.buffer.process(input);
    expect(all.events).toEqual(expected);
    const single = listen();
    for (const unit of input.split("")) single.buffer.process(unit);
    expect(single.events).toEqual(expected);
  });

  it("reads what arrived while the program was busy before the time counts as up", () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { buffer, events } = listen();
    buffer.process("\x1b");
    vi.advanceTimersByTime(10);
    buffer.process("[A");
    expect(events).toEqual(["\x1b[A"]);
  });

  it("waits for ESC, for sequences, and without limit for replies", () => {
    const { buffer, events } = listen();
    buffer.process("\x1b");
    vi.advanceTimersByTime(9);
    expect(events).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(events).toEqual(["\x1b"]);
    buffer.process("\x1b[1;");
    vi.advanceTimersByTime(49);
    expect(events).toHaveLength(1);
    vi.advanceTimersByTime(2);
    expect(events[1]).toBe("\x1b[1;");
    buffer.process("\x1b]11;rgb:");
    vi.advanceTimersByTime(60_000);
    expect(buffer.getBuffer()).toBe("\x1b]11;rgb:");
    buffer.process("\x18x");
    expect(events.slice(2)).toEqual(["\x1b]11;rgb:\x18", "x"]);
  });

  it("reads a single high byte as Alt", () => {
    const { buffer, events } = listen();
    buffer.process(Buffer.from([0xe1]));
    expect(events).toEqual(["\x1ba"]);
  });

  it("loses and reorders nothing, wherever the input is split", () => {
    const part = fc.constantFrom(
      "a",
      "é",
      "中",
      "👍",
      "\x1b[A",
      "\x1b[99;5u",
      "\x1bx",
      "\x1bOP",
      "\x1b[200~1\n2\x1b[201~",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.array(fc.nat({ max: 12 })), (parts, cuts) => {
        const { buffer, events } = listen();
        let rest = parts.join("");
        for (const cut of cuts) {
          buffer.process(rest.slice(0, cut));
          rest = rest.slice(cut);
        }
        buffer.process(rest);
        expect(events).toEqual(parts.map((text) => (text.startsWith("\x1b[200~") ? "paste:1\n2" : text)));
      }),
    );
  });

  it("takes a paste of a megabyte in small pieces", () => {
    const { buffer, events } = listen();
    const text = "0123456789abcde\n".repeat(65536);
    const input = `\x1b[200~${text}\x1b[201~`;
    for (let at = 0; at < input.length; at += 1000) buffer.process(input.slice(at, at + 1000));
    expect(events).toEqual([`paste:${text}`]);
  });
});
