import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entryLine } from "./entry-text.js";
import { Session } from "./session.js";
import { type TreeFilter, treeFilters } from "./tree-filter.js";
import { targetOf } from "./tree-panel.js";
import { TreeRows } from "./tree-rows.js";

/** One of each kind, in one chain. */
const kinds: [string, object][] = [
  ["model", { type: "model_change", provider: "p", modelId: "m" }],
  ["level", { type: "thinking_level_change", thinkingLevel: "high" }],
  ["user", { type: "message", message: { role: "user", content: "Fix the Parser" } }],
  [
    "calls",
    { type: "message", message: { role: "assistant", content: [{ type: "toolCall", id: "c", name: "bash" }] } },
  ],
  ["result", { type: "message", message: { role: "toolResult", toolName: "bash", content: "out" } }],
  [
    "broken calls",
    {
      type: "message",
      message: { role: "assistant", stopReason: "aborted", content: [{ type: "toolCall", id: "d", name: "ls" }] },
    },
  ],
  ["answer", { type: "message", message: { role: "assistant", content: [{ type: "text", text: "parser fixed" }] } }],
  ["usage", { type: "usage", usage: {} }],
  ["custom", { type: "custom", customType: "x" }],
  ["shown", { type: "custom_message", customType: "note", content: "hello", display: true }],
  ["compaction", { type: "compaction", summary: "what was said" }],
  ["branch", { type: "branch_summary", summary: "elsewhere" }],
  ["edit", { type: "context_edit", targetId: "user", replacement: null }],
  ["label", { type: "label", targetId: "answer", label: "good" }],
  ["name", { type: "session_info", name: "n" }],
  ["later", { type: "something_new" }],
];
const session = new Session({
  entries: kinds.map(([id, fields], at) => ({ id, parentId: at === 0 ? null : kinds[at - 1]?.[0], ...fields })),
});
const source = new TreeRows(session);
const shown = (filter: TreeFilter, words: string[] = [], leaf = 4) =>
  source.rows(filter, words, leaf).map(({ at }) => session.entries[at]?.id);

describe("what the tree shows", () => {
  const talk = ["user", "result", "broken calls", "answer", "shown", "compaction", "branch", "later"];

  it.each<[TreeFilter, string[]]>([
    ["default", talk],
    ["no-tools", talk],
    ["user-only", ["user", "result"]],
    ["labeled-only", ["result", "answer"]],
    ["all", kinds.map(([id]) => id).filter((id) => id !== "usage")],
  ])("%s: the leaf, and %j", (filter, expected) => {
    // The leaf is a tool result here: it shows whatever the filter.
    expect(shown(filter)).toEqual(expected);
  });

  it("no-tools: no results but the leaf", () => {
    expect(shown("no-tools", [], 6)).toEqual(talk.filter((id) => id !== "result"));
  });

  it.each<[string[], string[]]>([
    [["PARSER"], ["user", "answer"]],
    [["parser", "fixed"], ["answer"]],
    [["good"], ["answer"]],
    [["bash"], ["result"]],
    [["nowhere"], []],
  ])("words %j: in whatever case, all of them: %j", (words, expected) => {
    expect(shown("default", words)).toEqual(expected);
  });

  it("has one line for every kind of entry", () => {
    expect(session.entries.map((entry) => Object.values(entryLine(entry)).join(" "))).toEqual([
      "model p/m",
      "thinking high",
      "user Fix the Parser",
      "assistant calls bash",
      "bash out",
      "assistant calls ls",
      "assistant parser fixed",
      "usage ",
      "custom x",
      "note hello",
      "compaction what was said",
      "branch elsewhere",
      "edit taken out of the context",
      "label good",
      "name n",
      "something_new ",
    ]);
  });

  it("has lines of one line, without terminal codes", () => {
    const text = "\u001b[31mred\u001b[0m\n\n\tnext\u001b]0;title\u0007";
    const [entry] = new Session({ entries: [{ type: "message", message: { role: "user", content: text } }] }).entries;
    expect(entry && entryLine(entry).text).toBe("red next");
  });

  it("shows every entry once, each below the one it follows, whatever the parents", () => {
    const parents = fc.array(fc.option(fc.nat({ max: 15 }), { nil: null }), { maxLength: 15 });
    fc.assert(
      fc.property(parents, fc.constantFrom(...treeFilters), (links, filter) => {
        const own = new Session({
          entries: links.map((parent, at) => ({
            type: "message",
            id: `e${at}`,
            parentId: parent === null ? null : `e${parent}`,
            message: { role: at % 2 === 0 ? "user" : "assistant", content: "x" },
          })),
        });
        const rows = new TreeRows(own).rows(filter, [], own.leaf);
        const places = rows.map(({ at }) => at);
        expect(new Set(places).size).toBe(places.length);
        if (filter === "all") expect(places.toSorted((a, b) => a - b)).toEqual([...links.keys()]);
        for (const [index, { at, depth }] of rows.entries()) {
          expect(depth).toBeGreaterThanOrEqual(0);
          const parent = own.entries[at]?.parent ?? -1;
          const isCircle = own.path(at)[0]?.parent !== -1;
          if (filter === "all" && parent >= 0 && !isCircle) expect(places.indexOf(parent)).toBeLessThan(index);
        }
      }),
    );
  });

  it("indents where the conversation parts, not with its length", () => {
    const entry = (id: string, parentId: string | null) => ({ type: "compaction", id, parentId });
    const own = new Session({
      entries: [entry("a", null), entry("b", "a"), entry("c", "b"), entry("d", "b"), entry("e", "c")],
    });
    expect(new TreeRows(own).rows("all", [], 4)).toEqual([
      { at: 0, depth: 0 },
      { at: 1, depth: 0 },
      { at: 2, depth: 1 },
      { at: 4, depth: 1 },
      { at: 3, depth: 1 },
    ]);
  });
});

describe("keys in the tree", () => {
  const rows = [0, 0, 1, 1, 1, 0].map((depth, at) => ({ at, depth }));

  it.each<[string, number, number | undefined]>([
    ["ArrowDown", 1, 2],
    ["ArrowUp", 1, 0],
    ["PageDown", 1, 4],
    ["PageUp", 4, 1],
    ["Home", 4, 0],
    ["End", 1, 5],
    ["ArrowLeft", 4, 1],
    ["ArrowLeft", 1, -1],
    ["ArrowRight", 0, 2],
    ["ArrowRight", 5, 5],
    ["x", 1, undefined],
  ])("%s on row %i leads to %s", (key, from, to) => {
    expect(targetOf(key, rows, from, 3)).toBe(to);
  });
});
