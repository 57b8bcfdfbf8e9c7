import { describe, expect, it } from "vitest";
import { deferred, fakeTool, model, scriptedModel, shorthand, user } from "../test/scripted-model.js";
import {
  Agent,
  type AgentEvent,
  type AgentTool,
  agentLoop,
  agentLoopContinue,
  type BeforeToolCallContext,
  runAgentLoop,
  runAgentLoopContinue,
  runToolCall,
  setDefaultStreamFn,
} from "./index.js";

const keep = async (messages: unknown[]) => messages as never[];

describe("Agent (agent-and-tools.md section A3)", () => {
  it("turns prompt and tools into one leading system message, and nothing into none", () => {
    const agent = new Agent({
      streamFn: scriptedModel([]).streamFn,
      initialState: { systemPrompt: "Be brief.", tools: [fakeTool("t")] },
    });
    expect(agent.state.messages).toEqual([
      {
        role: "system",
        content: "Be brief.",
        toolsAdded: [expect.objectContaining({ name: "t" })],
        timestamp: 0,
      },
    ]);
    expect(agent.state.systemPrompt).toBe("Be brief.");
    expect(agent.state.model.id).toBe("unknown");
    expect(new Agent({ streamFn: scriptedModel([]).streamFn }).state.messages).toEqual([]);
  });

  it("assigning tools or messages copies the array", () => {
    const agent = new Agent({ streamFn: scriptedModel([]).streamFn });
    const messages = [user("a")];
    agent.state.messages = messages;
    messages.push(user("b"));
    expect(agent.state.messages).toHaveLength(1);
  });

  it("text and images become one user message, text first", async () => {
    const { streamFn, requests } = scriptedModel([{ text: "x" }]);
    const agent = new Agent({ streamFn, initialState: { model } });
    await agent.prompt("look", [{ type: "image", data: "AA==", mimeType: "image/png" }]);
    expect(requests[0]?.messages[0]).toMatchObject({
      role: "user",
      content: [{ type: "text", text: "look" }, { type: "image" }],
    });
  });

  it("continue: refuses, goes on, or takes up what is queued", async () => {
    const { streamFn, requests } = scriptedModel([{ text: "a" }, { text: "b" }, { text: "c" }, { text: "d" }]);
    const agent = new Agent({ streamFn, initialState: { model } });
    await expect(agent.continue()).rejects.toThrow("No messages to continue from");
    agent.state.messages = [user("from a file")];
    await agent.continue();
    await expect(agent.continue()).rejects.toThrow("Cannot continue from message role: assistant");
    agent.steer(user("S1"));
    agent.steer(user("S2"));
    await agent.continue();
    // One at a time: the first is the prompt, the second comes after its answer.
    expect(requests.map(({ messages }) => messages.length)).toEqual([1, 3, 5]);
    agent.followUp(user("F"));
    await agent.continue();
    expect(requests).toHaveLength(4);
  });

  it("reset keeps the declared prompt and tools, and is refused while a run is active", async () => {
    const hold = deferred();
    const { streamFn } = scriptedModel([{ text: "a", hold: hold.promise }]);
    const agent = new Agent({ streamFn, initialState: { model, systemPrompt: "P", tools: [fakeTool("t")] } });
    const run = agent.prompt("hi");
    expect(() => agent.reset()).toThrow("Agent is already processing. Wait for completion before resetting.");
    await expect(agent.continue()).rejects.toThrow(
      "Agent is already processing. Wait for completion before continuing.",
    );
    hold.resolve();
    await run;
    agent.followUp(user("later"));
    agent.reset();
    expect(agent.state.messages).toHaveLength(1);
    expect(agent.state.systemPrompt).toBe("P");
    expect(agent.hasQueuedMessages()).toBe(false);
  });

  it("peek shows what the next drain takes: steering first", () => {
    const agent = new Agent({ streamFn: scriptedModel([]).streamFn, steeringMode: "all" });
    agent.followUp(user("F"));
    expect(agent.peekQueuedMessages()).toHaveLength(1);
    agent.steer(user("S1"));
    agent.steer(user("S2"));
    expect(agent.peekQueuedMessages()).toHaveLength(2);
    agent.clearSteeringQueue();
    expect(agent.peekQueuedMessages()).toMatchObject([{ content: [{ text: "F" }] }]);
    agent.clearAllQueues();
    expect(agent.hasQueuedMessages()).toBe(false);
  });

  it("listeners are awaited in order, and see the reduced state", async () => {
    const { streamFn } = scriptedModel([{ text: "a" }]);
    const agent = new Agent({ streamFn, initialState: { model } });
    const heard: string[] = [];
    agent.subscribe(async (event) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (event.type === "message_end") heard.push(`slow ${agent.state.messages.length}`);
    });
    const unsubscribe = agent.subscribe((event) => {
      if (event.type === "message_end") heard.push(`fast ${agent.state.messages.length}`);
      if (event.type === "agent_end") expect(agent.state.isStreaming).toBe(true);
    });
    await agent.prompt("hi");
    expect(heard).toEqual(["slow 1", "fast 1", "slow 2", "fast 2"]);
    expect(agent.state).toMatchObject({ isStreaming: false, streamingMessage: undefined });
    unsubscribe();
    expect(agent.signal).toBeUndefined();
  });

  it("a listener that throws ends the run as a failed answer, and the agent can be used again", async () => {
    const { streamFn } = scriptedModel([{ text: "a" }, { text: "b" }]);
    const agent = new Agent({ streamFn, initialState: { model } });
    let throws = true;
    agent.subscribe((event) => {
      if (throws && event.type === "message_update") throw new Error("listener broke");
    });
    await agent.prompt("hi");
    expect(agent.state.errorMessage).toBe("listener broke");
    throws = false;
    await agent.prompt("again");
    expect(agent.state.errorMessage).toBeUndefined();
    expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "stop" });
  });

  it("needs a stream function: its own, or the default one", async () => {
    // Whoever imports the SDK sets one, and files of this suite share a process.
    setDefaultStreamFn(undefined);
    const agent = new Agent({ initialState: { model } } as never);
    await agent.prompt("hi");
    expect(agent.state.errorMessage).toBe(
      "No default stream function configured. Pass streamFn explicitly or call setDefaultStreamFn().",
    );
    setDefaultStreamFn(scriptedModel([{ text: "from the default" }]).streamFn);
    try {
      await agent.prompt("hi");
      expect(agent.state.errorMessage).toBeUndefined();
    } finally {
      setDefaultStreamFn(undefined);
    }
  });

  it("pending calls are known while they run", async () => {
    const seen: number[] = [];
    const { streamFn } = scriptedModel([
      {
        calls: [
          { id: "1", name: "t" },
          { id: "2", name: "t" },
        ],
      },
      { text: "x" },
    ]);
    const agent = new Agent({
      streamFn,
      initialState: {
        model,
        tools: [
          fakeTool("t", {
            run: async () => {
              await new Promise((resolve) => setTimeout(resolve, 5));
              seen.push(agent.state.pendingToolCalls.size);
              return "ok";
            },
          }),
        ],
      },
    });
    await agent.prompt("hi");
    expect(seen[0]).toBe(2);
    expect(agent.state.pendingToolCalls.size).toBe(0);
  });
});

