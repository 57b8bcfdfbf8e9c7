import { describe, expect, test } from "vitest";
import type { Message, Model, ThinkingLevelMap, Usage } from "../types.js";
import { clampToContext, estimateContextTokens } from "./context-estimate.js";
import { calculateCost, emptyUsage } from "./cost.js";
import { hasApi, modelsAreEqual } from "./identity.js";
import { clampThinkingLevel, getSupportedThinkingLevels, thinkingBudget } from "./thinking-levels.js";

const usage = (fields: Partial<Usage>): Usage => ({ ...emptyUsage(), ...fields });

describe("cost", () => {
  const rates = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 };
  const tiers = [
    { inputTokensAbove: 200, input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5 },
    { inputTokensAbove: 100, input: 3, output: 15, cacheRead: 0.3, cacheWrite: 4 },
  ];
  test.each<[string, Partial<Usage>, number]>([
    ["base rates", { input: 1e6, output: 1e6, cacheRead: 1e6, cacheWrite: 1e6 }, 14.7],
    ["an hour in the cache", { cacheWrite: 1e6, cacheWrite1h: 5e5 }, 1.25 + 2],
  ])("%s", (_name, fields, total) => {
    const filled = usage(fields);
    expect(calculateCost({ cost: rates }, filled).total).toBeCloseTo(total, 10);
    expect(filled.cost).toMatchObject({ totalFromProvider: false });
  });
  test("the highest tier exceeded, cache included", () => {
    const cost = { ...rates, tiers };
    const inputCost = (fields: Partial<Usage>): number => calculateCost({ cost }, usage(fields)).output * 1e6;
    expect(inputCost({ input: 100, output: 1 })).toBeCloseTo(10);
    expect(inputCost({ input: 50, cacheRead: 51, output: 1 })).toBeCloseTo(15);
    expect(inputCost({ input: 50, cacheWrite: 151, output: 1 })).toBeCloseTo(20);
  });
});

describe("thinking levels", () => {
  const model = (thinkingLevelMap?: ThinkingLevelMap, reasoning = true) =>
    thinkingLevelMap ? { reasoning, thinkingLevelMap } : { reasoning };
  test.each([
    [model(undefined, false), ["off"]],
    [model(), ["off", "minimal", "low", "medium", "high"]],
    [model({ off: null, minimal: null, xhigh: "xhigh", max: "max" }), ["low", "medium", "high", "xhigh", "max"]],
    [model({ max: null }), ["off", "minimal", "low", "medium", "high"]],
  ])("%j", (target, levels) => {
    expect(getSupportedThinkingLevels(target)).toEqual(levels);
  });
  test.each([
    [model(), "high", "high"],
    [model(), "max", "high"],
    [model({ off: null }), "off", "minimal"],
    [model({ low: null }), "low", "medium"],
    [model(undefined, false), "high", "off"],
  ] as const)("clamp %j %s: %s", (target, level, expected) => {
    expect(clampThinkingLevel(target, level)).toBe(expected);
  });
  test("budgets", () => {
    expect(
      (["minimal", "low", "medium", "high", "xhigh", "max"] as const).map((level) => thinkingBudget(level, undefined)),
    ).toEqual([1024, 2048, 8192, 16_384, 16_384, 16_384]);
    expect(thinkingBudget("max", { high: 5 })).toBe(5);
  });
});

test("identity", () => {
  const a = { id: "m", provider: "p" };
  expect(modelsAreEqual(a, { ...a, type: "chat" })).toBe(true);
  expect(modelsAreEqual(a, { ...a, type: "image" })).toBe(false);
  expect(modelsAreEqual(a, { ...a, provider: "q" })).toBe(false);
  expect(modelsAreEqual(a, undefined)).toBe(false);
  expect(modelsAreEqual(null, null)).toBe(false);
  expect(hasApi({ api: "anthropic-messages" } as Model, "anthropic-messages")).toBe(true);
});

describe("context", () => {
  const user = (length: number, timestamp = 1): Message => ({ role: "user", content: "x".repeat(length), timestamp });
  const answer = (totalTokens: number, timestamp: number, stopReason: "stop" | "error" = "stop"): Message => ({
    role: "assistant",
    content: [{ type: "text", text: "x".repeat(350) }],
    api: "x",
    provider: "p",
    model: "m",
    usage: usage({ totalTokens }),
    stopReason,
    timestamp,
  });
  test.each<[string, Message[], number]>([
    ["characters", [user(35)], 10],
    ["an image", [{ role: "user", content: [{ type: "image", data: "", mimeType: "" }], timestamp: 1 }], 1372],
    ["the last answer and what follows", [user(999), answer(500, 2), user(35, 3)], 510],
    ["not a failed one", [user(35), answer(500, 2, "error")], 110],
    ["not one without figures", [user(35), answer(0, 2)], 110],
    ["not one older than a message before it", [user(35, 9), answer(500, 2)], 110],
    ["prompt and tools", [{ role: "system", content: "x".repeat(33), toolsAdded: [], timestamp: 0 }], 10],
  ])("estimate: %s", (_name, messages, expected) => {
    expect(estimateContextTokens(messages)).toBe(expected);
  });
  test.each([
    [0, 35, 9999, 9999],
    [200_000, 350_000, 64_000, 64_000],
    [200_000, 350_000, 90_000, 200_000 - 100_000 - 15_000],
    [200_000, 560_000, 64_000, 32_768],
    [200_000, 672_000, 64_000, 200_000 - 192_000 - 4096],
    [200_000, 900_000, 64_000, 1],
  ])("window %i, %i characters, wanted %i: %i", (contextWindow, chars, wanted, expected) => {
    expect(clampToContext({ contextWindow }, [user(chars)], wanted)).toBe(expected);
  });
});
