import { type AssistantMessage, AssistantMessageEventStream } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import { type Answer, fakeTool, model, scriptedModel } from "../test/scripted-model.js";
import { Agent, type AgentOptions, type AgentTool, type StreamFn, type UnansweredWork } from "./index.js";

const never = () => new Promise<never>(() => {});
const call = (id: string, name: string) => ({ id, name });

/** Runs until something hangs, aborts, and says what the agent made of it. */
async function abortHanging(options: Partial<AgentOptions>, answers: Answer[] = [], tools: AgentTool[] = []) {
  const told: UnansweredWork[] = [];
  const agent = new Agent({
    streamFn: scriptedModel(answers).streamFn,
    initialState: { model, tools },
    onUnanswered: (work) => told.push(work),
    ...options,
  });
  const events: string[] = [];
  agent.subscribe(({ type }) => {
    events.push(type);
  });
  setTimeout(() => agent.abort(), 20);
  await agent.prompt("hi");
  return { agent, told, events, last: agent.state.messages.at(-1) as AssistantMessage };
}

describe.concurrent("an abort ends a run, whatever ignores it", () => {
  it.each(["parallel", "sequential"] as const)(
    "tools (%s): each call has its result, late news are dropped",
    async (mode) => {
      let update: (text: string) => void = () => {};
      let answer: (text: string) => void = () => {};
      const deaf = fakeTool("deaf", {
        run: (_args, _signal, onUpdate) => {
          update = onUpdate;
          return new Promise((resolve) => {
            answer = resolve;
          });
        },
      });
      const { agent, told, events } = await abortHanging(
        { toolExecution: mode },
        [{ text: "go", calls: [call("1", "deaf"), call("2", "deaf")] }],
        [deaf],
      );
      const results = agent.state.messages.filter((message) => message.role === "toolResult");
      expect(results.map(({ content, isError }) => [isError, content])).toEqual(
        Array(2).fill([true, [{ type: "text", text: "Operation aborted" }]]),
      );
      expect(told[0]).toEqual({ kind: "tool", name: "deaf" });
      const heard = events.length;
      update("late");
      answer("late");
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(events).toHaveLength(heard);
      expect(agent.state.isStreaming).toBe(false);
    },
  );

  it.each<[string, StreamFn]>([
    ["never gives a stream", never],
    ["gives a stream that says nothing", () => new AssistantMessageEventStream()],
  ])("a provider that %s", async (_what, streamFn) => {
    const { told, last } = await abortHanging({ streamFn });
    expect(last).toMatchObject({ stopReason: "aborted", errorMessage: "Request was aborted" });
    expect(told).toEqual([{ kind: "provider", name: model.provider }]);
  });

  it("a provider that stops in the middle: what had arrived stays, what comes later does not", async () => {
    const stream = new AssistantMessageEventStream();
    const partial = {
      role: "assistant",
      content: [{ type: "text", text: "half" }],
      stopReason: "pending",
      timestamp: 0,
    } as unknown as AssistantMessage;
    stream.push({ type: "start", partial });
    stream.push({ type: "text_delta", contentIndex: 0, delta: "half", partial });
    const { agent, events, last } = await abortHanging({ streamFn: () => stream });
    expect(last).toMatchObject({ content: [{ text: "half" }], stopReason: "aborted" });
    const heard = events.length;
    stream.push({ type: "text_delta", contentIndex: 0, delta: "late", partial });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(events).toHaveLength(heard);
    expect(agent.state.messages.filter(({ role }) => role === "assistant")).toHaveLength(1);
  });

  it.each<[string, Partial<AgentOptions>]>([
    ["transformContext", { transformContext: never }],
    ["convertToLlm", { convertToLlm: never }],
    ["getApiKey", { getApiKey: never }],
    ["prepareRequest", { prepareRequest: never }],
    ["finishTurn", { finishTurn: never }],
    ["beforeToolCall", { beforeToolCall: never }],
    ["afterToolCall", { afterToolCall: never }],
    ["prepareNextTurn", { prepareNextTurn: never }],
  ])("the hook %s", async (name, hooks) => {
    const answers = [{ text: "go", calls: [call("1", "quick")] }];
    const { told, events } = await abortHanging(hooks, answers, [fakeTool("quick", { run: async () => "done" })]);
    expect(told).toContainEqual({ kind: "hook", name });
    expect(events.at(-1)).toBe("agent_end");
  });
});
