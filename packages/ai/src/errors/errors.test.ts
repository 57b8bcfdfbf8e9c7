import { describe, expect, test, vi } from "vitest";
import { emptyUsage } from "../models/cost.js";
import type { AssistantMessage } from "../types.js";
import { thrownText, withDeepestCause } from "./cause.js";
import { getOverflowPatterns, isContextOverflow, isRecoverableLength } from "./overflow.js";
import { retryAssistantCall, retryDelayMs } from "./retry.js";
import { isRetryableAssistantError } from "./retryable.js";

function message(fields: Partial<AssistantMessage>): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: "x",
    provider: "p",
    model: "m",
    usage: emptyUsage(),
    stopReason: "stop",
    timestamp: 1,
    ...fields,
  };
}
const failed = (errorMessage: string, provider = "p"): AssistantMessage =>
  message({ stopReason: "error", errorMessage, provider });
const used = (input: number, cacheRead: number, output: number) => ({ ...emptyUsage(), input, cacheRead, output });

describe("overflow", () => {
  test.each([
    ["400 prompt is too long: 213462 tokens > 200000 maximum", true],
    ["413 Request too large", true],
    ["resp API error (413): big", true],
    ["413", true],
    ["This model's maximum context length is 4097 tokens", true],
    ["The input token count (1) exceeds the maximum number", true],
    ["Requested token count exceeds the model's maximum context length of 131,072 tokens", true],
    ["context_length_exceeded", true],
    ["429 too many tokens, rate limit reached", false],
    ["Throttling error: Too many tokens, please wait", false],
    ["Something else", false],
    ["400 (no body)", false],
  ])("%s: %s", (text, expected) => {
    expect(isContextOverflow(failed(text))).toBe(expected);
  });
  test("cerebras says nothing", () => {
    expect(isContextOverflow(failed("400 status code (no body)", "cerebras"))).toBe(true);
    expect(isContextOverflow(failed("400 status code (no body)", "openai"))).toBe(false);
  });
  test("by the figures", () => {
    expect(isContextOverflow(message({ usage: used(90, 20, 1) }), 100)).toBe(true);
    expect(isContextOverflow(message({ usage: used(90, 10, 1) }), 100)).toBe(false);
    expect(isContextOverflow(message({ usage: used(90, 20, 1) }))).toBe(false);
    expect(isContextOverflow(message({ stopReason: "length", usage: used(99, 0, 0) }), 100)).toBe(true);
    expect(isContextOverflow(message({ stopReason: "length", usage: used(98, 0, 0) }), 100)).toBe(false);
    expect(isContextOverflow(message({ stopReason: "length", usage: used(99, 0, 1) }), 100)).toBe(false);
  });
  test("a recoverable length", () => {
    const cut = message({ stopReason: "length", usage: used(0, 0, 5) });
    expect([10, 5, 0].map((desired) => isRecoverableLength(cut, desired))).toEqual([true, false, false]);
    expect(isRecoverableLength(message({ usage: used(0, 0, 5) }), 10)).toBe(false);
  });
  test("the patterns are handed out as a copy", () => {
    getOverflowPatterns().length = 0;
    expect(getOverflowPatterns().length).toBeGreaterThan(20);
  });
});

describe("retryable", () => {
  test.each([
    ['529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', true],
    ["429: {}", true],
    ["error1429x", false],
    ["Connection error.: connect ECONNREFUSED 127.0.0.1:1", true],
    ["terminated: other side closed (UND_ERR_SOCKET)", true],
    ["Request timed out.: no response headers within 5 ms", true],
    ["Stream timed out: no data for 5 ms", true],
    ["Anthropic stream ended before message_stop", true],
    ["Stream ended without finish_reason", true],
    ["OpenAI Responses stream ended before a terminal response event", true],
    ["Server requested 90s retry delay (max: 60s). busy", true],
    ["429 You exceeded your current quota: insufficient_quota", false],
    ["429 billing limit", false],
    ["400 invalid request", false],
    ["No API key for provider: x", false],
  ])("%s: %s", (text, expected) => {
    expect(isRetryableAssistantError(failed(text))).toBe(expected);
  });
  test("only errors with a text", () => {
    expect(isRetryableAssistantError(message({ stopReason: "aborted", errorMessage: "503" }))).toBe(false);
    expect(isRetryableAssistantError(message({ stopReason: "error" }))).toBe(false);
  });
});

describe("retryAssistantCall", () => {
  const policy = { enabled: true, maxRetries: 3, baseDelayMs: 1 };
  test("delays double up to the cap", () => {
    expect([1, 2, 3, 9].map((attempt) => retryDelayMs({ baseDelayMs: 2000 }, attempt))).toEqual([
      2000, 4000, 8000, 60_000,
    ]);
    expect(retryDelayMs({ baseDelayMs: 2000, maxAgentDelayMs: 3000 }, 2)).toBe(3000);
  });
  test("until it succeeds", async () => {
    const answers = [failed("503"), failed("503"), message({})];
    const events: unknown[] = [];
    const final = await retryAssistantCall(async () => answers.shift() ?? failed("none"), policy, undefined, {
      onRetryScheduled: (...args) => void events.push(args),
      onRetryAttemptStart: () => void events.push("start"),
      onRetryFinished: (...args) => void events.push(args),
    });
    expect(final.stopReason).toBe("stop");
    expect(events).toEqual([[1, 3, 1, "503"], "start", [2, 3, 2, "503"], "start", [true, 2, undefined]]);
  });
  test("until the attempts are used up", async () => {
    const produce = vi.fn(async () => failed("503"));
    const onRetryFinished = vi.fn();
    await retryAssistantCall(produce, policy, undefined, { onRetryFinished });
    expect(produce).toHaveBeenCalledTimes(4);
    expect(onRetryFinished).toHaveBeenCalledWith(false, 3, "503");
  });
  test.each([failed("400 bad"), failed("500 prompt is too long"), message({ stopReason: "aborted" })])(
    "not at all: $errorMessage",
    async (answer) => {
      const produce = vi.fn(async () => answer);
      await retryAssistantCall(produce, policy, undefined);
      expect(produce).toHaveBeenCalledTimes(1);
    },
  );
  test("an abort ends the pause", async () => {
    const controller = new AbortController();
    const onRetryFinished = vi.fn();
    const slow = { ...policy, baseDelayMs: 60_000 };
    const pending = retryAssistantCall(async () => failed("503"), slow, controller.signal, {
      onRetryScheduled: () => void setTimeout(() => controller.abort(), 5),
      onRetryFinished,
    });
    expect((await pending).errorMessage).toBe("503");
    expect(onRetryFinished).toHaveBeenCalledWith(false, 1, "Retry cancelled");
  });
});

describe("causes", () => {
  const socket = Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
  test.each<[unknown, string]>([
    [new TypeError("fetch failed", { cause: socket }), "fetch failed: other side closed (UND_ERR_SOCKET)"],
    [new Error("a", { cause: new Error("b", { cause: new Error("c") }) }), "a: c"],
    [new Error("x", { cause: new AggregateError([new Error("first"), new Error("last")]) }), "x: last"],
    ["text", "text"],
    [new Error("plain"), "plain"],
  ])("%s", (error, expected) => {
    expect(thrownText(error)).toBe(expected);
  });
  test("is not repeated", () => {
    expect(withDeepestCause("x: c", new Error("x", { cause: new Error("c") }))).toBe("x: c");
  });
  test("a circle of causes ends", () => {
    const error = new Error("round");
    error.cause = error;
    expect(thrownText(error)).toBe("round");
  });
});