describe("the loop functions (section A4)", () => {
  it("agentLoop gives events and all new messages", async () => {
    const { streamFn } = scriptedModel([{ text: "a" }]);
    const stream = agentLoop([user("hi")], { messages: [] }, { model, convertToLlm: keep }, undefined, streamFn);
    const events: AgentEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(shorthand(events)).toBe("agent_start turn_start m(hi) start(a) updates end(a) turn_end{0} agent_end{2}");
    expect(await stream.result()).toHaveLength(2);
  });

  it("a throwing hook ends agentLoop with a failed answer, and rejects runAgentLoop", async () => {
    const config = { model, convertToLlm: () => Promise.reject(new Error("boom")) };
    const { streamFn } = scriptedModel([]);
    const result = await agentLoop([user("hi")], { messages: [] }, config, undefined, streamFn).result();
    expect(result).toMatchObject([{ stopReason: "error", errorMessage: "boom" }]);
    await expect(runAgentLoop([user("hi")], { messages: [] }, config, () => {}, undefined, streamFn)).rejects.toThrow(
      "boom",
    );
  });

  it("continuing needs something to continue from", async () => {
    const { streamFn } = scriptedModel([{ text: "a" }]);
    const config = { model, convertToLlm: keep };
    expect(() => agentLoopContinue({ messages: [] }, config, undefined, streamFn)).toThrow(
      "Cannot continue: no messages in context",
    );
    const messages = await runAgentLoopContinue({ messages: [user("hi")] }, config, () => {}, undefined, streamFn);
    expect(messages).toHaveLength(1);
    await expect(
      runAgentLoopContinue({ messages: [user("hi"), ...messages] }, config, () => {}, undefined, streamFn),
    ).rejects.toThrow("Cannot continue from message role: assistant");
  });
});

