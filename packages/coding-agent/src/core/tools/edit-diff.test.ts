import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits, normalizeToLF } from "./edit-diff.js";

const edit = (oldText: string, newText: string) => ({ oldText, newText });
const apply = (content: string, ...edits: { oldText: string; newText: string }[]) =>
  applyEdits(content, edits, "f.txt");
const failure = async (content: string, ...edits: { oldText: string; newText: string }[]): Promise<string> => {
  try {
    await apply(content, ...edits);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("the edit was applied");
};

describe("exact matches", () => {
  it.each([
    ["one place", "a\nb\nc\n", [edit("b", "B")], "a\nB\nc\n"],
    ["several places, any order", "a\nb\nc\n", [edit("c", "C"), edit("a", "A")], "A\nb\nC\n"],
    ["touching ranges", "abcd", [edit("ab", "1"), edit("cd", "2")], "12"],
    ["dollar signs are text", "x", [edit("x", "$&$1$$")], "$&$1$$"],
    ["a removal", "a\nb\nc\n", [edit("b\n", "")], "a\nc\n"],
    ["an idle edit beside a real one", "a b", [edit("a", "a"), edit("b", "B")], "a B"],
    ["a byte order mark stays", "\uFEFFa\n", [edit("a", "b")], "\uFEFFb\n"],
    ["whitespace alone, when it stands there once", "a  b c", [edit("  ", " ")], "a b c"],
    [
      "an exact match beside its fuzzy twin",
      'foo  \nfoo bar\n\u201ca\u201d "a"',
      [edit('"a"', "A")],
      "foo  \nfoo bar\n\u201ca\u201d A",
    ],
    [
      "an exact one with trailing blanks beside one without",
      "x = 1;  \nx = 1;\n",
      [edit("x = 1;  ", "y")],
      "y\nx = 1;\n",
    ],
  ])("%s", async (_name, content, edits, expected) => {
    expect((await apply(content, ...edits)).text).toBe(expected);
  });
});

describe("line ends", () => {
  it.each([
    ["the ending of the line where the range starts", "a\r\nb\nc\r\n", [edit("b", "B1\nB2")], "a\r\nB1\nB2\nc\r\n"],
    ["CRLF in a CRLF file", "a\r\nb\r\n", [edit("a", "1\n2")], "1\r\n2\r\nb\r\n"],
    ["CRLF in the edit itself", "a\nb\n", [edit("a\r\nb", "1\r\n2")], "1\n2\n"],
    ["old text across CRLF", "a\r\nb\r\nc", [edit("a\nb", "x")], "x\r\nc"],
    ["a last line without one takes the previous line's", "a\r\nb", [edit("b", "1\n2")], "a\r\n1\r\n2"],
    ["one line without any", "a", [edit("a", "1\n2")], "1\n2"],
    ["lone CR counts in files with no LF", "a\rb\rc", [edit("b", "1\n2")], "a\r1\r2\rc"],
    ["lone CR is no line end beside LF", "a\rb\nc\n", [edit("c", "1\n2")], "a\rb\n1\n2\n"],
    ["a kept CR and an inserted LF do not merge", "a\rb\n", [edit("b", "\nx")], "a\r\n\nx\n"],
    ["a kept CR and a kept LF do not merge", "a\rb\nc", [edit("b", "")], "a\r\n\nc"],
  ])("%s", async (_name, content, edits, expected) => {
    expect((await apply(content, ...edits)).text).toBe(expected);
  });
});

describe("fuzzy matches", () => {
  it.each([
    ["compatibility forms", "a \ufb01le \u2460 x b", [edit("file 1 x", "F")], "a F b"],
    ["trailing whitespace", "foo   \nbar\n", [edit("foo\nbar", "x")], "x\n"],
    ["typographic quotes", "say \u201chi\u201d", [edit('"hi"', "'ho'")], "say 'ho'"],
    [
      "only the matched span changes: breaks, quotes and dashes of the line stay",
      "\u201ckeep\u201d \u2014 \u2018one\u2019 \u2013 tail  \nnext  \n",
      [edit("'one'", "two")],
      "\u201ckeep\u201d \u2014 two \u2013 tail  \nnext  \n",
    ],
    [
      "an exact edit beside a fuzzy one stays exact",
      "\u201ca\u201d  \n\u2018b\u2019  \n",
      [edit("\u201ca\u201d", "A"), edit("'b'", "B")],
      "A  \nB  \n",
    ],
  ])("%s", async (_name, content, edits, expected) => {
    const { text, matches } = await apply(content, ...edits);
    expect(text).toBe(expected);
    expect(matches.some((match) => match.fuzzy)).toBe(true);
  });

  it("never replace half of a character", async () => {
    expect(await failure("\ufb01le", edit("ile", "x"))).toMatch(/^Could not find the exact text/);
  });

  it.each([
    ["\ud83d", "a😀b"],
    ["\ude00b", "a😀b"],
    ["a\ud83d", "a😀b"],
    ["\ud83d", "“😀”"],
    ['"\ud83d', "“😀”"],
  ])("nor of a surrogate pair: %j in %j", async (oldText, content) => {
    expect(await failure(content, edit(oldText, "x"))).toMatch(/^Could not find the exact text/);
  });

  it("do not exist for whitespace", async () => {
    expect(await failure("a\u00a0b\n", edit("   ", "x"))).toMatch(/^Could not find the exact text/);
  });

  it("keep leading whitespace, tabs and case significant", async () => {
    expect(await failure("\tFoo\n", edit("    foo", "x"))).toMatch(/^Could not find the exact text/);
  });
});

describe("refusals", () => {
  it.each([
    [
      "not found",
      "zzz",
      [edit("a", "b")],
      "Could not find the exact text in f.txt. The old text must match exactly including all whitespace and newlines.",
    ],
    [
      "not found, of several",
      "a\nb",
      [edit("a", "x"), edit("x", "y")],
      "Could not find edits[1] in f.txt. The oldText must match exactly including all whitespace and newlines.",
    ],
    [
      "not unique",
      "a\nb\na\n",
      [edit("a", "x")],
      "Found 2 occurrences of the text in f.txt. The text must be unique. Please provide more context to make it unique. Occurrences start at lines 1, 3.",
    ],
    [
      "not unique, of several",
      "a\na\nb",
      [edit("b", "x"), edit("a", "y")],
      "Found 2 occurrences of edits[1] in f.txt. Each oldText must be unique. Please provide more context to make it unique. Occurrences start at lines 1, 2.",
    ],
    [
      "overlapping occurrences count",
      "aaa",
      [edit("aa", "x")],
      "Found 2 occurrences of the text in f.txt. The text must be unique. Please provide more context to make it unique. Occurrences start at lines 1, 1.",
    ],
    ["empty", "a", [edit("", "x")], "oldText must not be empty in f.txt."],
    ["empty, of several", "a", [edit("a", "b"), edit("", "x")], "edits[1].oldText must not be empty in f.txt."],
    [
      "no change",
      "a",
      [edit("a", "a")],
      "No changes made to f.txt. The replacement produced identical content. This might indicate an issue with special characters or the text not existing as expected.",
    ],
    [
      "no change, of several",
      "a b",
      [edit("a", "a"), edit("b", "b")],
      "No changes made to f.txt. The replacements produced identical content.",
    ],
    [
      "overlap, named in order of position",
      "abc",
      [edit("bc", "x"), edit("ab", "y")],
      "edits[1] and edits[0] overlap in f.txt. Merge them into one edit or target disjoint regions.",
    ],
  ])("%s", async (_name, content, edits, message) => {
    expect(await failure(content, ...edits)).toBe(message);
  });

  it("name at most ten places", async () => {
    expect(await failure("x\n".repeat(12), edit("x", "y"))).toMatch(/lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, \.\.\.\.$/);
  });
});

describe("hints for an old text that is not there", () => {
  const lines = Array.from({ length: 40 }, (_, i) => `  const value${i + 1} = compute(${i + 1});`);
  lines.push('  say("value41")');
  const content = `${lines.join("\n")}\n`;

  it.each([
    [
      "indentation",
      "    const value7 = compute(7);\n    const value8 = compute(8);",
      "The difference is in indentation.",
      7,
    ],
    ["case", "  const Value7 = compute(7);", "The difference is in upper and lower case.", 7],
    [
      "tabs",
      "\tconst value9 = compute(9);\n\tconst value10 = compute(10);",
      "The difference is tabs against spaces.",
      9,
    ],
    ["blanks inside", "  const value9=compute(9);", "The difference is in whitespace.", 9],
    ["quotes", "  say('value41')", "The difference is in quotes.", 41],
    ["quotes and blanks", "say( `value41` )", "The difference is in whitespace and quotes.", 41],
  ])("name the kind: %s", async (_name, oldText, kind, line) => {
    const message = await failure(content, edit(oldText, "x"));
    expect(message).toContain(kind);
    expect(message).toContain(`${line}: ${lines[line - 1]}\n`.trimEnd());
    expect(message).toContain("\n\nClosest text in the file:\n");
  });

  it("show at most ten numbered lines", async () => {
    const oldText = lines.slice(4, 24).join("\n").replace("compute(10)", "calculate(10)");
    const message = await failure(content, edit(oldText, "x"));
    const shown = message.split("Closest text in the file:\n")[1];
    expect(shown?.split("\n")).toEqual(lines.slice(4, 14).map((line, i) => `${String(i + 5).padStart(2)}: ${line}`));
  });

  it("recognise escapes that were written out", async () => {
    expect(await failure("a\nb\n", edit("a\\nb", "x"))).toContain("literal \\n");
  });

  const applied = (line: number) =>
    `The new text is in the file already (line ${line}), so this edit may be already applied.`;
  it.each([
    ["a part of a line", "new thing, and more\n", edit("old thing", "new thing"), 1],
    ["several lines", "f() {\n  return 2;\n}\n", edit("f() {\n  return 1;\n}", "f() {\n  return 2;\n}"), 1],
    ["a short line", "a\nab\nb\n", edit("zzz", "b"), 3],
    ["lines with their end", "a\nb\n", edit("z\n", "b\n"), 2],
    ["a line that was shortened", "f(1, 2);\nf(1);\n", edit("f(1);  // why", "f(1);"), 2],
    ["CRLF", "a\r\nnew\r\n", edit("old\r\n", "new\r\n"), 2],
  ])("say that an edit may be already applied: %s", async (_name, file, given, line) => {
    expect(await failure(file, given)).toContain(`newlines. ${applied(line)}`);
  });

  it.each([
    ["nothing is put in", "a b\n", edit("zzz", "")],
    ["a blank is put in", "a b\n", edit("zzz", " ")],
    ["few letters stand anywhere", "about\n", edit("zzz", "b")],
    ["the new text is what both share", "call(one, two);\n", edit("call(one, three)", "call(one")],
  ])("do not say so where %s", async (_name, file, given) => {
    expect(await failure(file, given)).not.toContain("already");
  });

  it("say that an empty file is empty", async () => {
    expect(await failure("", edit("a", "x"))).toContain("The file is empty. Use write");
  });

  it("are silent when nothing is close", async () => {
    expect(await failure(content, edit("completely different 語", "x"))).toMatch(/newlines\.$/);
  });
});

/** A slow model: split at the places of the old texts and put the parts together again. */
function modelApply(content: string, edits: readonly { oldText: string; newText: string }[]): string {
  let parts: (string | { replaced: string })[] = [content];
  for (const { oldText, newText } of edits) {
    parts = parts.flatMap((part) => {
      if (typeof part !== "string") return [part];
      const [before, ...after] = part.split(oldText);
      return after.length === 0 ? [part] : [before ?? "", { replaced: newText }, after.join(oldText)];
    });
  }
  return parts.map((part) => (typeof part === "string" ? part : part.replaced)).join("");
}

describe("random files and random valid edits", () => {
  // Every line begins with its own number, so that whole lines are unique old texts.
  const tail = fc.array(fc.constantFrom(..."ab \t“é漢😀-"), { maxLength: 6 }).map((parts) => parts.join(""));
  const file = fc.array(fc.tuple(tail, fc.constantFrom("\n", "\r\n")), { minLength: 1, maxLength: 12 });
  const replacement = fc.array(fc.constantFrom("x", "“", "\n", "y "), { maxLength: 5 }).map((parts) => parts.join(""));
  const plan = fc.array(fc.tuple(fc.nat(11), fc.integer({ min: 1, max: 3 }), replacement), {
    minLength: 1,
    maxLength: 4,
  });

  it("equal the model, and every line outside the edits keeps its bytes", async () => {
    await fc.assert(
      fc.asyncProperty(file, plan, fc.boolean(), async (rows, steps, bom) => {
        const lines = rows.map(([text, ending], i) => ({ text: `#${i}:${text}`, ending }));
        const original = (bom ? "\uFEFF" : "") + lines.map(({ text, ending }) => text + ending).join("");
        const taken = new Set<number>();
        const edits = [];
        for (const [from, count, newText] of steps) {
          const range = lines.map((_, i) => i).slice(from, from + count);
          if (range.length === 0 || range.some((i) => taken.has(i))) continue;
          for (const i of range) taken.add(i);
          edits.push(edit(range.map((i) => lines[i]?.text).join("\n"), newText));
        }
        const expected = modelApply(normalizeToLF(original), edits);
        fc.pre(edits.length > 0 && expected !== normalizeToLF(original));
        // A trailing fuzzy twin cannot exist: every old text begins with its line's number.
        const { text, matches } = await apply(original, ...edits);
        expect(normalizeToLF(text)).toBe(expected);
        expect(matches.every((match) => !match.fuzzy)).toBe(true);
        for (const [i, { text: line, ending }] of lines.entries()) {
          if (!taken.has(i)) expect(text).toContain(line + ending);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("survive typographic damage to the old text without touching anything else", async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.nat(11), replacement, async (rows, at, newText) => {
        const lines = rows.map(([text, ending], i) => ({ text: `#${i}: \u2018q\u2019 ${text}.`, ending }));
        const index = at % lines.length;
        const original = lines.map(({ text, ending }) => text + ending).join("");
        const oldText = `#${index}: 'q'`;
        const { text, matches } = await apply(original, edit(oldText, newText));
        expect(matches[0]?.fuzzy).toBe(true);
        const ending = lines[index]?.ending ?? "\n";
        expect(text).toBe(original.replace(`#${index}: \u2018q\u2019`, () => newText.replaceAll("\n", ending)));
      }),
      { numRuns: 500 },
    );
  });
});

describe("repetitive files", () => {
  const many = (edits: { oldText: string; newText: string }[]) => failure("0".repeat(400_000), ...edits);

  // Comparing at every place takes minutes.
  it("are counted in linear time", { timeout: 20_000 }, async () => {
    expect(await many([edit("0".repeat(200_000), "x")])).toMatch(/^Found 200001 occurrences of the text/);
    const line = `${"x".repeat(80)}\n`;
    expect(await failure(line.repeat(60_000), edit(line.repeat(1000), "x"))).toMatch(/^Found 59001 occurrences/);
  });

  it("and searched for what is like the old text", { timeout: 20_000 }, async () => {
    expect(await many([edit(`1${"0".repeat(200_000)}`, "x")])).toMatch(/^Could not find the exact text/);
    const line = `${"x".repeat(80)}\n`;
    const message = await failure(line.repeat(60_000), edit(`${line.repeat(2000)}Z`, "x"));
    expect(message).toContain("Closest text in the file:\n");
  });

  it("give way to an abort between edits", async () => {
    const controller = new AbortController();
    const edits = Array.from({ length: 1000 }, (_, i) => edit(`#${i};`, "x"));
    const content = edits.map(({ oldText }) => oldText).join("0".repeat(20_000));
    setTimeout(() => controller.abort(), 1);
    await expect(applyEdits(content, edits, "f.txt", controller.signal)).rejects.toThrow("Operation aborted");
  });
});
