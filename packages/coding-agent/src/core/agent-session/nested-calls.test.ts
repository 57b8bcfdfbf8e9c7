import type { ToolResultMessage } from "@earendil-works/pi-ai";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NestedCalls } from "./nested-calls.js";

const result = (toolCallId: string): ToolResultMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "outer",
  content: [],
  isError: false,
  timestamp: 0,
});
const usage = (input: number) => ({
  input,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: input,
  cost: { input, output: 0, cacheRead: 0, cacheWrite: 0, total: input },
});

describe("calls of tools by tools", () => {
  it("belong to the result of the call of the model, calls of calls too; what has not ended says so", () => {
    const nested = new NestedCalls();
    const first = nested.begin("a/1", "a", "inner", { x: 1 });
    const second = nested.begin("a/1/1", "a/1", "deeper", {});
    nested.begin("a/2", "a", "slow", {});
    nested.begin("b/1", "b", "other", {});
    second({ isError: true, text: "no", usage: usage(2) });
    first({ isError: false, durationMs: 5, text: "yes", usage: usage(1) });
    const message = { ...result("a"), usage: usage(4) };
    nested.addTo(message);
    expect(message.nestedCalls).toEqual({
      complete: true,
      calls: [
        { id: "a/1", name: "inner", arguments: { x: 1 }, status: "ok", durationMs: 5 },
        { id: "a/1/1", name: "deeper", arguments: {}, status: "error", error: "no" },
        { id: "a/2", name: "slow", arguments: {}, status: "unfinished" },
      ],
    });
    expect(message.usage).toMatchObject({ input: 7, cost: { total: 7 } });
    const none = result("c");
    nested.addTo(none);
    expect(none).toEqual(result("c"));
    nested.clear();
    const late = result("b");
    nested.addTo(late);
    expect(late.nestedCalls).toBeUndefined();
  });

  it("are bounded in number and in the bytes of their arguments, whatever is called", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 12_000 }), { maxLength: 300 }), (lengths) => {
        const nested = new NestedCalls();
        for (const [at, length] of lengths.entries()) nested.begin(`p/${at}`, "p", "t", "é".repeat(length / 2));
        const message = result("p");
        nested.addTo(message);
        const { calls = [], complete = true } = message.nestedCalls ?? {};
        expect(calls).toHaveLength(Math.min(256, lengths.length));
        expect(complete).toBe(lengths.length <= 256);
        const sizes = calls.map((call) => Buffer.byteLength(JSON.stringify(call.arguments) ?? ""));
        expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(8 * 1024);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(32 * 1024);
        for (const call of calls) expect("arguments" in call).not.toBe("argumentsBytes" in call);
      }),
      { numRuns: 30 },
    );
  });

  it("keep arguments as they were, and do without those that are no JSON", () => {
    const nested = new NestedCalls();
    const args = { path: "a" };
    nested.begin("p/1", "p", "t", args);
    args.path = "changed";
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    nested.begin("p/2", "p", "t", circle);
    const message = result("p");
    nested.addTo(message);
    expect(message.nestedCalls?.calls).toEqual([
      { id: "p/1", name: "t", arguments: { path: "a" }, status: "unfinished" },
      { id: "p/2", name: "t", status: "unfinished" },
    ]);
  });
});
