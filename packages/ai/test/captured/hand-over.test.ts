import { describe, expect, test } from "vitest";
import type { Message } from "../../src/types.js";
import { user } from "./captured.js";
import { answer, model, sent, twoCalls } from "./stored.js";

/** Requests after a change of the model: llm-wire.md section 12. */

describe("hand-over between models (llm-wire.md section 12)", () => {
  const conversation = (from: string): Message[] => [
    ...twoCalls(from),
    answer(from, [{ type: "text", text: "Hello" }], { stopReason: "stop" }),
    user("continue please"),
  ];

  test("responses to anthropic", async () => {
    const { body } = await sent(model("anthropic-messages"), conversation("openai-responses"));
    const [, second, results, third, last] = body["messages"] as { content: Record<string, unknown>[] }[];
    expect(second?.content.map((block) => block["type"])).toEqual(["text", "tool_use", "tool_use"]);
    expect(second?.content.map((block) => block["id"])).toEqual([undefined, "call_t1_fc_t1", "call_t2_fc_t2"]);
    expect(results?.content.map((block) => block["tool_use_id"])).toEqual(["call_t1_fc_t1", "call_t2_fc_t2"]);
    expect(JSON.stringify([second, results, third])).not.toContain("cache_control");
    expect(JSON.stringify(last)).toContain("cache_control");
  });

  test("anthropic to completions", async () => {
    const { body } = await sent(model("openai-completions"), conversation("anthropic-messages"));
    const message = (body["messages"] as Record<string, unknown>[])[2];
    expect(message).toMatchObject({ role: "assistant", content: "Hello", tool_calls: [{ id: "toolu_t1" }, {}] });
    expect(message).not.toHaveProperty("reasoning_content");
  });

  test.each([
    ["openai-completions", "call_t1"],
    ["anthropic-messages", "toolu_t1"],
  ])("%s to responses", async (from, id) => {
    const { body } = await sent(model("openai-responses"), conversation(from));
    const items = (body["input"] as Record<string, unknown>[]).slice(2);
    expect(items[0]).toMatchObject({ type: "message", id: "msg_pi_1" });
    expect(items[1]).toMatchObject({ type: "function_call", call_id: id });
    expect(items[1]).not.toHaveProperty("id");
    expect(items[5]).toMatchObject({ type: "message", id: "msg_pi_4" });
  });
});
