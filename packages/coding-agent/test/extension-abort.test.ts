import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import type { ExtensionAPI, ExtensionFactory } from "../src/index.js";
import { call, say, tool, useExtensionSession } from "./extension-session.js";

const open = useExtensionSession("pi-extension-abort-");
const never = () => new Promise<never>(() => {});

/** The longest an abort may take, in ms. */
const BOUND_MS = 1000;

const provider = (pi: ExtensionAPI, streamSimple: () => unknown) =>
  pi.registerProvider("deaf", {
    api: "deaf-api",
    baseUrl: "http://127.0.0.1:9",
    apiKey: "k",
    models: [
      {
        id: "d",
        name: "d",
        reasoning: false,
        input: ["text"],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 1000,
        maxTokens: 10,
      },
    ],
    streamSimple: streamSimple as never,
  });

const hanging: [string, ExtensionFactory, string][] = [
  ["a tool", (pi) => pi.registerTool(tool("deaf", never)), 'The tool "deaf"'],
  [
    "a tool that a tool calls",
    (pi) => {
      pi.registerTool(tool("inner", never));
      pi.registerTool({
        ...tool("deaf"),
        parameters: Type.Object({}),
        execute: async (_id, _params, _signal, _update, ctx) => {
          const { result } = await ctx.executeTool("inner", {});
          return result as never;
        },
      });
    },
    'The tool "inner"',
  ],
  [
    "a tool_call handler",
    (pi) => {
      pi.registerTool(tool("deaf"));
      pi.on("tool_call", never);
    },
    "The handler of tool_call",
  ],
  ["a context handler", (pi) => pi.on("context", never), "The handler of context"],
  ["a before_agent_start handler", (pi) => pi.on("before_agent_start", never), "The handler of before_agent_start"],
];

describe("abort ends the run within a second", () => {
  it.each(hanging)("though %s never ends, which is told once", async (_what, factory, culprit) => {
    const { session, events, errors } = await open([factory], [call("deaf"), say("again")]);
    const run = session.prompt("go");
    await new Promise((resolve) => setTimeout(resolve, 50));
    const start = performance.now();
    await session.abort();
    expect(performance.now() - start).toBeLessThan(BOUND_MS);
    await run;
    expect(events.at(-1)).toMatchObject({ type: "agent_settled", aborted: true });
    const told = errors.filter(({ error }) => error.startsWith(culprit));
    expect(told.map(({ extensionPath }) => extensionPath)).toEqual(["<inline:1>"]);
    expect(told[0]?.error).toMatch(/did not end when the run was aborted/);
  });

  it("though the stream of a provider says nothing, also while it summarises; the next prompt runs", async () => {
    const { session, errors, runtime } = await open(
      [(pi) => provider(pi, () => createAssistantMessageEventStream())],
      [say("one"), say("two"), say("three")],
    );
    await session.prompt("first ".repeat(100));
    await session.prompt("second ".repeat(100));
    const own = session.model;
    const deaf = runtime.services.modelRuntime.getModel("deaf", "d");
    if (!own || !deaf) throw new Error("models are missing");
    await session.setModel(deaf);
    const runs = [() => session.prompt("go"), () => session.compact().catch((error: Error) => error.message)];
    const ends: unknown[] = [];
    for (const begin of runs) {
      const run = begin();
      await new Promise((resolve) => setTimeout(resolve, 50));
      const start = performance.now();
      await session.abort();
      expect(performance.now() - start).toBeLessThan(BOUND_MS);
      ends.push(await run);
    }
    expect(ends).toEqual([undefined, "Compaction cancelled"]);
    expect(errors.map(({ error }) => error)).toEqual([
      'The provider "deaf" did not end when the run was aborted. It is not waited for any more; what it still says is dropped.',
    ]);
    await session.setModel(own);
    await session.prompt("third");
    expect(session.getLastAssistantText()).toBe("three");
  });
});
