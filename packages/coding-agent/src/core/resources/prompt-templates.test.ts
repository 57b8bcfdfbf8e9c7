import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parsePromptArguments, substitutePromptArguments } from "./prompt-arguments.js";
import { expandPromptTemplate, loadPromptTemplates } from "./prompt-templates.js";
import type { PromptTemplate } from "./resource-types.js";

describe("arguments", () => {
  it.each<[string, string[]]>([
    ["", []],
    ["  a  b\n c ", ["a", "b", "c"]],
    ['"a b" c', ["a b", "c"]],
    ["'a b'", ["a b"]],
    ['""', [""]],
    ['"say \\"hi\\"" x', ['say "hi"', "x"]],
    ["'it\\'s' x", ["it's", "x"]],
    ['"it\\\'s"', ["it\\'s"]],
    ['"open end', ['"open', "end"]],
    ['a"b c"d', ['a"b', 'c"d']],
    ["it's fine", ["it's", "fine"]],
  ])("%j", (text, expected) => {
    expect(parsePromptArguments(text)).toEqual(expected);
  });

  it.each<[string, string[], string]>([
    ["$1-$2-$3", ["a", "b"], "a-b-"],
    ["$10 $1", ["a"], " a"],
    ["$@ | $ARGUMENTS", ["a b", "c"], "a b c | a b c"],
    [`\${1:-x} \${2:-y} \${3:-}`, ["a", ""], "a y "],
    [`\${@:-none} \${ARGUMENTS:-none}`, [], "none none"],
    [`\${@:2} | \${@:0} | \${@:2:1} | \${@:9}`, ["a", "b", "c"], "b c | a b c | b | "],
    ["$0 $ $x $ARGUMENTSX", ["a"], " $ $x $ARGUMENTSX"],
    ["$1", ["$2", "b"], "$2"],
    [`\${1:-a}b}`, [], "ab}"],
  ])("%j with %j", (content, values, expected) => {
    expect(substitutePromptArguments(content, values)).toBe(expected);
  });

  it("are those of a line that calls a template", () => {
    const template = { name: "fix", content: "Fix $1 in $2" } as PromptTemplate;
    expect(expandPromptTemplate('/fix "the bug" a.ts', [template])).toBe("Fix the bug in a.ts");
    expect(expandPromptTemplate("/fix", [template])).toBe("Fix  in ");
    expect(expandPromptTemplate("/fixed x", [template])).toBe("/fixed x");
    expect(expandPromptTemplate("say /fix", [template])).toBe("say /fix");
  });
});

describe("templates on disk", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "pi-prompts-"));
    mkdirSync(join(dir, "a", "deep"), { recursive: true });
    mkdirSync(join(dir, "b"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const write = (name: string, text: string) => writeFileSync(join(dir, name), text);
  const sourceInfo = { source: "auto", scope: "user", origin: "top-level" } as const;

  it("are the Markdown files of a folder, the first of a name wins, broken ones are told of", () => {
    write("a/one.md", '---\ndescription: First\nargument-hint: "<file>"\n---\n\nDo $1\n');
    write("a/two.md", `\n  ${"x".repeat(70)}\nmore`);
    write("a/broken.md", "---\na: [\n---\nx");
    write("a/deep/three.md", "deep");
    write("a/note.txt", "no");
    write("b/one.md", "other");
    symlinkSync(join(dir, "a", "two.md"), join(dir, "b", "again.md"));
    symlinkSync("/nowhere", join(dir, "b", "gone.md"));
    const { prompts, diagnostics } = loadPromptTemplates([
      { path: join(dir, "a"), isNamed: false, sourceInfo },
      { path: join(dir, "b"), isNamed: false, sourceInfo },
    ]);
    expect(prompts).toEqual([
      {
        name: "one",
        description: "First",
        argumentHint: "<file>",
        content: "\nDo $1\n",
        filePath: join(dir, "a/one.md"),
        sourceInfo: { ...sourceInfo, path: join(dir, "a/one.md"), baseDir: join(dir, "a") },
      },
      expect.objectContaining({ name: "two", description: `${"x".repeat(60)}...` }),
    ]);
    expect(diagnostics).toEqual([
      expect.objectContaining({ type: "warning", path: join(dir, "a/broken.md") }),
      {
        type: "collision",
        message: 'name "/one" collision',
        path: join(dir, "b/one.md"),
        collision: {
          resourceType: "prompt",
          name: "one",
          winnerPath: join(dir, "a/one.md"),
          loserPath: join(dir, "b/one.md"),
        },
      },
    ]);
  });

  it("named ones that are missing are told of, missing folders are not", () => {
    const sources = [
      { path: join(dir, "x.md"), isNamed: true, sourceInfo },
      { path: join(dir, "none"), isNamed: false, sourceInfo },
    ];
    expect(loadPromptTemplates(sources)).toEqual({
      prompts: [],
      diagnostics: [{ type: "warning", message: "prompt template path does not exist", path: join(dir, "x.md") }],
    });
  });
});
