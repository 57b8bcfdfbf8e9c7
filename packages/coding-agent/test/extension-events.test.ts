import { describe, expect, it, vi } from "vitest";
import type { ExtensionAPI, ExtensionEventName } from "../src/index.js";
import { call, say, textOf, tool, useExtensionSession } from "./extension-session.js";

const open = useExtensionSession("pi-extension-events-");

describe("the order of one prompt (extensions.md section 6)", () => {
  it("is the one of the specification, extensions before listeners", async () => {
    const names: ExtensionEventName[] = [
      ...(["session_start", "resources_discover", "input", "before_agent_start", "agent_start", "turn_start"] as const),
      ...([
        "message_start",
        "message_end",
        "context",
        "context_with_system",
        "tool_execution_start",
        "tool_call",
      ] as const),
      ...([
        "tool_result",
        "tool_execution_end",
        "turn_end",
        "agent_end",
        "agent_before_settle",
        "agent_settled",
      ] as const),
    ];
    const seen: string[] = [];
    const { session } = await open(
      [
        (pi) => {
          pi.registerTool(tool("t"));
          for (const name of names) pi.on(name as "session_start", () => void seen.push(name));
        },
      ],
      [call("t"), say("end")],
    );
    session.subscribe(({ type }) => seen.push(`> ${type}`));
    await session.prompt("go");
    const messages = ["message_start", "> message_start", "message_end", "> message_end"];
    const request = ["context", "context_with_system"];
    expect(seen.filter((name) => !/update|queue/.test(name))).toEqual([
      ...["session_start", "resources_discover", "input", "before_agent_start", "agent_start", "> agent_start"],
      ...["turn_start", "> turn_start", ...messages, ...messages, ...request, ...messages],
      ...["tool_execution_start", "> tool_execution_start", "tool_call", "tool_result"],
      ...["tool_execution_end", "> tool_execution_end", ...messages, "turn_end", "> turn_end"],
      ...["turn_start", "> turn_start", ...request, ...messages, "turn_end", "> turn_end"],
      ...["agent_end", "> agent_end", "agent_before_settle", "agent_settled", "> agent_settled"],
    ]);
  });

  it("payloads say what they should", async () => {
    const seen: Record<string, unknown> = {};
    const { session } = await open(
      [
        (pi) => {
          pi.registerTool(tool("t"));
          for (const name of [
            "turn_start",
            "turn_end",
            "tool_call",
            "tool_execution_end",
            "agent_settled",
            "message_update",
          ] as const) {
            pi.on(name as "session_start", (event: object) => {
              seen[name] ??= { ...event };
            });
          }
          pi.on("session_start", (event) => {
            seen["session_start"] = event;
          });
        },
      ],
      [call("t", { text: "x" }), say("end")],
    );
    await session.prompt("go");
    expect(seen["session_start"]).toEqual({ type: "session_start", reason: "startup" });
    expect(seen["turn_start"]).toMatchObject({ turnIndex: 0, timestamp: expect.any(Number) });
    expect(seen["tool_call"]).toMatchObject({ toolName: "t", input: { text: "x" }, toolCallId: expect.any(String) });
    expect(seen["tool_execution_end"]).toMatchObject({ toolName: "t", isError: false });
    expect(seen["agent_settled"]).toEqual({ type: "agent_settled", aborted: false });
    const entry = session.sessionManager
      .getEntries()
      .find((one) => one.type === "message" && one.message.role === "assistant");
    expect(seen["turn_end"]).toMatchObject({
      turnIndex: 0,
      messageEntryId: entry?.id,
      toolResultEntryIds: [expect.any(String)],
    });
    expect(seen["message_update"]).toMatchObject({ message: { role: "assistant" }, assistantMessageEvent: {} });
  });
});