describe("runToolCall (section A5)", () => {
  const assistantMessage = {} as BeforeToolCallContext["assistantMessage"];
  const call = (name: string, args: Record<string, unknown> = {}) => ({
    type: "toolCall" as const,
    id: "1",
    name,
    arguments: args,
  });
  const options = (tools: AgentTool[]) => ({ tools, assistantMessage, context: { messages: [], tools } });

  it("never rejects: every failure is an error result", async () => {
    const tools = [fakeTool("fails", { run: () => Promise.reject("a string") })];
    expect(await runToolCall(call("fails"), options(tools))).toMatchObject({
      isError: true,
      result: { content: [{ text: "a string" }], details: {} },
      durationMs: expect.any(Number),
    });
    const unknown = await runToolCall(call("nope"), options(tools));
    expect(unknown).toMatchObject({ isError: true, result: { content: [{ text: "Tool nope not found" }] } });
    expect(unknown).not.toHaveProperty("durationMs");
  });

  it("repairs, validates and coerces before hooks, which may change what runs", async () => {
    const seen: unknown[] = [];
    const tool: AgentTool = {
      ...fakeTool("t", {
        run: async (args) => {
          seen.push(args);
          return "ok";
        },
      }),
      prepareArguments: (raw) => ({ ...(raw as object), repaired: true }),
    };
    await runToolCall(call("t", { n: "42" }), {
      ...options([tool]),
      beforeToolCall: async ({ args }) => {
        seen.push(structuredClone(args));
        (args as { n: number }).n = 43;
        return undefined;
      },
    });
    expect(seen).toEqual([
      { n: 42, repaired: true },
      { n: 43, repaired: true },
    ]);
  });

  it("a blocked call gives its reason and may end the run", async () => {
    const outcome = await runToolCall(call("t"), {
      ...options([fakeTool("t")]),
      beforeToolCall: async () => ({ block: true, reason: "not today", terminate: true }),
    });
    expect(outcome).toMatchObject({
      isError: true,
      result: { content: [{ text: "not today" }], terminate: true },
    });
  });

  it("afterToolCall replaces field by field; new content drops the structured form", async () => {
    const tool: AgentTool = {
      ...fakeTool("t"),
      execute: async () => ({
        content: [{ type: "text", text: "old" }],
        details: { kept: 1 },
        structuredContent: { old: true },
      }),
    };
    const outcome = await runToolCall(call("t"), {
      ...options([tool]),
      afterToolCall: async () => ({ content: [{ type: "text", text: "new" }], isError: true }),
    });
    expect(outcome).toMatchObject({ isError: true, result: { content: [{ text: "new" }], details: { kept: 1 } } });
    expect(outcome.result).not.toHaveProperty("structuredContent");
  });

  it("arguments that were no JSON are refused with the reason", async () => {
    const outcome = await runToolCall(
      { ...call("t"), argumentsError: 'Unexpected end\n\nReceived arguments:\n{"a' },
      options([fakeTool("t")]),
    );
    expect(outcome).toMatchObject({
      isError: true,
      result: { content: [{ text: 'Invalid arguments for tool "t": Unexpected end\n\nReceived arguments:\n{"a' }] },
    });
  });

  it("updates after the end are ignored", async () => {
    const updates: string[] = [];
    let late = () => {};
    const tool = fakeTool("t", {
      run: async (_args, _signal, update) => {
        update("in time");
        late = () => update("too late");
        return "ok";
      },
    });
    await runToolCall(call("t"), {
      ...options([tool]),
      onUpdate: ({ content }) => updates.push(content[0]?.type === "text" ? content[0].text : ""),
    });
    late();
    expect(updates).toEqual(["in time"]);
  });
});
