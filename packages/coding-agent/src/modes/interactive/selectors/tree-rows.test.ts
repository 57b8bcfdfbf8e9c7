import { describe, expect, it } from "vitest";
import { SessionManager } from "../../../core/session-manager.js";
import { type TreeView, treeRows } from "./tree-rows.js";

const usage = {
  ...{ input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
const user = (text: string) => ({ role: "user" as const, content: text, timestamp: 1 });
const assistant = (text: string, more: object = {}) => ({
  role: "assistant" as const,
  content: text === "" ? [] : [{ type: "text" as const, text }],
  ...{ api: "x", provider: "p", model: "m", usage, stopReason: "stop" as const, timestamp: 1 },
  ...more,
});

/** A question with two answers; the second is the active one, and has a tool result. */
function example() {
  const session = SessionManager.inMemory("/work");
  const question = session.appendMessage(user("the question"));
  const first = session.appendMessage(assistant("first answer"));
  session.appendLabelChange(first, "good");
  session.branch(question);
  session.appendMessage(assistant(""));
  session.appendMessage({
    role: "toolResult",
    toolCallId: "c",
    toolName: "bash",
    content: [{ type: "text", text: "output" }],
    isError: false,
    timestamp: 1,
  });
  session.appendModelChange("p", "other");
  session.appendMessage(assistant("second\nanswer"));
  return session;
}

function rows(session: SessionManager, more: Partial<TreeView> = {}) {
  const view: TreeView = { filter: "default", query: "", folded: new Set(), leafId: session.getLeafId(), ...more };
  return treeRows(session.getTree(), view).map(
    ({ depth, isOnPath, label, text }) =>
      `${"  ".repeat(depth)}${isOnPath ? "• " : ""}${label === undefined ? "" : `[${label}] `}${text}`,
  );
}

describe("the rows of the tree", () => {
  it("has the active branch first, indents where it branches, and leaves out what says nothing", () => {
    expect(rows(example())).toEqual([
      "• user: the question",
      "  • [bash] output",
      "  • assistant: second answer",
      "  [good] assistant: first answer",
    ]);
  });

  it.each<[Partial<TreeView>, string[]]>([
    [
      { filter: "no-tools" },
      ["• user: the question", "  • assistant: second answer", "  [good] assistant: first answer"],
    ],
    [{ filter: "user-only" }, ["• user: the question"]],
    [{ filter: "labeled-only" }, ["  [good] assistant: first answer"]],
    [{ query: "ANSWER second" }, ["  • assistant: second answer"]],
    [{ query: "good" }, ["  [good] assistant: first answer"]],
  ])("%j", (more, expected) => {
    expect(rows(example(), more)).toEqual(expected);
  });

  it("has everything but usage in `all`", () => {
    expect(rows(example(), { filter: "all" })).toContain("  • [model] p/other");
  });

  it("hides what a fold covers", () => {
    const session = example();
    const question = session.getEntries()[0]?.id ?? "";
    expect(rows(session, { folded: new Set([question]) })).toEqual(["• user: the question"]);
  });

  it("goes as deep as a conversation is long", () => {
    const session = SessionManager.inMemory("/work");
    for (let at = 0; at < 20_000; at++) session.appendMessage(user(`${at}`));
    expect(rows(session)).toHaveLength(20_000);
  });
});
