import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScreenTerminal } from "../../test/screen-terminal.js";
import { TuiMainScreen } from "../screen/main-screen.js";
import { stripTerminalSequences } from "../text/escapes.js";
import { visibleWidth } from "../text/width.js";
import { Editor } from "./editor.js";

const plain = (text: string) => text;
const selectList = {
  selectedPrefix: plain,
  selectedText: plain,
  description: plain,
  scrollInfo: plain,
  noMatch: plain,
};
const keys = {
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  home: "\x1b[H",
  end: "\x1b[F",
  enter: "\r",
  newLine: "\x1b[13;2u",
  backspace: "\x7f",
  delete: "\x1b[3~",
  undo: "\x1f",
  killWord: "\x17",
  killLine: "\x0b",
  killStart: "\x15",
  yank: "\x19",
  yankPop: "\x1by",
  wordLeft: "\x1b[1;5D",
  wordRight: "\x1b[1;5C",
};

function editor(rows = 24) {
  const tui = new TuiMainScreen(new ScreenTerminal(80, rows));
  const one = new Editor(tui, { borderColor: plain, selectList });
  one.focused = true;
  const submitted: string[] = [];
  one.onSubmit = (text) => submitted.push(text);
  const type = (...data: string[]) => {
    for (const text of data) {
      if (/^[\p{L}\p{N} ]+$/u.test(text)) for (const char of text) one.handleInput(char);
      else one.handleInput(text);
    }
  };
  const shown = (width: number) => one.render(width).map(stripTerminalSequences);
  return { one, type, submitted, shown };
}

const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

