import { expect, it } from "vitest";
import type { SessionEntry } from "../../../core/session-store/entries.js";
import { costLines } from "./session-text.js";

const usage = (total: number) => ({ usage: { cost: { total } } });
const answer = (model: string, total: number) =>
  ({
    type: "message",
    message: { role: "assistant", provider: "p", model, ...usage(total) },
  }) as unknown as SessionEntry;
const other = (entry: object) => entry as SessionEntry;

it.each<[string, SessionEntry[], number, string[]]>([
  ["nothing", [], 0, []],
  ["a model that costs nothing", [answer("free", 0)], 0, []],
  [
    "the dearest first",
    [answer("a", 0.1), answer("b", 0.5), answer("a", 0.2)],
    0.8,
    ["  p/b: $0.5000", "  p/a: $0.3000"],
  ],
  [
    "entries of other kinds",
    [
      answer("a", 0.1),
      other({ type: "usage", provider: "p", model: "a", ...usage(0.1) }),
      other({ type: "compaction", ...usage(0.25) }),
      other({ type: "message", message: { role: "toolResult", ...usage(0.25) } }),
      other({ type: "model_change", provider: "p", modelId: "z" }),
      other({ type: "message", message: { role: "user", content: "x" } }),
    ],
    0.7,
    ["  p/a: $0.2000", "  summaries and tools: $0.5000"],
  ],
])("cost per model: %s", (_what, entries, total, lines) => {
  expect(costLines(entries, total)).toEqual(lines);
});