describe("input", () => {
  it("is changed, and what is handled goes nowhere", async () => {
    const { session, requests } = await open(
      [
        (pi) =>
          void pi.on("input", ({ text }) =>
            text === "no" ? { action: "handled" } : { action: "transform", text: `${text}!` },
          ),
      ],
      [say("a")],
    );
    const dispositions: string[] = [];
    await session.prompt("no", { preflightResult: (one) => dispositions.push(one) });
    await session.prompt("go", { preflightResult: (one) => dispositions.push(one) });
    expect(dispositions).toEqual(["handled", "started"]);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.at(-1)).toBe("user: go!");
  });

  it("commands run at once and see the rest of the line as it is", async () => {
    const handler = vi.fn(async () => {});
    const input = vi.fn();
    const { session, requests } = await open([
      (pi) => {
        pi.registerCommand("x", { handler });
        pi.on("input", input);
      },
    ]);
    await session.prompt("/x  a ");
    expect(handler).toHaveBeenCalledWith(" a ", expect.objectContaining({ mode: "print" }));
    expect([input.mock.calls.length, requests.length]).toEqual([0, 0]);
    await expect(session.steer("/x y")).rejects.toThrow(
      'Extension command "/x" cannot be queued. Use prompt() or execute the command when not streaming.',
    );
  });
});

describe("before a run", () => {
  it("messages go along, the system prompt holds for this run only, in load order", async () => {
    const { session, requests } = await open(
      [
        (pi) =>
          void pi.on("before_agent_start", ({ messageType }) =>
            messageType === "user" && session.messages.length < 2
              ? { message: { customType: "note", content: "first note", display: true }, systemPrompt: "ONLY THIS" }
              : undefined,
          ),
        (pi) =>
          void pi.on("before_agent_start", (event, ctx) => {
            expect(event.systemPrompt).toBe(ctx.getSystemPrompt());
            if (event.systemPrompt === "ONLY THIS") return { systemPrompt: `${event.systemPrompt} AND THAT` };
            event.systemPromptOptions.sections["extra"] = "from a section";
            return undefined;
          }),
      ],
      [say("a"), say("b")],
    );
    await session.prompt("one");
    await session.prompt("two");
    expect(requests[0]?.slice(-2)).toEqual(["user: one", "user: first note"]);
    const sections = session.messages
      .filter(({ role }) => role === "system")
      .map((message) => (message as { sections?: object }).sections);
    expect(sections[0]).toMatchObject({ preamble: "ONLY THIS AND THAT" });
    expect(JSON.stringify(sections[1])).toMatch(/from a section/);
    expect(session.systemPrompt).not.toMatch(/from a section|ONLY THIS/);
  });
});

describe("requests", () => {
  it("the conversation that is sent is changed, the one that is kept is not; system messages stay", async () => {
    const { session, requests } = await open(
      [
        (pi) =>
          void pi.on("context", ({ messages }) => {
            expect(messages.some(({ role }) => role === "system")).toBe(false);
            for (const message of messages) if (message.role === "user") message.content = "changed in place";
          }),
        (pi) =>
          void pi.on("context", ({ messages }) => ({
            messages: [...messages, { role: "user", content: "added", timestamp: 1 }],
          })),
      ],
      [say("a")],
    );
    await session.prompt("go");
    expect(requests[0]?.map((line) => line.split(":")[0])).toEqual(["system", "user", "user"]);
    expect(requests[0]?.slice(1)).toEqual(["user: changed in place", "user: added"]);
    expect(session.messages.filter(({ role }) => role === "user").map((message) => textOf(message))).toEqual(["go"]);
  });

  it("messages that end are replaced everywhere by ones of the same role", async () => {
    const { session, events } = await open(
      [
        (pi) =>
          void pi.on("message_end", ({ message }) =>
            message.role === "assistant"
              ? { message: { ...message, content: [{ type: "text", text: "replaced" }] } }
              : undefined,
          ),
      ],
      [say("original")],
    );
    await session.prompt("go");
    expect(session.getLastAssistantText()).toBe("replaced");
    const stored = session.sessionManager.getEntries().findLast((entry) => entry.type === "message");
    expect(stored?.type === "message" && textOf(stored.message)).toBe("replaced");
    const told = events.findLast((event) => event.type === "message_end");
    expect(told?.type === "message_end" && textOf(told.message)).toBe("replaced");
  });
});