describe("Editor", () => {
  it.each<[string, string[], string]>([
    ["types", ["hello"], "hello"],
    ["new lines", ["a", keys.newLine, "b", "\n", "c", "\x1b\r", "d"], "a\nb\nc\nd"],
    ["backslash and enter", ["a", "\\", keys.enter, "b"], "a\nb"],
    ["deletes by character", ["e\u0301x", keys.left, keys.backspace], "x"],
    ["joins lines", ["a", keys.newLine, "b", keys.home, keys.backspace], "ab"],
    ["joins lines forward", ["a", keys.newLine, "b", keys.up, keys.end, keys.delete], "ab"],
    ["deletes words", ["one two", keys.killWord], "one "],
    ["moves by words", ["one two", keys.wordLeft, "x", keys.wordRight, "y"], "one xtwoy"],
    ["deletes punctuation as a run", ["a", "+", "=", "-", keys.killWord], "a"],
    ["kills and yanks", ["one two", keys.home, keys.killLine, "x", keys.yank], "xone two"],
    ["joins kills", ["one two", keys.killWord, keys.killWord, keys.yank], "one two"],
    ["cycles through kills", ["one", keys.killStart, "two", keys.killStart, keys.yank, keys.yankPop], "one"],
    [
      "yank-pop only after a yank",
      ["one", keys.killStart, "two", keys.killStart, keys.yank, "x", keys.yankPop],
      "twox",
    ],
    ["undoes words", ["one two", keys.undo], "one "],
    ["undoes kills", ["one two", keys.killWord, keys.undo], "one two"],
    ["cleans pastes", [paste("a\r\nb\tc\x07\x1b[106;5ud")], "a\nb    c\nd"],
    ["keeps a path apart", ["see", paste("/tmp/x")], "see /tmp/x"],
    ["jumps to a character", ["hello", keys.home, "\x1d", "l", "X"], "heXllo"],
    ["types what Kitty reports", ["\x1b[97u", "\x1b[98:66;2u"], "aB"],
    ["ignores unknown sequences", ["a", "\x1b[99~", "\x1b[<0;1;1M", "\x03"], "a"],
  ])("%s", (_what, input, expected) => {
    const { one, type } = editor();
    type(...input);
    expect(one.getText()).toBe(expected);
  });

  it("shows long pastes as markers that are one character, and expands them", () => {
    const { one, type, submitted } = editor();
    const lines = Array.from({ length: 11 }, (_, at) => `l${at}`).join("\n");
    const chars = "x".repeat(1001);
    type("a", paste(lines), "b", paste(chars));
    expect(one.getText()).toBe("a[paste #1 +11 lines]b[paste #2 1001 chars]");
    expect(one.getExpandedText()).toBe(`a${lines}b${chars}`);
    type(keys.left, keys.left, keys.backspace);
    expect(one.getText()).toBe("ab[paste #1 1001 chars]");
    type(keys.undo);
    expect(one.getExpandedText()).toBe(`a${lines}b${chars}`);
    type(keys.enter);
    expect(submitted).toEqual([`a${lines}b${chars}`]);
    expect(one.getText()).toBe("");
    type("[paste #1 +11 lines]");
    expect(one.getExpandedText()).toBe("[paste #1 +11 lines]");
  });

  it("browses earlier texts and comes back to the draft", () => {
    const { one, type } = editor();
    for (const text of ["first", " ", "second\nline", "second\nline"]) one.addToHistory(text);
    type("draft", keys.up);
    expect(one.getCursor()).toEqual({ line: 0, col: 0 });
    type(keys.up);
    expect(one.getText()).toBe("second\nline");
    expect(one.getCursor()).toEqual({ line: 0, col: 0 });
    type(keys.up, keys.up);
    expect(one.getText()).toBe("first");
    type(keys.down);
    expect(one.getCursor()).toEqual({ line: 1, col: 4 });
    type(keys.down);
    expect(one.getText()).toBe("draft");
  });

  it("keeps its column through short lines", () => {
    const { one, type } = editor();
    type("long line", keys.newLine, "x", keys.newLine, "another", keys.up, keys.up);
    expect(one.getCursor()).toEqual({ line: 0, col: 7 });
  });

  it("scrolls, and says how much is hidden", () => {
    const { type, shown } = editor(10);
    for (let at = 0; at < 8; at++) type(`l${at}`, keys.newLine);
    const lines = shown(20);
    expect(lines).toHaveLength(7);
    expect(lines[0]).toBe("───── ↑ 4 more ─────");
    expect(lines[1]).toMatch(/^l4 +$/);
    for (let at = 0; at < 8; at++) type(keys.up);
    expect(shown(20).at(-1)).toBe("───── ↓ 4 more ─────");
  });

  it("completes: opens on /, applies, submits a command", async () => {
    const { one, type, submitted } = editor();
    one.setAutocompleteProvider({
      getSuggestions: async (lines, _line, col) => {
        const prefix = lines[0]?.slice(0, col) ?? "";
        const items = ["/help", "/hello"].filter((name) => name.startsWith(prefix));
        return { items: items.map((value) => ({ value, label: value })), prefix };
      },
      applyCompletion: (lines, line, _col, item) => ({
        lines: [item.value, ...lines.slice(1)],
        cursorLine: line,
        cursorCol: item.value.length,
      }),
    });
    type("/", "he");
    await new Promise((resolve) => setImmediate(resolve));
    expect(one.isShowingAutocomplete()).toBe(true);
    expect(one.render(40).join("\n")).toContain("→ /help");
    type(keys.down, keys.enter);
    expect(submitted).toEqual(["/hello"]);
    expect(one.isShowingAutocomplete()).toBe(false);
  });

  it("fits any width and keeps the cursor on the screen", () => {
    const text = fc.array(fc.constantFrom("a", " ", "中", "👍", "e\u0301", "word ", "\n"), { maxLength: 40 });
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 30 }),
        fc.nat({ max: 3 }),
        fc.nat({ max: 40 }),
        (parts, width, padding, back) => {
          const { one, type } = editor();
          one.setPaddingX(padding);
          one.setText(parts.join(""));
          for (let at = 0; at < back; at++) type(keys.left);
          const lines = one.render(width);
          // A wide character has no place in one column; the screen cuts it.
          if (width > 2 * padding + 2) for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
          expect(lines.filter((line) => line.includes("\x1b_pi:c\x07"))).toHaveLength(1);
        },
      ),
    );
  });

  it("behaves like a plain text with a cursor, whatever is typed", () => {
    const action = fc.oneof(
      fc.constantFrom("a", "b", " ", "中", "👍").map((char) => ({ key: char, kind: "type" as const })),
      fc
        .constantFrom("left", "right", "home", "end", "backspace", "delete", "newLine")
        .map((kind) => ({ key: keys[kind as keyof typeof keys], kind })),
      fc.constantFrom("x\ny", "one two").map((text) => ({ key: paste(text), kind: "paste", text })),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const { one } = editor();
        let before: string[] = [];
        let after: string[] = [];
        for (const { key, kind, ...rest } of actions) {
          one.handleInput(key);
          const start = before.lastIndexOf("\n") + 1;
          const end = after.indexOf("\n") < 0 ? after.length : after.indexOf("\n");
          if (kind === "type") before.push(key);
          else if (kind === "newLine") before.push("\n");
          else if (kind === "paste") before.push(...Array.from("text" in rest ? String(rest.text) : ""));
          else if (kind === "backspace") before.pop();
          else if (kind === "delete") after.shift();
          else if (kind === "left") after = [...before.slice(-1), ...after];
          else if (kind === "right") before = [...before, ...after.splice(0, 1)];
          else if (kind === "home") after = [...before.splice(start), ...after];
          else if (kind === "end") before.push(...after.splice(0, end));
          if (kind === "left") before.pop();
        }
        expect(one.getText()).toBe([...before, ...after].join(""));
        const lines = one.getLines();
        const { line, col } = one.getCursor();
        expect([...lines.slice(0, line), (lines[line] ?? "").slice(0, col)].join("\n")).toBe(before.join(""));
      }),
    );
  });

  it("undoes everything, step by step", () => {
    const key = fc.constantFrom(
      "a",
      "b",
      " ",
      keys.left,
      keys.backspace,
      keys.killWord,
      keys.yank,
      keys.newLine,
      paste("p\nq"),
    );
    fc.assert(
      fc.property(fc.array(key, { maxLength: 30 }), (input) => {
        const { one, type } = editor();
        for (const data of input) one.handleInput(data);
        for (let at = 0; at <= input.length; at++) type(keys.undo);
        expect(one.getText()).toBe("");
      }),
    );
  });
});
