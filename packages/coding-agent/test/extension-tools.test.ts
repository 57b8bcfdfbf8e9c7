import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import type { ExtensionAPI, ToolDefinition } from "../src/index.js";
import { call, say, textOf, useExtensionSession } from "./extension-session.js";

const open = useExtensionSession("pi-extension-tools-");

const text = (words: string) => ({ content: [{ type: "text" as const, text: words }], details: undefined });
const tool = (name: string, rest: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  label: name,
  description: name,
  parameters: Type.Object({ text: Type.Optional(Type.String()) }),
  execute: async () => text("done"),
  ...rest,
});
const usage = {
  input: 3,
  output: 4,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 7,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 },
};

describe("what a tool says of itself", () => {
  it("the prompt lists its line and its rules while it is active, once and trimmed", async () => {
    let pi: ExtensionAPI | undefined;
    const { session } = await open([
      (api) => {
        pi = api;
        const promptGuidelines = ["  Deploy on Fridays only. ", "Keep answers short and to the point."];
        api.registerTool(tool("deploy", { promptSnippet: "Brings\n  it   out", promptGuidelines }));
        api.registerTool(tool("ship", { promptGuidelines: ["Deploy on Fridays only."] }));
        // In the place of a built-in tool: what that one says in the prompt is not said for it.
        api.registerTool(tool("bash"));
      },
    ]);
    const prompt = session.systemPrompt;
    expect(prompt).toContain("- deploy: Brings it out\n");
    expect(prompt.match(/- Deploy on Fridays only\.$/gm)).toHaveLength(1);
    expect(prompt.match(/- Keep answers short and to the point\.$/gm)).toHaveLength(1);
    expect(prompt).not.toMatch(/- ship:|- bash:/);
    pi?.setActiveTools(["read"]);
    expect(session.systemPrompt).not.toMatch(/Fridays|deploy/);
  });

  it("its exposure says whether it is active, and for whom; one that was withdrawn can come back", async () => {
    let pi: ExtensionAPI | undefined;
    let callable: string[] = [];
    const exposures = ["direct", "model-only", "codemode", "deferred", "hidden"] as const;
    const { session } = await open(
      [
        (api) => {
          pi = api;
          for (const exposure of exposures) api.registerTool(tool(exposure, { exposure }));
          api.registerTool(tool("sleeping", { defaultActive: false }));
          api.registerTool(
            tool("look", {
              execute: async (_id, _params, _signal, _update, ctx) => {
                callable = ctx.tools.map(({ name }) => name);
                return text("looked");
              },
            }),
          );
        },
      ],
      [call("look"), say("end")],
    );
    const own = () => pi?.getActiveTools().filter((name) => !["read", "bash", "edit", "write"].includes(name));
    expect(own()).toEqual(["direct", "model-only", "look"]);
    await session.prompt("go");
    expect(callable).toEqual(expect.arrayContaining(["direct", "codemode", "deferred", "sleeping", "read"]));
    expect(callable).not.toContain("model-only");
    expect(callable).not.toContain("hidden");
    pi?.setActiveTools(["deferred", "hidden", "unknown", "sleeping"]);
    expect(own()).toEqual(["deferred", "sleeping"]);
    pi?.registerTool(tool("deferred", { exposure: "hidden" }));
    expect(own()).toEqual(["sleeping"]);
    pi?.registerTool(tool("deferred"));
    expect(own()).toEqual(["sleeping", "deferred"]);
    expect(pi?.getAllTools().map(({ name, exposure }) => [name, exposure])).toEqual(
      expect.arrayContaining([
        ["hidden", "hidden"],
        ["codemode", "codemode"],
        ["read", "direct"],
      ]),
    );
  });

  it("getAllTools tells what is known of it", async () => {
    let pi: ExtensionAPI | undefined;
    await open([
      (api) => {
        pi = api;
        api.registerTool(
          tool("known", {
            promptGuidelines: ["Rule."],
            namespace: { name: "space" },
            annotations: { readOnlyHint: true },
            reachesTools: ["read"],
          }),
        );
      },
    ]);
    expect(pi?.getAllTools().find(({ name }) => name === "known")).toEqual({
      name: "known",
      description: "known",
      parameters: tool("known").parameters,
      exposure: "direct",
      promptGuidelines: ["Rule."],
      namespace: { name: "space" },
      annotations: { readOnlyHint: true },
      reachesTools: ["read"],
      sourceInfo: { path: "<inline:1>", source: "inline", scope: "temporary", origin: "top-level" },
    });
  });
});

