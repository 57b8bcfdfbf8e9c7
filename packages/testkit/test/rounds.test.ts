import { expect, test } from "vitest";
import { type ScriptedServer, type ScriptedServerOptions, startScriptedServer } from "../src/index.js";
import { type Answer, apis, assemble, bodies, type ClientApi, post, readAll } from "./clients.js";

/** The second request of a tool round, built from the first answer as a faithful client would. */
function continued(api: ClientApi, answer: Answer): Record<string, unknown> {
  const body = structuredClone(bodies[api]);
  const { text, thinking, signature } = answer;
  const [call] = answer.calls;
  if (call === undefined) throw new Error("no call");
  switch (api) {
    case "anthropic-messages":
      (body["messages"] as object[]).push(
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking, signature },
            { type: "text", text },
            { type: "tool_use", id: call.id, name: call.name, input: JSON.parse(call.arguments) },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "42 lines" }] },
      );
      return body;
    case "openai-completions":
      (body["messages"] as object[]).push(
        {
          role: "assistant",
          content: text,
          reasoning_content: thinking,
          tool_calls: [{ id: call.id, type: "function", function: { name: call.name, arguments: call.arguments } }],
        },
        { role: "tool", tool_call_id: call.id, content: "42 lines" },
      );
      return body;
    case "openai-responses": {
      const last = answer.events.at(-1) as { response: { output: object[] } };
      (body["input"] as object[]).push(...last.response.output, {
        type: "function_call_output",
        call_id: call.id,
        output: "42 lines",
      });
      return body;
    }
    case "google-generative-ai": {
      const parts = answer.events.flatMap(
        (event) => (event as { candidates: { content: { parts: object[] } }[] }).candidates[0]?.content.parts ?? [],
      );
      (body["contents"] as object[]).push(
        { role: "model", parts: parts.filter((part) => Object.values(part)[0] !== "") },
        { role: "user", parts: [{ functionResponse: { name: call.name, response: { output: "42 lines" } } }] },
      );
      return body;
    }
  }
}

const responder: ScriptedServerOptions["script"] = ({ conversation }) =>
  conversation.lastResults.length === 0
    ? {
        blocks: [
          { type: "thinking", text: "I must look" },
          { type: "text", text: "Looking" },
          { type: "toolCall", name: "read", arguments: { path: "a.txt" } },
        ],
        deltaSize: 3,
        chunking: { seed: 5 },
      }
    : {
        blocks: [
          { type: "text", text: `${conversation.lastResults[0]?.name} says ${conversation.lastResults[0]?.text}` },
        ],
      };

async function ask(server: ScriptedServer, api: ClientApi, body: unknown): Promise<Answer> {
  return assemble(api, (await readAll(await post(server, api, body))).text);
}

test.each(apis)("%s: a tool round passes the validation, with the server's own signatures only", async (api) => {
  const server = await startScriptedServer({ script: responder });
  const first = await ask(server, api, bodies[api]);
  const second = continued(api, first);
  expect((await ask(server, api, second)).text).toBe("read says 42 lines");
  expect(server.requests.map((request) => request.problems)).toEqual([[], []]);

  if (api !== "openai-completions") {
    const stranger = await startScriptedServer({ script: responder });
    expect((await post(stranger, api, second)).status).toBe(400);
    stranger.acceptSignatures(...server.issuedSignatures());
    expect((await ask(stranger, api, second)).text).toBe("read says 42 lines");
    await stranger.close();
    const tolerant = await startScriptedServer({ script: responder, acceptSignatures: "any" });
    expect((await post(tolerant, api, second)).status).toBe(200);
    await tolerant.close();
    const lax = await startScriptedServer({ script: responder, strict: false });
    expect((await post(lax, api, second)).status).toBe(200);
    expect(lax.requests[0]?.problems).toHaveLength(1);
    await lax.close();
  }
  await server.close();
});

test.each(apis)("%s: a refusal names the problem in the provider's error shape", async (api) => {
  const server = await startScriptedServer({ script: responder });
  const response = await post(server, api, { ...bodies[api], messages: [], input: [], contents: [] });
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { message: string } };
  expect(error.message).toBe(server.requests[0]?.problems[0]);
  await server.close();
});
