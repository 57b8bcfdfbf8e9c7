import { type ScriptedServer, type ServedApi, startScriptedServer } from "@pi/testkit";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GrammarInput, grammarTools } from "../src/api/grammar-tools.js";
import { streamSimple } from "../src/compat.js";
import { ToolCallArgumentsStream } from "../src/json/tool-call-arguments.js";
import type { AssistantMessage, Message, Model, Tool, ToolResultMessage } from "../src/types.js";
import { ALL_APIS, keyFor, modelOn } from "./all-apis.js";

/** Tools whose argument follows a grammar. Rules: llm.md section 8, llm-wire.md sections 2 and 3. */

const lark = 'start: "*** Begin" /.+/';
const patch: Tool = {
  name: "patch",
  description: "Patches files",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  constrainedSampling: { type: "grammar", variants: { openai_lark: lark, openai_regex: ".*" } },
};
const INPUT = '*** Begin\n"quoted" \\ {json?} 👋\u2028 end';

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer({ script: [] });
});
afterEach(() => server.close());

async function ask(model: Model, messages: Message[], tools: Tool[] = [patch]): Promise<AssistantMessage> {
  const message = await streamSimple(model, { messages, tools }, { apiKey: keyFor(model.api) }).result();
  expect(server.requests.at(-1)?.problems).toEqual([]);
  return message;
}

const hi: Message = { role: "user", content: "hi", timestamp: 1 };
const grammars = (api: ServedApi): Model => modelOn(server, api, { compat: { supportsOpenAIGrammarTools: true } });
function resultOf(message: AssistantMessage): ToolResultMessage {
  const call = message.content.find((block) => block.type === "toolCall");
  if (!call) throw new Error(message.errorMessage ?? "no call");
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: "done" }],
    isError: false,
    timestamp: 2,
  };
}

const WITH_GRAMMARS = [
  "openai-completions",
  "openai-responses",
  "azure-openai-responses",
  "openai-codex-responses",
] as const;

describe.each(WITH_GRAMMARS)("%s", (api) => {
  test("declares the grammar, takes the call, and sends it back as it came", async () => {
    for (const deltaSize of [1, 7, 1000]) {
      server.push({ blocks: [{ type: "toolCall", name: "patch", arguments: INPUT }], deltaSize });
      const message = await ask(grammars(api), [hi]);
      expect(message).toMatchObject({
        stopReason: "toolUse",
        content: [{ type: "toolCall", name: "patch", arguments: { text: INPUT } }],
      });
      expect(message.content[0]).not.toHaveProperty("argumentsError");
      const [declared] = (server.requests.at(-1)?.body["tools"] ?? []) as object[];
      const common = { name: "patch", description: "Patches files" };
      const format = { syntax: "lark", definition: lark };
      expect(declared).toEqual(
        api === "openai-completions"
          ? { type: "custom", custom: { ...common, format: { type: "grammar", grammar: format } } }
          : { type: "custom", ...common, format: { type: "grammar", ...format } },
      );

      server.push({ blocks: [{ type: "text", text: "ok" }] });
      await ask(grammars(api), [hi, message, resultOf(message)]);
      const turns = server.requests.at(-1)?.conversation.turns;
      expect(turns?.[1]).toMatchObject({ role: "assistant", toolCalls: [{ name: "patch", arguments: INPUT }] });
      expect(turns?.[2]).toMatchObject({ role: "toolResults", results: [{ text: "done" }] });
    }
  });

  test("without support it is a plain function, also for calls from before", async () => {
    server.push({ blocks: [{ type: "toolCall", name: "patch", arguments: INPUT }] });
    const message = await ask(grammars(api), [hi]);
    server.push({ blocks: [{ type: "toolCall", name: "patch", arguments: { text: "x" } }] });
    const next = await ask(modelOn(server, api), [hi, message, resultOf(message)]);
    expect(next.content).toMatchObject([{ type: "toolCall", name: "patch", arguments: { text: "x" } }]);
    const { body, conversation } = server.requests.at(-1) ?? {};
    expect(JSON.stringify(body?.["tools"])).not.toMatch(/custom|grammar/);
    expect(conversation?.turns[1]).toMatchObject({ toolCalls: [{ name: "patch", arguments: { text: INPUT } }] });
  });
});

test("a call with bare text is taken over by every API", async () => {
  server.push({ blocks: [{ type: "toolCall", name: "patch", arguments: INPUT }] });
  const message = await ask(grammars("openai-responses"), [hi]);
  for (const api of ALL_APIS) {
    server.push({ blocks: [{ type: "text", text: "ok" }] });
    const next = await streamSimple(
      modelOn(server, api),
      { messages: [hi, message, resultOf(message)], tools: [patch] },
      { apiKey: keyFor(api), env: { GOOGLE_CLOUD_PROJECT: "p", GOOGLE_CLOUD_LOCATION: "l" } },
    ).result();
    expect([api, next.errorMessage, server.requests.at(-1)?.problems]).toEqual([api, undefined, []]);
  }
});

describe("which tools have a grammar", () => {
  const object = (properties: object, required: string[]): object => ({ type: "object", properties, required });
  const text = { type: "string" };

  test.each<[string, Tool["constrainedSampling"], object | undefined]>([
    ["lark before regex", patch.constrainedSampling, { syntax: "lark", definition: lark }],
    ["regex", { type: "grammar", variants: { openai_regex: "a+" } }, { syntax: "regex", definition: "a+" }],
    ["of another provider", { type: "grammar", variants: {} }, undefined],
    ["a schema only", { type: "json_schema", strict: "prefer" }, undefined],
    ["nothing", false, undefined],
  ])("%s", (_name, constrainedSampling, format) => {
    const tool: Tool = { ...patch, ...(constrainedSampling === undefined ? {} : { constrainedSampling }) };
    expect(grammarTools([tool], true).get("patch")?.format).toEqual(format);
    expect(grammarTools([tool], false).size).toBe(0);
  });

  test.each<[string, object]>([
    ["two properties", object({ a: text, b: text }, ["a", "b"])],
    ["none", object({}, [])],
    ["an optional one", object({ a: text }, [])],
    ["a number", object({ a: { type: "number" } }, ["a"])],
    ["no object", { type: "string" }],
  ])("parameters with %s have no place for the text", (_name, parameters) => {
    expect(() => grammarTools([{ ...patch, parameters }], true)).toThrow(
      'Tool "patch" requires grammar constrained sampling, but its parameters are not an object with exactly one required string property',
    );
  });
});

test("any text in any pieces becomes the same argument", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), fc.boolean(), (pieces, whole) => {
      const stream = new ToolCallArgumentsStream();
      const input = new GrammarInput(stream, "patch", grammarTools([patch], true));
      for (const piece of pieces) input.append(piece);
      if (whole) input.finish(pieces.join(""));
      else input.end();
      expect(stream.finish()).toEqual({ arguments: { text: pieces.join("") } });
    }),
  );
});
