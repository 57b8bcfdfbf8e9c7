import { describe, expect, test } from "vitest";
import { type Chunking, type ScriptedTurn, startScriptedServer } from "../src/index.js";
import { apis, assemble, type ClientApi, framesOf, post, readAll } from "./clients.js";

const text = 'Grüße, 世界 🎉 \u0001 \u2028 „quotes" and \\ and </script>\nend';
const args = { path: "dir/🎉\u0007.txt", depth: 2 };
const turn: ScriptedTurn = {
  blocks: [
    { type: "thinking", text: "Hmm… 考える", signature: "c2lnMQ==" },
    { type: "text", text },
    { type: "toolCall", id: "call_1", name: "read", arguments: args },
    { type: "toolCall", id: "call_2", name: "read", arguments: "{}" },
  ],
  usage: { input: 10, output: 30, cacheRead: 5, cacheWrite: 2, reasoning: 8 },
  model: "m-1-real",
  responseId: "resp_77",
};

const chunkings: Chunking[] = ["event", "whole", { bytes: 1 }, { bytes: 7 }, { seed: 1 }, { seed: 42 }];

const stops: Record<ClientApi, Record<string, string>> = {
  "anthropic-messages": { stop: "end_turn", length: "max_tokens", toolUse: "tool_use", refusal: "refusal", odd: "odd" },
  "openai-completions": {
    stop: "stop",
    length: "length",
    toolUse: "tool_calls",
    refusal: "content_filter",
    odd: "odd",
  },
  "openai-responses": {
    stop: "completed",
    length: "max_output_tokens",
    toolUse: "completed",
    refusal: "content_filter",
    failed: "failed",
    odd: "odd",
  },
  "google-generative-ai": { stop: "STOP", length: "MAX_TOKENS", toolUse: "STOP", refusal: "SAFETY", odd: "odd" },
};

const usages: Record<ClientApi, object> = {
  "anthropic-messages": {
    input_tokens: 10,
    output_tokens: 30,
    cache_read_input_tokens: 5,
    cache_creation_input_tokens: 2,
    output_tokens_details: { thinking_tokens: 8 },
  },
  "openai-completions": {
    prompt_tokens: 17,
    completion_tokens: 30,
    total_tokens: 47,
    prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 },
    completion_tokens_details: { reasoning_tokens: 8 },
  },
  "openai-responses": {
    input_tokens: 17,
    output_tokens: 30,
    total_tokens: 47,
    input_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 },
    output_tokens_details: { reasoning_tokens: 8 },
  },
  "google-generative-ai": {
    promptTokenCount: 17,
    candidatesTokenCount: 22,
    thoughtsTokenCount: 8,
    cachedContentTokenCount: 5,
    totalTokenCount: 47,
  },
};

describe.each(apis)("%s", (api) => {
  test.each(chunkings.flatMap((chunking) => [false, true].map((asciiJson) => ({ chunking, asciiJson }))))(
    "says the same however its bytes are cut: $chunking, ascii $asciiJson",
    async ({ chunking, asciiJson }) => {
      const server = await startScriptedServer({ script: [{ ...turn, chunking, asciiJson, deltaSize: 5 }] });
      const response = await post(server, api);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toContain("text/event-stream");
      const { text: wire, chunks } = await readAll(response);
      const answer = assemble(api, wire);
      expect(answer).toMatchObject({
        text,
        thinking: "Hmm… 考える",
        calls: [
          { id: "call_1", name: "read" },
          { id: "call_2", name: "read", arguments: "{}" },
        ],
        model: "m-1-real",
        responseId: "resp_77",
        complete: true,
        malformed: 0,
        error: undefined,
        stop: stops[api]["toolUse"],
      });
      expect(JSON.parse(answer.calls[0]?.arguments ?? "")).toEqual(args);
      // Completions has no place for a signature that is not a field name, except in reasoning_details.
      if (api !== "openai-completions") expect(answer.signature).toBe("c2lnMQ==");
      expect(answer.usage).toMatchObject(usages[api]);
      if (chunking === "event") expect(chunks).toBeGreaterThan(10);
      if (asciiJson) expect(wire).toMatch(/^[\x20-\x7e\r\n]*$/);
      await server.close();
    },
  );

  test.each(Object.entries(stops[api]))("maps the stop reason %s to %s", async (stopReason, word) => {
    const server = await startScriptedServer({ script: [{ blocks: [{ type: "text", text: "x" }], stopReason }] });
    const { text: wire } = await readAll(await post(server, api));
    expect(assemble(api, wire)).toMatchObject({ stop: word, complete: true, text: "x" });
    await server.close();
  });

  test("answers with the requested model and fresh ids by default", async () => {
    const call = { type: "toolCall", name: "read", arguments: {} } as const;
    const server = await startScriptedServer({ script: () => ({ blocks: [call] }) });
    const answers = [];
    for (let round = 0; round < 2; round += 1) {
      answers.push(assemble(api, (await readAll(await post(server, api))).text));
    }
    const [first, second] = answers;
    expect(first?.model).toBe("m-1");
    expect(first?.responseId).not.toBe(second?.responseId);
    if (api !== "google-generative-ai") expect(first?.calls[0]?.id).not.toBe(second?.calls[0]?.id);
    await server.close();
  });

  test("sends 50,000 deltas to a slow reader without holding them in memory", async () => {
    const server = await startScriptedServer({
      script: [{ blocks: [{ type: "text", text: "abcdefgh".repeat(50_000) }], deltaSize: 8 }],
    });
    const response = await post(server, api);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const before = process.memoryUsage();
    expect(before.arrayBuffers).toBeLessThan(64 * 1024 * 1024);
    const { text: wire } = await readAll(response);
    const answer = assemble(api, wire);
    expect(answer.text.length).toBe(400_000);
    expect(answer.complete).toBe(true);
    await server.close();
  });
});