describe("the call of a tool", () => {
  it("arguments are repaired, then made to fit, then checked; hooks and the tool see the same", async () => {
    const seen: unknown[] = [];
    const { session, requests } = await open(
      [
        (pi) => {
          pi.registerTool(
            tool("count", {
              parameters: Type.Object({ n: Type.Number(), list: Type.Array(Type.String()) }),
              prepareArguments: (raw) => {
                const { number, ...rest } = raw as { number?: unknown };
                return { ...rest, n: number };
              },
              execute: async (_id, params) => {
                seen.push(params);
                return text("counted");
              },
            }),
          );
          pi.on("tool_call", ({ input }) => void seen.push(structuredClone(input)));
        },
      ],
      [call("count", { number: "7", list: "one" }), call("count", { list: [] }), say("end")],
    );
    await session.prompt("go");
    expect(seen).toEqual([
      { n: 7, list: ["one"] },
      { n: 7, list: ["one"] },
    ]);
    expect(requests.at(-1)?.at(-1)).toMatch(/^toolResult: [\s\S]*\bn\b/);
  });

  it("a gate that throws something else than an error says that it failed", async () => {
    const { session, requests } = await open(
      [
        (pi) => {
          pi.registerTool(tool("t"));
          pi.on("tool_call", () => {
            throw "a tantrum";
          });
        },
      ],
      [call("t"), say("end")],
    );
    await session.prompt("go");
    expect(requests.at(-1)?.at(-1)).toBe("toolResult: Extension failed, blocking execution: a tantrum");
  });

  it("tools that must run alone make their batch wait; what they cost is counted; terminate needs all of a batch", async () => {
    const order: string[] = [];
    const step = (name: string) =>
      tool(name, {
        executionMode: name === "alone" ? "sequential" : "parallel",
        execute: async () => {
          order.push(`${name} begins`);
          await new Promise((resolve) => setTimeout(resolve, 5));
          order.push(`${name} ends`);
          return { ...text(name), usage, terminate: true };
        },
      });
    const both = call("together");
    both.content.push({ type: "toolCall", id: "second", name: "alone", arguments: {} });
    const { session, requests } = await open(
      [
        (pi) => {
          for (const name of ["together", "alone"]) pi.registerTool(step(name));
        },
      ],
      [both, say("never asked")],
    );
    await session.prompt("go");
    expect(order).toEqual(["together begins", "together ends", "alone begins", "alone ends"]);
    expect(requests).toHaveLength(1);
    expect(session.getSessionStats()).toMatchObject({ cost: 1, toolResults: 2 });
  });

  it("calls of other tools are recorded with its result, and so is what they cost", async () => {
    const { session } = await open(
      [
        (pi) => {
          pi.registerTool(tool("inner", { execute: async () => ({ ...text("in"), usage }) }));
          pi.registerTool(
            tool("outer", {
              execute: async (_id, _params, _signal, _update, ctx) => {
                await ctx.executeTool("inner", { text: "x" });
                await ctx.executeTool("none", {});
                return { ...text("out"), usage };
              },
            }),
          );
        },
      ],
      [call("outer"), say("end")],
    );
    await session.prompt("go");
    const entry = session.sessionManager
      .getBranch()
      .findLast((one) => one.type === "message" && one.message.role === "toolResult");
    const { toolCallId, nestedCalls, usage: total } = (entry as never as { message: Record<string, never> }).message;
    expect(nestedCalls).toEqual({
      complete: true,
      calls: [
        {
          id: `${toolCallId}/1`,
          name: "inner",
          arguments: { text: "x" },
          status: "ok",
          durationMs: expect.any(Number),
        },
        { id: `${toolCallId}/2`, name: "none", arguments: {}, status: "error", error: "Tool none not found" },
      ],
    });
    expect(total).toMatchObject({ input: 6, cost: { total: 1 } });
    expect(session.getSessionStats().cost).toBe(1);
  });

  it("images that are too large for the model are made smaller, and it is told; the rest stays as it is", async () => {
    const { PhotonImage } = await import("@silvia-odwyer/photon-node");
    const image = (width: number) => ({
      type: "image" as const,
      mimeType: "image/png",
      data: Buffer.from(new PhotonImage(new Uint8Array(width * 4).fill(255), width, 1).get_bytes()).toString("base64"),
    });
    const small = image(10);
    const { session } = await open(
      [
        (pi) =>
          pi.registerTool(
            tool("draw", {
              execute: async () => ({
                content: [small, image(3000), { type: "image", mimeType: "image/png", data: "bm90IGFuIGltYWdl" }],
                details: undefined,
                structuredContent: { kept: true },
              }),
            }),
          ),
      ],
      [call("draw"), say("end")],
    );
    await session.prompt("go");
    const result = session.messages.findLast(({ role }) => role === "toolResult") as never as {
      content: { type: string; data?: string; text?: string }[];
    };
    expect(result.content.map(({ type }) => type)).toEqual(["image", "image", "image", "text"]);
    expect(result.content[0]).toEqual(small);
    expect(result.content[1]?.data).not.toBe(image(3000).data);
    expect(result.content[2]?.data).toBe("bm90IGFuIGltYWdl");
    expect(textOf(result)).toMatch(/3000/);
  });

  it("updates reach listeners while it runs, and none after it has ended", async () => {
    let late: (() => void) | undefined;
    const { session, events } = await open(
      [
        (pi) =>
          pi.registerTool(
            tool("slow", {
              execute: async (_id, _params, _signal, onUpdate) => {
                onUpdate?.(text("half"));
                late = () => onUpdate?.(text("late"));
                return text("whole");
              },
            }),
          ),
      ],
      [call("slow"), say("end")],
    );
    await session.prompt("go");
    late?.();
    const updates = events.filter((event) => event.type === "tool_execution_update");
    expect(updates.map((event) => textOf(event.partialResult))).toEqual(["half"]);
  });
});
