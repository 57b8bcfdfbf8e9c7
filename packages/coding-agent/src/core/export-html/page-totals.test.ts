import { expect, it } from "vitest";
import { SessionManager } from "../session-manager.js";
import { Session } from "./page/session.js";
import { totalsOf } from "./page/totals.js";

it("the page counts what the session's own statistics count", () => {
  const manager = SessionManager.inMemory();
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 };
  const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10, cost };
  const assistant = { role: "assistant" as const, api: "a", provider: "p", model: "m", timestamp: 1 };
  const first = manager.appendMessage({ role: "user", content: "q", timestamp: 1 });
  manager.appendMessage({ ...assistant, content: [], usage, stopReason: "stop" });
  manager.appendUsage("cache_warm", "p", "m", usage);
  manager.appendCompaction("s", first, 10, undefined, false, usage);
  manager.branchWithSummary(first, "s", undefined, false, usage);
  manager.appendMessage({
    role: "toolResult",
    toolCallId: "c",
    toolName: "t",
    content: [],
    isError: false,
    usage,
    timestamp: 1,
  });
  const { tokens, cost: spent, userMessages, assistantMessages, toolResults } = manager.getStatistics();
  const totals = totalsOf(new Session({ entries: manager.getEntries() }).entries);
  const { total: _, ...kinds } = tokens;
  expect(totals).toMatchObject({
    ...kinds,
    cost: spent,
    user: userMessages,
    assistant: assistantMessages,
    toolResults,
    models: ["p/m"],
    requests: [{ tokens: 10, costSoFar: 0.5 }],
  });
});
