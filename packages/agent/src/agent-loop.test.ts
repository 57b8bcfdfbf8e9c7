import { describe, expect, it } from "vitest";
import { type Answer, deferred, fakeTool, model, scriptedModel, shorthand, user } from "../test/scripted-model.js";
import { Agent, type AgentEvent, type AgentOptions, type AgentTool } from "./index.js";

function agentWith(answers: Answer[], tools: AgentTool[] = [], options: Partial<AgentOptions> = {}) {
  const { streamFn, requests } = scriptedModel(answers);
  const agent = new Agent({ streamFn, initialState: { model, tools }, ...options });
  const events: AgentEvent[] = [];
  agent.subscribe((event) => {
    events.push(event);
  });
  return { agent, events, requests };
}

const call = (id: string, name: string) => ({ id, name });
const turn1 = "agent_start turn_start m(hi) start(a) updates end(a)";

describe("event order (agent-and-tools.md section A6)", () => {
  it("text", async () => {
    const { agent, events } = agentWith([{ text: "hello" }]);
    await agent.prompt("hi");
    expect(shorthand(events)).toBe(`${turn1} turn_end{0} agent_end{2}`);
  });

  it("two tools in parallel, the second faster", async () => {
    const slow = deferred();
    const tools = [
      fakeTool("slow", { run: () => slow.promise.then(() => "slow") }),
      fakeTool("fast", {
        run: async (_args, _signal, update) => {
          update("half");
          setTimeout(slow.resolve, 5);
          return "fast";
        },
      }),
    ];
    const { agent, events } = agentWith(
      [{ text: "go", calls: [call("1", "slow"), call("2", "fast")] }, { text: "done" }],
      tools,
    );
    await agent.prompt("hi");
    expect(shorthand(events)).toBe(
      `${turn1} tes(1) tes(2) upd(2) tee(2) tee(1) m(toolResult) m(toolResult) turn_end{2} ` +
        "turn_start start(a) updates end(a) turn_end{0} agent_end{5}",
    );
    const results = agent.state.messages.filter((message) => message.role === "toolResult");
    expect(results.map((message) => message.toolCallId)).toEqual(["1", "2"]);
  });

  it("many tools in parallel may all listen to the signal, without a warning of Node", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    const all = deferred();
    let listening = 0;
    const tool = fakeTool("t", {
      run: async (_args, signal) => {
        signal?.addEventListener("abort", () => undefined);
        if (++listening === 12) setImmediate(all.resolve);
        await all.promise;
        return "ok";
      },
    });
    const calls = Array.from({ length: 12 }, (_, i) => call(`${i}`, "t"));
    const { agent } = agentWith([{ text: "go", calls }, { text: "done" }], [tool]);
    await agent.prompt("hi");
    process.off("warning", note);
    expect(listening).toBe(12);
    expect(warnings).toEqual([]);
  });

  it("sequential, because one called tool asks for it", async () => {
    const tools = [fakeTool("a", { executionMode: "sequential" }), fakeTool("b")];
    const { agent, events } = agentWith([{ calls: [call("1", "b"), call("2", "a")] }, { text: "done" }], tools);
    await agent.prompt("hi");
    expect(shorthand(events)).toContain("tes(1) tee(1) m(toolResult) tes(2) tee(2) m(toolResult) turn_end{2}");
  });

  it("unknown, invalid and blocked calls end at once and the loop goes on", async () => {
    const { agent, events } = agentWith(
      [
        {
          calls: [
            call("1", "nope"),
            { id: "2", name: "ok", args: { n: "not a number" } },
            call("3", "blocked"),
            call("4", "ok"),
          ],
        },
        { text: "done" },
      ],
      [fakeTool("ok"), fakeTool("blocked")],
      { beforeToolCall: async ({ toolCall }) => ({ block: toolCall.name === "blocked" }) },
    );
    await agent.prompt("hi");
    expect(shorthand(events)).toContain(
      "tes(1) tee(1:error) tes(2) tee(2:error) tes(3) tee(3:error) tes(4) tee(4) " +
        "m(toolResult) m(toolResult) m(toolResult) m(toolResult) turn_end{4} turn_start",
    );
    const texts = agent.state.messages.flatMap((message) =>
      message.role === "toolResult" ? message.content.map((block) => (block.type === "text" ? block.text : "")) : [],
    );
    expect(texts[0]).toBe("Tool nope not found");
    expect(texts[1]).toMatch(/^Validation failed for tool "ok":\n {2}- n: expected number, got string\n\nReceived arg/);
    expect(texts[2]).toBe("Tool execution was blocked");
    expect(texts[3]).toBe("ok");
  });

  it("steering during tools, one at a time", async () => {
    const { agent, events, requests } = agentWith(
      [{ calls: [call("1", "t")] }, { text: "one" }, { text: "two" }],
      [
        fakeTool("t", {
          run: async () => {
            agent.steer(user("S1"));
            agent.steer(user("S2"));
            return "t";
          },
        }),
      ],
    );
    await agent.prompt("hi");
    expect(shorthand(events)).toContain(
      "turn_end{1} turn_start m(S1) start(a) updates end(a) turn_end{0} turn_start m(S2) start(a)",
    );
    expect(requests).toHaveLength(3);
  });

  it("steering during tools, all at once", async () => {
    const { agent, events, requests } = agentWith(
      [{ calls: [call("1", "t")] }, { text: "one" }],
      [
        fakeTool("t", {
          run: async () => {
            agent.steer(user("S1"));
            agent.steer(user("S2"));
            return "t";
          },
        }),
      ],
      { steeringMode: "all" },
    );
    await agent.prompt("hi");
    expect(shorthand(events)).toContain("turn_end{1} turn_start m(S1) m(S2) start(a)");
    expect(requests).toHaveLength(2);
  });

  it("follow-ups come only when the agent would stop, one turn each", async () => {
    const { agent, events } = agentWith([{ text: "one" }, { text: "two" }, { text: "three" }]);
    agent.followUp(user("F1"));
    agent.followUp(user("F2"));
    await agent.prompt("hi");
    expect(shorthand(events)).toBe(
      `${turn1} turn_end{0} turn_start m(F1) start(a) updates end(a) turn_end{0} ` +
        "turn_start m(F2) start(a) updates end(a) turn_end{0} agent_end{6}",
    );
  });

  it("abort in text: the partial answer stays, queued messages stay queued", async () => {
    const hold = deferred();
    const { agent, events } = agentWith([{ text: "partial", hold: hold.promise }]);
    agent.subscribe((event) => {
      if (event.type !== "message_update" || event.assistantMessageEvent.type !== "text_delta") return;
      agent.steer(user("later"));
      agent.abort();
      hold.resolve();
    });
    await agent.prompt("hi");
    expect(shorthand(events)).toBe(
      "agent_start turn_start m(hi) start(a) updates end(a:aborted) turn_end{0} agent_end{2}",
    );
    expect(agent.peekQueuedMessages()).toHaveLength(1);
    const last = agent.state.messages.at(-1);
    expect(last).toMatchObject({ stopReason: "aborted", content: [{ type: "text", text: "partial" }] });
  });

  it("abort in parallel tools: every call has a result, then an empty aborted answer without a request", async () => {
    const { agent, events, requests } = agentWith(
      [{ calls: [call("1", "rejects"), call("2", "finishes")] }],
      [
        fakeTool("rejects", {
          run: (_args, signal) =>
            new Promise((_resolve, reject) => {
              signal?.addEventListener("abort", () => reject(new Error("Operation aborted")));
              agent.abort();
            }),
        }),
        fakeTool("finishes"),
      ],
    );
    await agent.prompt("hi");
    expect(shorthand(events)).toMatch(
      /tee\(.*tee\(.* m\(toolResult\) m\(toolResult\) turn_end\{2\} turn_start m\(a:aborted\) turn_end\{0\} agent_end\{5\}$/,
    );
    expect(requests).toHaveLength(1);
    expect(agent.state.messages.at(-1)).toMatchObject({ content: [], errorMessage: "Request was aborted" });
  });

  it("abort in the first of two sequential calls: the second is answered without running", async () => {
    const { agent, events } = agentWith(
      [{ calls: [call("1", "first"), call("2", "second")] }],
      [
        fakeTool("first", {
          run: async () => {
            agent.abort();
            return "done";
          },
        }),
        fakeTool("second"),
      ],
      { toolExecution: "sequential" },
    );
    await agent.prompt("hi");
    expect(shorthand(events)).toContain(
      "tes(1) tee(1) m(toolResult) tes(2) tee(2:error) m(toolResult) turn_end{2} turn_start m(a:aborted)",
    );
    expect(agent.state.messages.findLast((message) => message.role === "toolResult")).toMatchObject({
      content: [{ type: "text", text: "Operation aborted" }],
      isError: true,
    });
  });

  it("an error before the stream started", async () => {
    const { agent, events } = agentWith([{ withoutStart: true, stopReason: "error", errorMessage: "429 slow down" }]);
    await agent.prompt("hi");
    expect(shorthand(events)).toBe("agent_start turn_start m(hi) m(a:error) turn_end{0} agent_end{2}");
    expect(agent.state.errorMessage).toBe("429 slow down");
  });

  it("calls of a cut answer are refused, and the model is asked again", async () => {
    const { agent, events } = agentWith(
      [{ calls: [call("1", "t")], stopReason: "length" }, { text: "again" }],
      [fakeTool("t")],
    );
    await agent.prompt("hi");
    expect(shorthand(events)).toContain("tes(1) tee(1:error) m(toolResult) turn_end{1} turn_start start(a)");
    expect(JSON.stringify(agent.state.messages)).toContain("hit the output token limit");
  });
});

describe("decisions", () => {
  it("ends when every result of the batch terminates, and only then", async () => {
    const tools = [fakeTool("stop", { terminate: true }), fakeTool("plain")];
    const all = agentWith([{ calls: [call("1", "stop"), call("2", "stop")] }], tools);
    await all.agent.prompt("hi");
    expect(all.requests).toHaveLength(1);
    const mixed = agentWith([{ calls: [call("1", "stop"), call("2", "plain")] }, { text: "x" }], tools);
    await mixed.agent.prompt("hi");
    expect(mixed.requests).toHaveLength(2);
  });

  it("finishTurn may end a run with calls left, or ask for one more request", async () => {
    const ended = agentWith([{ calls: [call("1", "t")] }], [fakeTool("t")], { finishTurn: () => ({ action: "end" }) });
    await ended.agent.prompt("hi");
    expect(ended.requests).toHaveLength(1);
    let asked = 0;
    const continued = agentWith([{ text: "a" }, { text: "b" }], [], {
      finishTurn: () => (asked++ === 0 ? { action: "continue" } : undefined),
    });
    await continued.agent.prompt("hi");
    expect(continued.requests).toHaveLength(2);
  });

  it("prepareNextTurn and prepareRequest change model and level of later requests", async () => {
    const levels: unknown[] = [];
    const { streamFn } = scriptedModel([{ calls: [call("1", "t")] }, { text: "b" }]);
    const agent = new Agent({
      streamFn: (requested, context, options) => {
        levels.push([requested.id, options?.reasoning]);
        return streamFn(requested, context, options);
      },
      initialState: { model, tools: [fakeTool("t")], thinkingLevel: "low" },
      prepareNextTurn: () => ({ model: { ...model, id: "m2" }, thinkingLevel: "high" }),
    });
    await agent.prompt("hi");
    expect(levels).toEqual([
      ["m1", "low"],
      ["m2", "high"],
    ]);
  });
});

describe("failures", () => {
  it.each([
    ["convertToLlm", { convertToLlm: () => Promise.reject(new Error("boom")) }],
    ["transformContext", { transformContext: () => Promise.reject(new Error("boom")) }],
    ["finishTurn", { finishTurn: () => Promise.reject(new Error("boom")) }],
    ["prepareRequest", { prepareRequest: () => Promise.reject(new Error("boom")) }],
  ] satisfies [string, Partial<AgentOptions>][])("a throwing %s becomes a failed answer", async (_name, options) => {
    const { agent, events } = agentWith([{ text: "x" }], [], options);
    await agent.prompt("hi");
    expect(shorthand(events)).toMatch(/m\(a:error\) turn_end\{0\} agent_end\{1\}$/);
    expect(agent.state).toMatchObject({ errorMessage: "boom", isStreaming: false });
  });

  it("throwing hooks around a call become its error result", async () => {
    for (const options of [
      { beforeToolCall: () => Promise.reject(new Error("before")) },
      { afterToolCall: () => Promise.reject(new Error("after")) },
    ]) {
      const { agent } = agentWith([{ calls: [call("1", "t")] }, { text: "x" }], [fakeTool("t")], options);
      await agent.prompt("hi");
      expect(agent.state.messages.find((message) => message.role === "toolResult")).toMatchObject({
        isError: true,
        details: {},
        content: [{ text: expect.stringMatching(/^(before|after)$/) }],
      });
    }
  });

  it("an error's details reach the result", async () => {
    const failing = fakeTool("t", {
      run: () => Promise.reject(Object.assign(new Error("no"), { details: { fullOutputPath: "/x" } })),
    });
    const { agent } = agentWith([{ calls: [call("1", "t")] }, { text: "x" }], [failing]);
    await agent.prompt("hi");
    expect(agent.state.messages.find((message) => message.role === "toolResult")).toMatchObject({
      details: { fullOutputPath: "/x" },
    });
  });

  it("a stream that ends without a final event does not hang", async () => {
    const { AssistantMessageEventStream } = await import("@earendil-works/pi-ai");
    const agent = new Agent({
      initialState: { model },
      streamFn: () => {
        const stream = new AssistantMessageEventStream();
        stream.end();
        return stream;
      },
    });
    await agent.prompt("hi");
    expect(agent.state.errorMessage).toBe("The model stream ended without a final event");
  });

  it("a second prompt while one runs is refused", async () => {
    const hold = deferred();
    const { agent } = agentWith([{ text: "x", hold: hold.promise }]);
    const first = agent.prompt("hi");
    await expect(agent.prompt("again")).rejects.toThrow(/^Agent is already processing a prompt\. Use steer\(\)/);
    hold.resolve();
    await first;
  });
});

describe("tool declarations (section A8)", () => {
  it("tools that the transcript does not declare yet are declared before the user message", async () => {
    const { agent, events, requests } = agentWith([{ text: "a" }, { text: "b" }]);
    agent.state.tools = [fakeTool("late")];
    await agent.prompt("hi");
    expect(shorthand(events)).toContain("turn_start m(system) m(hi)");
    expect(requests[0]?.messages[0]).toMatchObject({ role: "system", content: "", toolsAdded: [{ name: "late" }] });
    events.length = 0;
    agent.state.tools = [];
    await agent.prompt("hi");
    expect(agent.state.messages.findLast((message) => message.role === "system")).toMatchObject({
      toolsRemoved: [{ name: "late" }],
    });
  });

  it("a pending system message carries the change", async () => {
    const { agent } = agentWith([{ text: "a" }]);
    agent.state.tools = [fakeTool("late")];
    await agent.prompt([{ role: "system", content: "be brief", timestamp: 1 }, user("hi")]);
    expect(agent.state.messages[0]).toMatchObject({ content: "be brief", toolsAdded: [{ name: "late" }] });
    expect(agent.state.messages.filter((message) => message.role === "system")).toHaveLength(1);
  });
});
