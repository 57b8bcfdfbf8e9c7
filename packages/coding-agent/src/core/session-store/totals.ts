import type { LineFacts } from "./line-facts.js";

/** Figures over all entries of a session, whatever their branch. Source: sessions.md section 7. */
export interface SessionTotals {
  totalMessages: number;
  userMessages: number;
  assistantMessages: number;
  toolResults: number;
  toolCalls: number;
  tokens: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
  /** US dollars. */
  cost: number;
}

/** Keeps the totals up to date, entry by entry. */
export class TotalsCounter {
  #messages = 0;
  #toolCalls = 0;
  readonly #byRole = { user: 0, assistant: 0, toolResult: 0 };
  readonly #usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  #cost = 0;

  add({ type, role, usage, toolCalls }: LineFacts): void {
    if (type === "message") this.#messages++;
    if (role === "user" || role === "assistant" || role === "toolResult") this.#byRole[role]++;
    this.#toolCalls += toolCalls;
    if (!usage) return;
    this.#usage.input += usage.input;
    this.#usage.output += usage.output;
    this.#usage.cacheRead += usage.cacheRead;
    this.#usage.cacheWrite += usage.cacheWrite;
    this.#cost += usage.cost;
  }

  get(): SessionTotals {
    const { input, output, cacheRead, cacheWrite } = this.#usage;
    return {
      totalMessages: this.#messages,
      userMessages: this.#byRole.user,
      assistantMessages: this.#byRole.assistant,
      toolResults: this.#byRole.toolResult,
      toolCalls: this.#toolCalls,
      tokens: { ...this.#usage, total: input + output + cacheRead + cacheWrite },
      cost: this.#cost,
    };
  }
}