test("Anthropic sends the events of the documented sequence", async () => {
  const server = await startScriptedServer({
    script: [
      {
        blocks: [
          { type: "redactedThinking", data: "ZGF0YQ==" },
          { type: "text", text: "Hi" },
        ],
      },
    ],
  });
  const { text: wire } = await readAll(await post(server, "anthropic-messages"));
  expect(framesOf(wire).map((frame) => frame.name)).toEqual([
    "message_start",
    "content_block_start",
    "ping",
    "content_block_stop",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
  await server.close();
});

test("Completions sends usage only when asked, and ends with [DONE]", async () => {
  const server = await startScriptedServer({ script: () => ({ blocks: [{ type: "text", text: "Hi" }] }) });
  const messages = [{ role: "user", content: "hi" }];
  const { text: wire } = await readAll(
    await post(server, "openai-completions", { model: "m", stream: true, messages }),
  );
  expect(wire).not.toContain("usage");
  expect(wire.endsWith("data: [DONE]\n\n")).toBe(true);
  await server.close();
});

test("Completions sends reasoning in the field the script names, or with details", async () => {
  const server = await startScriptedServer({
    script: [
      { blocks: [{ type: "thinking", text: "a", signature: "reasoning_text" }] },
      { blocks: [{ type: "thinking", text: "b", signature: "c2ln" }] },
    ],
  });
  const first = (await readAll(await post(server, "openai-completions"))).text;
  expect(first).toContain('"reasoning_text":"a"');
  const second = (await readAll(await post(server, "openai-completions"))).text;
  expect(second).toContain('"reasoning":"b","reasoning_details":[{"type":"reasoning.text"');
  expect(second).toContain('"signature":"c2ln"');
  await server.close();
});

test("Responses numbers its events and repeats the whole answer at the end", async () => {
  const server = await startScriptedServer({ script: [turn] });
  const { text: wire } = await readAll(await post(server, "openai-responses"));
  const { events } = assemble("openai-responses", wire);
  expect(events.map((event) => event["sequence_number"])).toEqual(events.map((_, index) => index));
  expect(events.at(-1)).toMatchObject({
    type: "response.completed",
    response: {
      status: "completed",
      output: [
        { type: "reasoning", encrypted_content: "c2lnMQ==", summary: [{ type: "summary_text", text: "Hmm… 考える" }] },
        { type: "message", status: "completed", content: [{ type: "output_text", text }] },
        { type: "function_call", call_id: "call_1", arguments: JSON.stringify(args), status: "completed" },
        { type: "function_call", call_id: "call_2" },
      ],
    },
  });
  await server.close();
});

test("Google cannot send arguments that are no object", async () => {
  const server = await startScriptedServer({
    script: [{ blocks: [{ type: "toolCall", name: "read", arguments: '{"path": ' }] }],
  });
  const { text: wire } = await readAll(await post(server, "google-generative-ai"));
  expect(assemble("google-generative-ai", wire)).toMatchObject({ stop: "MALFORMED_FUNCTION_CALL", calls: [] });
  await server.close();
});
