import { type ScriptedServer, type ServedApi, startScriptedServer } from "@pi/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { streamSimple } from "../src/compat.js";
import { emptyUsage } from "../src/models/cost.js";
import type { AssistantMessage, Context, Message, Model, ToolCall, ToolResultMessage } from "../src/types.js";
import { ALL_APIS, keyFor, modelOn } from "./all-apis.js";

/** Ids of calls may be missing, doubled or odd, in a new answer and in an old session: no request is refused for it. */

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer({ script: [] });
});
afterAll(() => server.close());

const tools: NonNullable<Context["tools"]> = [
  { name: "read", description: "Reads", parameters: { type: "object", properties: { n: { type: "number" } } } },
];
const env = { GOOGLE_CLOUD_PROJECT: "p", GOOGLE_CLOUD_LOCATION: "l" };
const user = (content: string): Message => ({ role: "user", content, timestamp: 1 });
const calls = (message: AssistantMessage): ToolCall[] => message.content.filter((block) => block.type === "toolCall");
const results = (message: AssistantMessage, round = 0): ToolResultMessage[] =>
  calls(message).map((call, index) => ({
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: `result ${round}.${index}` }],
    isError: false,
    timestamp: 1,
  }));

function request(model: Model, messages: Message[]) {
  return streamSimple(model, { messages, tools }, { apiKey: keyFor(model.api), env });
}

/** Asks once more and looks at what the server saw: every result under its call, in order. */
async function accepted(model: Model, messages: Message[], rounds: readonly number[]): Promise<void> {
  server.push({ blocks: [{ type: "text", text: "ok" }] });
  const answer = await request(model, messages).result();
  const last = server.requests.at(-1);
  expect([model.api, answer.errorMessage, last?.problems]).toEqual([model.api, undefined, []]);
  const turns = last?.conversation.turns ?? [];
  const seenCalls = turns.flatMap((turn) => (turn.role === "assistant" ? turn.toolCalls : []));
  const seenResults = turns.flatMap((turn) => (turn.role === "toolResults" ? turn.results : []));
  const expected = rounds.flatMap((count, round) => Array.from({ length: count }, (_, n) => `result ${round}.${n}`));
  expect(seenResults.map(({ text }) => text)).toEqual(expected);
  if (seenCalls.some(({ id }) => id !== "")) {
    expect(seenResults.map(({ callId }) => callId)).toEqual(seenCalls.map(({ id }) => id));
  }
}

const odd = fc.oneof(
  fc.constantFrom("", "a", "a", "|", "a|", "|fc_1", "a|fc_1", "a|fc_2", "b|fc_1", "functions.read:0", "null", "_"),
  fc.constantFrom("x".repeat(70), `${"x".repeat(70)}y`, `a|fc_${"x".repeat(70)}`, "a|fc_ä", "abc def 9", "abcdefghi"),
  fc.string({ maxLength: 12 }),
);
const ids = fc.array(odd, { minLength: 1, maxLength: 5 });

describe.each(ALL_APIS)("%s", (api: ServedApi) => {
  test.each([[["same", "same"]], [["", ""]], [["same", "", "same", "other"]]])(
    "an answer with calls under the ids %j",
    async (given) => {
      server.push({
        blocks: given.map((id, n) => ({ type: "toolCall" as const, id, name: "read", arguments: { n } })),
      });
      const model = modelOn(server, api);
      const stream = request(model, [user("go")]);
      const started: string[] = [];
      for await (const event of stream) {
        if (event.type !== "toolcall_start") continue;
        const block = event.partial.content[event.contentIndex];
        if (block?.type === "toolCall") started.push(block.id);
      }
      const answer = await stream.result();
      const own = calls(answer);
      expect(own.map((call) => call.arguments)).toEqual(given.map((_, n) => ({ n })));
      expect(own.map(({ id }) => id)).toEqual(started);
      expect(new Set(started).size).toBe(given.length);
      expect(started).not.toContain("");
      await accepted(model, [user("go"), answer, ...results(answer)], [given.length]);
    },
  );

  test("any ids in an answer", async () => {
    await fc.assert(
      fc.asyncProperty(ids, async (given) => {
        server.push({
          blocks: given.map((id, n) => ({ type: "toolCall" as const, id, name: "read", arguments: { n } })),
        });
        const model = modelOn(server, api);
        const answer = await request(model, [user("go")]).result();
        expect([answer.errorMessage, calls(answer).length]).toEqual([undefined, given.length]);
        await accepted(model, [user("go"), answer, ...results(answer)], [given.length]);
      }),
      { numRuns: 25 },
    );
  });

  test("any ids in a session that has them already", async () => {
    const own = modelOn(server, api);
    const source = fc.constantFrom(own, ...ALL_APIS.map((other) => modelOn(server, other)));
    const rounds = fc.array(fc.tuple(source, ids), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(rounds, async (given) => {
        const messages: Message[] = [];
        for (const [round, [from, own]] of given.entries()) {
          const message: AssistantMessage = {
            role: "assistant",
            content: own.map((id, n) => ({ type: "toolCall", id, name: "read", arguments: { n } })),
            api: from.api,
            provider: from.provider,
            model: from.id,
            usage: emptyUsage(),
            stopReason: "toolUse",
            timestamp: 1,
          };
          messages.push(user(`go ${round}`), message, ...results(message, round));
        }
        await accepted(
          own,
          messages,
          given.map(([, own]) => own.length),
        );
      }),
      { numRuns: 40 },
    );
  });
});
