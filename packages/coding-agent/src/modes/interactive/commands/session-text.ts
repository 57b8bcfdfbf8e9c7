import { existsSync } from "node:fs";
import type { AgentSession } from "../../../core/agent-session.js";
import type { SessionEntry } from "../../../core/session-store/entries.js";
import { tokenText } from "../footer/token-text.js";

/** What there is to know about a session, in lines. Reads all of it. Source: tui.md section B5. */
export function sessionText(session: AgentSession): string {
  const stats = session.getSessionStats();
  const { tokens } = stats;
  const file = stats.sessionFile;
  const count = (label: string, value: number) => `${label}: ${value.toLocaleString("en-US")}`;
  const input = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  const isCached = tokens.cacheRead + tokens.cacheWrite > 0;
  return [
    ...(session.sessionName === undefined ? [] : [`Name: ${session.sessionName}`]),
    `File: ${file === undefined ? "in memory" : existsSync(file) ? file : `${file} (not written yet)`}`,
    `ID: ${stats.sessionId}`,
    "",
    count("Messages", stats.totalMessages),
    `  ${count("user", stats.userMessages)}, ${count("assistant", stats.assistantMessages)}, ${count("tool calls", stats.toolCalls)}`,
    "",
    `Tokens: ↑${tokenText(tokens.input)} ↓${tokenText(tokens.output)} R${tokenText(tokens.cacheRead)} W${tokenText(tokens.cacheWrite)}, total ${tokens.total.toLocaleString("en-US")}`,
    ...(isCached ? [`Cache: ${((100 * tokens.cacheRead) / input).toFixed(1)}% of the input was read from it`] : []),
    `Cost: ${dollars(stats.cost)}`,
    ...costLines(session.sessionManager.getEntries(), stats.cost),
  ].join("\n");
}

/** One line for each model that cost something, the dearest first, and one for what no model is named for. */
export function costLines(entries: readonly SessionEntry[], total: number): string[] {
  const costs = new Map<string, number>();
  for (const entry of entries) {
    const part = entry.type === "message" ? entry.message : entry;
    if (!("usage" in part && "model" in part && "provider" in part)) continue;
    const name = `${part.provider}/${part.model}`;
    costs.set(name, (costs.get(name) ?? 0) + part.usage.cost.total);
  }
  const named = [...costs].filter(([, cost]) => cost > 0).toSorted(([, a], [, b]) => b - a);
  const rest = total - named.reduce((sum, [, cost]) => sum + cost, 0);
  // Sums of fractions differ in their last digits.
  const others: [string, number][] = rest > 1e-9 ? [["summaries and tools", rest]] : [];
  return [...named, ...others].map(([name, cost]) => `  ${name}: ${dollars(cost)}`);
}

const dollars = (cost: number) => `$${cost.toFixed(4)}`;