describe("tools", () => {
  it("calls are blocked, changed and patched; a gate that throws stays shut", async () => {
    const ran: unknown[] = [];
    const { session, requests, errors } = await open(
      [
        (pi) => {
          pi.registerTool(
            tool("t", ({ text }) => {
              ran.push(text);
              return { content: [{ type: "text", text: "result" }], details: { a: 1 } };
            }),
          );
          pi.on("tool_call", ({ input }) => {
            const given = input as { text?: string };
            if (given.text === "block") return { block: true, reason: "not this" };
            if (given.text === "throw") throw new Error("gate broken");
            given.text = `${given.text} changed`;
            return undefined;
          });
          pi.on("tool_result", ({ content, isError }) =>
            isError ? undefined : { content: [...content, { type: "text", text: "and more" }] },
          );
        },
      ],
      [call("t", { text: "block" }), call("t", { text: "throw" }), call("t", { text: "run" }), say("end")],
    );
    await session.prompt("go");
    expect(ran).toEqual(["run changed"]);
    const results = requests.at(-1)?.filter((line) => line.startsWith("toolResult"));
    expect(results).toEqual(["toolResult: not this", "toolResult: gate broken", "toolResult: result|and more"]);
    // The result says it, and nobody else.
    expect(errors).toEqual([]);
  });

  it("take the place of built-in ones, come and go, and are declared from the next request on", async () => {
    let pi: ExtensionAPI | undefined;
    const { session } = await open(
      [
        (api) => {
          pi = api;
          api.registerTool(tool("read"));
          api.registerTool({ ...tool("quiet"), defaultActive: false });
        },
      ],
      [call("later"), say("end")],
    );
    expect(session.getToolDefinition("read")?.description).toBe("read");
    expect(session.getActiveToolNames()).toEqual(["read", "bash", "edit", "write"]);
    pi?.registerTool({ ...tool("later"), promptSnippet: "Comes late" });
    expect(session.getActiveToolNames()).toContain("later");
    expect(session.systemPrompt).toMatch(/- later: Comes late/);
    pi?.setActiveTools(["quiet", "later", "none"]);
    expect(pi?.getActiveTools()).toEqual(["later", "quiet"]);
    await session.prompt("go");
    expect(textOf(session.messages.findLast(({ role }) => role === "toolResult") ?? {})).toBe("done");
    const info = pi?.getAllTools().find(({ name }) => name === "bash");
    expect(info?.sourceInfo).toEqual({
      path: "builtin:bash",
      source: "builtin",
      scope: "temporary",
      origin: "top-level",
    });
    pi?.registerTool({ ...tool("later"), exposure: "hidden" });
    expect(pi?.getActiveTools()).toEqual(["quiet"]);
  });

  it("call other tools, through all hooks, with the call they belong to", async () => {
    const seen: unknown[] = [];
    const { session, events } = await open(
      [
        (pi) => {
          pi.registerTool(
            tool("inner", ({ text }) => ({ content: [{ type: "text", text: `inner ${text}` }], details: 1 })),
          );
          pi.registerTool({
            ...tool("outer"),
            async execute(_id, _params, _signal, _onUpdate, ctx) {
              const { result, isError } = await ctx.executeTool("inner", { text: "x" });
              const missing = await ctx.executeTool("none", {});
              return { content: [...result.content, ...missing.result.content], details: { isError } };
            },
          });
          pi.on(
            "tool_call",
            ({ toolName, toolCallId, parentToolCallId }) => void seen.push([toolName, toolCallId, parentToolCallId]),
          );
        },
      ],
      [call("outer"), say("end")],
    );
    await session.prompt("go");
    expect(textOf(session.messages.findLast(({ role }) => role === "toolResult") ?? {})).toBe(
      "inner x|Tool none not found",
    );
    const [[, outerId]] = seen as [[string, string]];
    expect(seen.slice(1)).toEqual([["inner", `${outerId}/1`, outerId]]);
    const ends = events.filter((event) => event.type === "tool_execution_end").map(({ toolCallId }) => toolCallId);
    expect(ends).toEqual([`${outerId}/1`, `${outerId}/2`, outerId]);
  });
});

