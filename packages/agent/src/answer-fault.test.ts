import { type AssistantMessage, AssistantMessageEventStream } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import { model } from "../test/scripted-model.js";
import { Agent } from "./index.js";

const whole: AssistantMessage = {
  role: "assistant",
  content: [{ type: "text", text: "hello" }],
  api: "x",
  provider: "m",
  model: "m1",
  usage: {
    input: 1,
    output: 1,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 2,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "stop",
  timestamp: 1,
};

/** The last message after a provider pushed these. */
async function answerTo(...events: unknown[]): Promise<AssistantMessage> {
  const stream = new AssistantMessageEventStream();
  const agent = new Agent({ streamFn: () => stream, initialState: { model } });
  for (const event of events) stream.push(event as never);
  await agent.prompt("hi");
  return agent.state.messages.at(-1) as AssistantMessage;
}

describe("what a provider gives that is no answer ends as an error", () => {
  it.each<[string, unknown, string]>([
    ["null", null, "null instead of an event"],
    ["a text", "text", "text instead of an event"],
    ["an event without a type", {}, "an event without a type"],
    ["a delta without a message", { type: "text_delta", delta: "x" }, 'an event "text_delta" without "partial"'],
    ["an end without a message", { type: "done", reason: "stop" }, 'an event "done" without "message"'],
    ["a message without content", { type: "done", message: { role: "assistant" } }, "content is undefined"],
    ["a partial without content", { type: "start", partial: {} }, "an event without a message: start"],
    ["a block that is none", { type: "done", message: { ...whole, content: [null] } }, "content[0] is null"],
    ["a text that is none", { type: "done", message: { ...whole, content: [{ type: "text" }] } }, "has no text"],
    ["an unknown end", { type: "done", message: { ...whole, stopReason: 7 } }, "stopReason is a number"],
  ])("%s", async (_what, event, error) => {
    const message = await answerTo(event);
    expect(message).toMatchObject({ role: "assistant", stopReason: "error" });
    expect(message.errorMessage).toContain(error);
  });

  it("what had arrived before stays", async () => {
    expect(await answerTo({ type: "start", partial: whole }, null)).toMatchObject({
      content: whole.content,
      stopReason: "error",
    });
  });

  it.each([undefined, "much", { input: 3 }])("an answer is worth more than its usage (%j)", async (usage) => {
    const message = await answerTo({ type: "done", message: { ...whole, usage } });
    expect(message).toMatchObject({ content: whole.content, stopReason: "stop", usage: { totalTokens: 0 } });
  });
});
