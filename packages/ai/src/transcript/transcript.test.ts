import { describe, expect, test } from "vitest";
import { getSystemMessageText, renderSystemMessageUpdate } from "../text/system-message-text.js";
import type { Message, SystemMessage, Tool } from "../types.js";
import {
  createInitialSystemMessage,
  getInitialSystemMessage,
  normalizeContext,
  withoutInitialSystemMessage,
} from "./context.js";
import {
  collapseSystemMessages,
  getCurrentSystemMessage,
  getCurrentSystemPrompt,
  getCurrentTools,
  resolveTranscript,
} from "./replay.js";
import {
  declarationsEqual,
  getDeclaredTools,
  getToolStateChanges,
  hasNonAdditiveToolChanges,
  hasToolRedefinitions,
  resolveTranscriptTools,
  toToolDeclaration,
} from "./tool-changes.js";

const tool = (name: string, description = name): Tool => ({ name, description, parameters: { type: "object" } });
const system = (fields: Partial<SystemMessage>): SystemMessage => ({
  role: "system",
  content: "",
  timestamp: 5,
  ...fields,
});
const user: Message = { role: "user", content: "hi", timestamp: 1 };
const [a, b, c] = [tool("a"), tool("b"), tool("c")];

const changing: Message[] = [
  system({ content: "Base", sections: { env: "linux", date: "monday" }, toolsAdded: [a, b] }),
  user,
  system({
    content: [{ type: "text", text: "More" }],
    sections: { date: null, skills: "x" },
    toolsRemoved: [{ name: "a" }],
    toolsAdded: [c],
  }),
  system({ sections: { env: "mac", date: "friday" }, toolsAdded: [a] }),
];

describe("normalizeContext", () => {
  test("prompt and tools move into a leading message", () => {
    expect(normalizeContext({ systemPrompt: "P", messages: [user], tools: [a] }).messages).toEqual([
      { role: "system", content: "P", toolsAdded: [a], timestamp: 0 },
      user,
    ]);
    expect(normalizeContext({ messages: [user], tools: [a] }).messages[0]).toEqual({
      role: "system",
      content: "",
      toolsAdded: [a],
      timestamp: 0,
    });
  });
  test("nothing to declare, no message; and it is idempotent", () => {
    expect(normalizeContext({ systemPrompt: "", messages: [user], tools: [] }).messages).toEqual([user]);
    expect(createInitialSystemMessage(undefined, undefined)).toBeUndefined();
    const once = normalizeContext({ systemPrompt: "P", messages: [user] });
    expect(normalizeContext(once).messages).toEqual(once.messages);
  });
  test("the leading message and the rest", () => {
    expect(getInitialSystemMessage(changing)).toBe(changing[0]);
    expect(getInitialSystemMessage([user])).toBeUndefined();
    expect(withoutInitialSystemMessage(changing)).toEqual(changing.slice(1));
    expect(withoutInitialSystemMessage([user])).toEqual([user]);
  });
});

describe("replay", () => {
  test("tools: removals, then additions, keyed by name", () => {
    expect(getCurrentTools(changing).map(({ name }) => name)).toEqual(["b", "c", "a"]);
    const redefined = [...changing, system({ toolsAdded: [tool("b", "new")] })];
    expect(getCurrentTools(redefined).map(({ description }) => description)).toEqual(["new", "c", "a"]);
    expect(getCurrentTools([{ role: "custom" }, user])).toEqual([]);
  });
  test("prompt: contents, then surviving sections in first-insertion order", () => {
    expect(getCurrentSystemPrompt(changing)).toBe("Base\n\nMore\n\nmac\n\nx\n\nfriday");
    expect(getCurrentSystemPrompt([user])).toBe("");
  });
  test("collapse keeps one leading message with the same state", () => {
    const transcript = normalizeContext({ messages: changing });
    const collapsed = collapseSystemMessages(transcript);
    expect(collapsed.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(getCurrentSystemPrompt(collapsed.messages)).toBe(getCurrentSystemPrompt(changing));
    expect(getCurrentTools(collapsed.messages)).toEqual(getCurrentTools(changing));
    expect(collapseSystemMessages(collapsed)).toBe(collapsed);
    expect(resolveTranscript(transcript, true)).toBe(transcript);
    expect(resolveTranscript(transcript, false)).toEqual(collapsed);
  });
  test("an empty state is no message", () => {
    expect(getCurrentSystemMessage([system({})])).toBeUndefined();
    const emptied = normalizeContext({
      messages: [user, system({ toolsAdded: [a] }), system({ toolsRemoved: [{ name: "a" }] })],
    });
    expect(collapseSystemMessages(emptied).messages).toEqual([user]);
  });
});

describe("tool changes", () => {
  test("declarations", () => {
    const executable = { ...a, execute: () => 1, label: "A" };
    expect(toToolDeclaration(executable)).toEqual(a);
    expect(declarationsEqual(a, executable)).toBe(true);
    expect(declarationsEqual({ ...a, parameters: { x: 1, y: [2] } }, { ...a, parameters: { y: [2], x: 1 } })).toBe(
      true,
    );
    expect(declarationsEqual({ ...a, parameters: { y: [2] } }, { ...a, parameters: { y: [3] } })).toBe(false);
    expect(declarationsEqual(a, { ...a, constrainedSampling: false })).toBe(false);
  });
  test("from one list to another", () => {
    expect(getToolStateChanges([a, b], [tool("b", "new"), c])).toEqual({
      toolsAdded: [tool("b", "new"), c],
      toolsRemoved: [{ name: "a" }],
    });
    expect(getToolStateChanges([a], [{ ...a }])).toEqual({ toolsAdded: [], toolsRemoved: [] });
  });
  test("questions about a transcript", () => {
    expect(getDeclaredTools(changing).map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(hasToolRedefinitions(changing)).toBe(false);
    expect(hasToolRedefinitions([...changing, system({ toolsAdded: [tool("c", "new")] })])).toBe(true);
    expect(hasNonAdditiveToolChanges(changing)).toBe(true);
    expect(hasNonAdditiveToolChanges([changing[0] as Message, system({ toolsAdded: [c] })])).toBe(false);
  });
  test.each([
    ["none", ["b", "c", "a"], 3],
    ["additions", ["b", "c"], 2],
    ["changes", ["a", "b"], 1],
  ] as const)("with support for %s", (support, names, folded) => {
    const { requestTools, foldedSystemMessages } = resolveTranscriptTools(changing, support);
    expect(requestTools.map(({ name }) => name)).toEqual(names);
    expect(foldedSystemMessages).toBe(folded);
  });
});

describe("system message texts", () => {
  test("by itself and as an update", () => {
    const message = system({ content: "C", sections: { one: "1", two: null } });
    expect(getSystemMessageText(message)).toBe("C\n\n1");
    expect(renderSystemMessageUpdate(message)).toBe(
      'C\n\nUpdated system prompt section "one":\n\n1\n\nRemoved system prompt section "two".',
    );
    expect(renderSystemMessageUpdate(system({ toolsAdded: [a] }))).toBe("");
  });
});