describe("sending (extensions.md section 4.2)", () => {
  const note = (content: string) => ({ customType: "n", content, display: true });

  it("idle: appended, or the start of a run; nextTurn: with the next prompt", async () => {
    let pi: ExtensionAPI | undefined;
    const started = vi.fn();
    const running = await open(
      [
        (api) => {
          pi = api;
          api.on("before_agent_start", ({ messageType }) => void started(messageType));
        },
      ],
      [say("a"), say("b")],
    );
    pi?.sendMessage(note("just kept"));
    await running.idle();
    expect(running.session.messages.map((message) => textOf(message))).toEqual(["just kept"]);
    pi?.sendMessage(note("for later"), { deliverAs: "nextTurn", triggerTurn: true });
    pi?.sendMessage(note("run now"), { triggerTurn: true });
    await running.idle();
    expect(started.mock.calls).toEqual([["custom"]]);
    expect(running.requests[0]).toEqual(["user: just kept", "system: ", "user: run now", "user: for later"]);
    expect(running.session.sessionManager.getEntries().filter(({ type }) => type === "custom_message")).toHaveLength(3);
    pi?.sendUserMessage([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]);
    await running.idle();
    expect(running.requests[1]?.at(-1)).toBe("user: a\nb");
  });

  it("while a run is active: steered, queued, or put behind the turn; never between a call and its result", async () => {
    let pi: ExtensionAPI | undefined;
    const { idle, session, requests, errors } = await open(
      [
        (api) => {
          pi = api;
          api.registerTool(
            tool("t", () => {
              pi?.sendMessage(note("steered"));
              pi?.sendMessage(note("behind"), { triggerTurn: false });
              pi?.sendMessage(note("follow"), { deliverAs: "followUp" });
              pi?.sendUserMessage("refused");
              pi?.sendUserMessage("queued", { deliverAs: "followUp" });
              return { content: [{ type: "text", text: "r" }], details: 1 };
            }),
          );
        },
      ],
      [call("t"), say("a"), say("b"), say("c")],
    );
    await session.prompt("go");
    await idle();
    expect(requests[1]?.slice(-3)).toEqual(["toolResult: r", "user: behind", "user: steered"]);
    expect(requests[2]?.at(-1)).toBe("user: follow");
    expect(requests[3]?.at(-1)).toBe("user: queued");
    expect(errors).toMatchObject([
      { extensionPath: "<runtime>", event: "send_user_message", error: /already processing/ },
    ]);
  });

  it("from agent_settled: after all its handlers", async () => {
    const order: string[] = [];
    const { session, requests } = await open(
      [
        (pi) =>
          void pi.on("agent_settled", () => {
            if (order.length === 0) pi.sendUserMessage("again");
            order.push("a");
          }),
        (pi) =>
          void pi.on("agent_settled", async () => {
            await new Promise((resolve) => setTimeout(resolve, 5));
            order.push(`b ${session.messages.length}`);
          }),
      ],
      [say("1"), say("2")],
    );
    await session.prompt("go");
    await vi.waitFor(() => expect(order).toHaveLength(4));
    expect(order).toEqual(["a", "b 3", "a", "b 5"]);
    expect(requests[1]?.at(-1)).toBe("user: again");
  });

  it("entries, names and labels are in the session", async () => {
    let pi: ExtensionAPI | undefined;
    const names: unknown[] = [];
    const { session, events } = await open([
      (api) => {
        pi = api;
        api.on("session_info_changed", ({ name }) => void names.push(name));
      },
    ]);
    pi?.appendEntry("state", { a: 1 });
    pi?.setSessionName("called");
    const entry = session.sessionManager.getEntries().find(({ type }) => type === "custom");
    pi?.setLabel(entry?.id ?? "", "here");
    expect(entry).toMatchObject({ customType: "state", data: { a: 1 } });
    expect(events.filter(({ type }) => type === "entry_appended")).toHaveLength(1);
    expect([pi?.getSessionName(), names]).toEqual(["called", ["called"]]);
    expect(session.sessionManager.getLabel(entry?.id ?? "")).toBe("here");
  });
});
