import { expect, test } from "vitest";
import { cleanupSessionResources } from "../session-resources.js";
import { normalizeContext } from "../transcript/context.js";
import type { AssistantMessage, Model, Tool } from "../types.js";
import { streamSimple } from "./anthropic-messages.js";

const model: Model = {
  id: "m",
  name: "M",
  api: "anthropic-messages",
  provider: "p",
  baseUrl: "http://x",
  reasoning: false,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000,
  maxTokens: 100,
  compat: { supportsStrictTools: true },
};
const parameters = { type: "object", properties: {}, required: [] };
const tool = (name: string, strict: "prefer" | "require"): Tool => ({
  name,
  description: "",
  parameters,
  constrainedSampling: { type: "json_schema", strict },
});
const refusal = (message: string): Response =>
  new Response(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }), { status: 400 });
const TOO_LARGE = "The compiled grammar is too large. Reduce the number of strict tools.";

/** Answers one refusal after the other, then an empty stream; notes which tools were sent strict. */
async function ask(refusals: string[], sessionId?: string): Promise<{ strict: string[][]; message: AssistantMessage }> {
  const strict: string[][] = [];
  const context = normalizeContext({ messages: [], tools: [tool("a", "prefer"), tool("b", "require")] });
  const message = await streamSimple(model, context, {
    apiKey: "k",
    sessionId,
    fetch: async (_url, init) => {
      const { tools } = JSON.parse(String(init?.body)) as { tools: { name: string; strict?: boolean }[] };
      strict.push(tools.filter((sent) => sent.strict).map(({ name }) => name));
      const text = refusals.shift();
      return text === undefined ? new Response("") : refusal(text);
    },
  }).result();
  return { strict, message };
}

test("preferred strict schemas are given up once, and for the rest of the session", async () => {
  const first = await ask([TOO_LARGE], "s");
  expect(first.strict).toEqual([["a", "b"], ["b"]]);
  expect(first.message.diagnostics).toMatchObject([{ type: "anthropic_strict_tools_fallback" }]);
  expect((await ask([], "s")).strict).toEqual([["b"]]);
  expect((await ask([], "other")).strict).toEqual([["a", "b"]]);
  cleanupSessionResources("s");
  expect((await ask([], "s")).strict).toEqual([["a", "b"]]);
});

test("a second refusal is final, and other refusals are none of it", async () => {
  const twice = await ask([TOO_LARGE, TOO_LARGE]);
  expect(twice.strict).toHaveLength(2);
  expect(twice.message.errorMessage).toMatch(/^400 .*too large/);
  for (const other of ["prompt is too long: 300000 tokens > 200000 maximum", "messages: unexpected role"]) {
    expect((await ask([other])).strict).toHaveLength(1);
  }
});
