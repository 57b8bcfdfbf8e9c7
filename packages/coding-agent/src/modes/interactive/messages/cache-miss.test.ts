import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { AssistantMessage } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import { cacheMissText } from "./cache-miss.js";

const MINUTE = 60_000;

const answer = (timestamp: number, input: number, cacheRead: number, cacheWrite: number, model = "m1") =>
  ({
    ...{ role: "assistant", api: "x", provider: "p", model, content: [], stopReason: "stop", timestamp },
    usage: { input, output: 1, cacheRead, cacheWrite, totalTokens: 0, cost: { total: 0 } },
  }) as unknown as AssistantMessage;
const summary = (timestamp: number) => ({ role: "compactionSummary", timestamp }) as unknown as AgentMessage;

describe("a miss of the prompt cache", () => {
  it.each<[string, AssistantMessage, AgentMessage[], string | undefined]>([
    [
      "all of it",
      answer(2, 10, 0, 9000),
      [answer(1, 10, 0, 8000)],
      "Cache miss: 8k of 8k cached tokens were sent anew",
    ],
    [
      "most of it, after a pause",
      answer(7 * MINUTE, 10, 2000, 9000),
      [answer(1, 10, 6000, 4000)],
      "Cache miss: 8k of 10k cached tokens were sent anew, 7 min after the last request",
    ],
    ["the cache was read", answer(2, 10, 8000, 1000), [answer(1, 10, 0, 8000)], undefined],
    ["half of it was read", answer(2, 10, 4001, 1000), [answer(1, 10, 0, 8000)], undefined],
    ["hardly anything was cached", answer(2, 10, 0, 1000), [answer(1, 10, 0, 1023)], undefined],
    ["the provider caches nothing", answer(2, 9000, 0, 0), [answer(1, 8000, 0, 0)], undefined],
    ["the first answer", answer(2, 10, 0, 9000), [], undefined],
    ["another model", answer(2, 10, 0, 9000, "m2"), [answer(1, 10, 0, 8000)], undefined],
    ["an answer that counts nothing, such as a failed one", answer(2, 0, 0, 0), [answer(1, 10, 0, 8000)], undefined],
    ["a summary in between", answer(3, 10, 0, 9000), [summary(2), answer(1, 10, 0, 8000)], undefined],
    [
      "a summary long ago",
      answer(3, 10, 0, 9000),
      [summary(1), answer(2, 10, 0, 8000)],
      "Cache miss: 8k of 8k cached tokens were sent anew",
    ],
    [
      "a failed answer in between",
      answer(3, 10, 0, 9000),
      [answer(1, 10, 0, 8000), answer(2, 0, 0, 0)],
      "Cache miss: 8k of 8k cached tokens were sent anew",
    ],
  ])("%s", (_what, now, before, text) => {
    expect(cacheMissText(now, before)).toBe(text);
    expect(cacheMissText(now, [...before, now])).toBe(text);
  });
});
