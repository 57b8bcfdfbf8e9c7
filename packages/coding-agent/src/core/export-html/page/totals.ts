import { fields, number, text } from "./fields.js";
import type { Entry } from "./session.js";

/** One request to a model, as the chart shows it. */
export interface RequestFigures {
  /** Tokens that were sent and received. */
  tokens: number;
  /** US dollars up to and with this request. */
  costSoFar: number;
}

/** Figures over all entries of the file, whatever their branch. Source: sessions.md section 7. */
export interface Totals {
  user: number;
  assistant: number;
  toolResults: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cost: number;
  models: string[];
  requests: RequestFigures[];
}

export function totalsOf(entries: readonly Entry[]): Totals {
  const totals: Totals = {
    user: 0,
    assistant: 0,
    toolResults: 0,
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    cost: 0,
    models: [],
    requests: [],
  };
  const models = new Set<string>();
  for (const entry of entries) {
    if (entry.role === "user") totals.user++;
    if (entry.role === "toolResult") totals.toolResults++;
    const spent = add(totals, usageOf(entry));
    if (entry.role !== "assistant") continue;
    totals.assistant++;
    models.add(`${text(entry.message["provider"])}/${text(entry.message["model"])}`);
    if (spent > 0) totals.requests.push({ tokens: spent, costSoFar: totals.cost });
  }
  totals.models = [...models];
  return totals;
}

function usageOf({ type, role, message, fields: entry }: Entry): unknown {
  if (role === "assistant" || role === "toolResult") return message["usage"];
  return type === "usage" || type === "compaction" || type === "branch_summary" ? entry["usage"] : undefined;
}

/** Returns the tokens. */
function add(totals: Totals, value: unknown): number {
  const usage = fields(value);
  const [input, output, cacheRead, cacheWrite] = ["input", "output", "cacheRead", "cacheWrite"].map((name) =>
    number(usage[name]),
  ) as [number, number, number, number];
  totals.input += input;
  totals.output += output;
  totals.cacheRead += cacheRead;
  totals.cacheWrite += cacheWrite;
  totals.cost += number(fields(usage["cost"])["total"]);
  return input + output + cacheRead + cacheWrite;
}
