import { type ScriptedServer, type ServedApi, startScriptedServer } from "@pi/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { streamSimple } from "../src/compat.js";
import type { AssistantMessage, Context, Message, ThinkingLevel, ToolResultMessage } from "../src/types.js";
import { ALL_APIS, keyFor, modelOn } from "./all-apis.js";

/**
 * One conversation that goes on through all APIs in turn. Every API has a server of its own, which knows no signatures
 * but its own and refuses what the real provider refuses.
 */

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = { type: "image" as const, data: PNG, mimeType: "image/png" };

const servers = new Map<ServedApi, ScriptedServer>();
const server = (api: ServedApi): ScriptedServer => {
  const found = servers.get(api);
  if (!found) throw new Error(`no server for ${api}`);
  return found;
};

beforeAll(async () => {
  for (const api of ALL_APIS) servers.set(api, await startScriptedServer({ script: [] }));
});
afterAll(async () => {
  for (const one of servers.values()) await one.close();
});

const tools: NonNullable<Context["tools"]> = [
  {
    name: "read",
    description: "Reads a file",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, limit: { type: "number" } },
      required: ["path"],
    },
    constrainedSampling: { type: "json_schema", strict: "prefer" },
  },
];

async function ask(
  api: ServedApi,
  messages: Message[],
  turn: Parameters<ScriptedServer["push"]>[0],
  reasoning: ThinkingLevel | undefined,
): Promise<AssistantMessage> {
  server(api).push(turn);
  const context: Context = { systemPrompt: "Be brief. \ud800", messages, tools };
  const options = { apiKey: keyFor(api), sessionId: "session-1", ...(reasoning ? { reasoning } : {}) };
  const env = { GOOGLE_CLOUD_PROJECT: "project", GOOGLE_CLOUD_LOCATION: "here" };
  const message = await streamSimple(modelOn(server(api), api), context, { ...options, env }).result();
  expect(`${api}: ${message.errorMessage ?? "ok"}`).toBe(`${api}: ok`);
  expect(server(api).requests.at(-1)?.problems).toEqual([]);
  return message;
}

let clock = 1;
const user = (text: string): Message => ({
  role: "user",
  content: [{ type: "text", text: `${text} \udc00` }, image],
  timestamp: clock++,
});

function results(message: AssistantMessage): ToolResultMessage[] {
  const calls = message.content.filter((block) => block.type === "toolCall");
  return calls.map((call, index) => ({
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: `result ${index} \ud83d` }, ...(index === 0 ? [image] : [])],
    isError: index === 1,
    timestamp: clock++,
  }));
}

/** A turn on one API with thinking, text, two calls and their results, and the answer to them on the next one. */
async function goThrough(order: readonly ServedApi[], reasoning: ThinkingLevel | undefined): Promise<void> {
  const messages: Message[] = [];
  for (const [index, api] of order.entries()) {
    messages.push(user(`question ${index}`));
    const calling = await ask(
      api,
      messages,
      {
        blocks: [
          { type: "thinking", text: `pondering ${index}` },
          { type: "text", text: `Let me see ${index}` },
          { type: "toolCall", name: "read", arguments: { path: "a.png" } },
          { type: "toolCall", name: "read", arguments: { path: "missing" } },
        ],
      },
      reasoning,
    );
    messages.push(calling, ...results(calling));
    // The model changes in the middle of a turn: the next one answers the results of this one's calls.
    const next = order[(index + 1) % order.length] ?? api;
    const answer = await ask(next, messages, { blocks: [{ type: "text", text: `Answer ${index}` }] }, reasoning);
    messages.push(answer);
    // What failed, and calls that nobody answered, must not stand in the way of anybody.
    messages.push(user("never answered"), {
      ...calling,
      content: [...calling.content],
      stopReason: "aborted",
      errorMessage: "Request was aborted",
    });
  }
  const last = server(order[0] ?? "anthropic-messages").requests.at(-1);
  const seen = last?.conversation.turns.filter((turn) => turn.role === "toolResults") ?? [];
  expect(seen).toHaveLength(order.length);
  for (const turn of seen) if (turn.role === "toolResults") expect(turn.results).toHaveLength(2);
}

const rotated = (by: number): ServedApi[] => [...ALL_APIS.slice(by), ...ALL_APIS.slice(0, by)];

test.each([0, 3, 5, 7])("in order, beginning with number %i", (by) => goThrough(rotated(by), "high"));
test("backwards, without thinking", () => goThrough([...ALL_APIS].reverse(), undefined));
// Back on the first one without its encrypted reasoning, which nobody asked for at level off.
test.each(ALL_APIS)("from %s and back to it, without thinking", (api) => {
  const others = ALL_APIS.filter((other) => other !== api).slice(0, 2);
  return goThrough([api, ...others], undefined);
});

test("in any order, with any thinking", async () => {
  const level = fc.constantFrom<ThinkingLevel | undefined>(undefined, "minimal", "low", "medium", "high");
  await fc.assert(fc.asyncProperty(fc.shuffledSubarray([...ALL_APIS], { minLength: 2 }), level, goThrough), {
    numRuns: 12,
  });
});

test.each(ALL_APIS)("a call without a result, then %s", async (api) => {
  const [from = "anthropic-messages"] = ALL_APIS.filter((other) => other !== api);
  const messages: Message[] = [user("one")];
  const calling = await ask(
    from,
    messages,
    { blocks: [{ type: "toolCall", name: "read", arguments: { path: "a" } }] },
    "low",
  );
  messages.push(calling, user("two"));
  await ask(api, messages, { blocks: [{ type: "text", text: "ok" }] }, "low");
  const turns = server(api).requests.at(-1)?.conversation.turns ?? [];
  const told = turns.flatMap((turn) => (turn.role === "toolResults" ? turn.results.map(({ text }) => text) : []));
  expect(told).toEqual(["No result provided"]);
});
