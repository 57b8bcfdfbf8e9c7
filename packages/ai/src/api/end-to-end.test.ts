import { type ScriptedServer, type ScriptedTurn, type ServedApi, startScriptedServer } from "@pi/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { streamSimple } from "../compat.js";
import type { AssistantMessage, AssistantMessageEvent, Context, Model, SimpleStreamOptions } from "../types.js";

const APIS: ServedApi[] = [
  "anthropic-messages",
  "openai-completions",
  "openai-responses",
  "azure-openai-responses",
  "openai-codex-responses",
  "google-generative-ai",
  "google-vertex",
  "mistral-conversations",
  "bedrock-converse-stream",
];

/** A key as the API wants it: Codex reads the account out of its token. */
const claims = { "https://api.openai.com/auth": { chatgpt_account_id: "acc_1" } };
const token = `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.sig`;
const keyOf = (api: string): string => (api === "openai-codex-responses" ? token : "key");

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer({ script: [] });
});
afterEach(() => server.close());

function model(api: ServedApi, overrides: Partial<Model> = {}): Model {
  return {
    id: "test-model",
    name: "Test",
    api,
    provider: "scripted",
    baseUrl: server.baseUrl(api),
    reasoning: true,
    input: ["text", "image"],
    cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 },
    contextWindow: 200_000,
    maxTokens: 16_384,
    ...overrides,
  };
}

const context: Context = {
  systemPrompt: "Be brief.",
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }], timestamp: 1 }],
  tools: [
    {
      name: "read",
      description: "Reads a file",
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
  ],
};

interface Answer {
  events: AssistantMessageEvent[];
  message: AssistantMessage;
}

async function ask(target: Model, turn: ScriptedTurn | undefined, options: SimpleStreamOptions = {}): Promise<Answer> {
  if (turn) server.push(turn);
  const events: AssistantMessageEvent[] = [];
  // Codex over its WebSocket: test/codex-web-socket.test.ts.
  const stream = streamSimple(target, context, { apiKey: keyOf(target.api), transport: "sse", ...options });
  for await (const event of stream) events.push(event);
  return { events, message: await stream.result() };
}

/** The content as a receiver of the deltas builds it. */
function rebuilt(events: readonly AssistantMessageEvent[]): string[] {
  const blocks: string[] = [];
  for (const event of events) {
    if (event.type === "text_delta" || event.type === "thinking_delta" || event.type === "toolcall_delta") {
      blocks[event.contentIndex] = (blocks[event.contentIndex] ?? "") + event.delta;
    }
  }
  return blocks;
}

/** The parts of a message that do not depend on the clock or on the ids the server makes up. */
function essence(message: AssistantMessage): unknown {
  const { timestamp: _, durationMs: __, responseId: ___, ...rest } = message;
  return JSON.parse(JSON.stringify(rest).replace(/\b(msg|rs|fc)_\w+/g, "$1_ID"));
}

const richTurn: ScriptedTurn = {
  blocks: [
    { type: "thinking", text: "Let me see… 🤔", signature: "c2ln" },
    { type: "text", text: "Grüße 👋 – hello\nworld" },
    { type: "toolCall", id: "call_1", name: "read", arguments: { path: 'ä "quoted" \\ 👋.txt' } },
    { type: "toolCall", id: "call_2", name: "read", arguments: { path: "b.txt" } },
  ],
  usage: { input: 100, output: 50, cacheRead: 20, reasoning: 10 },
};

describe.each(APIS)("%s", (api) => {
  test("text", async () => {
    const { events, message } = await ask(model(api), { blocks: [{ type: "text", text: "Hello there" }] });
    expect(message.errorMessage).toBeUndefined();
    expect(message).toMatchObject({ stopReason: "stop", api, provider: "scripted", model: "test-model" });
    expect(message.content).toEqual([expect.objectContaining({ type: "text", text: "Hello there" })]);
    const types = events.map((event) => event.type);
    expect(types[0]).toBe("start");
    expect(types.filter((type) => type !== "text_delta")).toEqual(["start", "text_start", "text_end", "done"]);
    expect(message.durationMs).toBeGreaterThanOrEqual(0);
    expect(message.responseId).toBeTruthy();
  });

  test("thinking, text, tool calls and usage", async () => {
    const { events, message } = await ask(model(api), richTurn, { reasoning: "high" });
    expect(message.errorMessage).toBeUndefined();
    expect(message.stopReason).toBe("toolUse");
    expect(message.thinkingLevel).toBe("high");
    expect(message.content).toMatchObject([
      { type: "thinking", thinking: "Let me see… 🤔" },
      { type: "text", text: "Grüße 👋 – hello\nworld" },
      { type: "toolCall", name: "read", arguments: { path: 'ä "quoted" \\ 👋.txt' } },
      { type: "toolCall", name: "read", arguments: { path: "b.txt" } },
    ]);
    const [thinking, text, ...calls] = rebuilt(events);
    expect(thinking).toBe("Let me see… 🤔");
    expect(text).toBe("Grüße 👋 – hello\nworld");
    expect(calls.map((call) => JSON.parse(call))).toEqual([{ path: 'ä "quoted" \\ 👋.txt' }, { path: "b.txt" }]);
    const { usage } = message;
    expect(usage).toMatchObject({ input: 100, output: 50, cacheRead: 20, totalTokens: 170 });
    expect(usage.cost.total).toBeCloseTo((100 * 1 + 50 * 2 + 20 * 0.1) / 1e6, 12);
    const problems = server.requests.at(-1)?.problems;
    expect(problems).toEqual([]);
  });

  test("every chunking gives the same message", async () => {
    const { message: whole } = await ask(model(api), { ...richTurn, chunking: "whole" });
    const cuts: ScriptedTurn["chunking"][] = ["event", { bytes: 1 }, { bytes: 7 }];
    for (let seed = 1; seed <= 8; seed++) cuts.push({ seed });
    for (const chunking of cuts) {
      const { message } = await ask(model(api), { ...richTurn, ...(chunking ? { chunking } : {}) });
      expect(essence(message)).toEqual(essence(whole));
    }
  });

  test("an answer cut off by the limit", async () => {
    const { message } = await ask(model(api), { blocks: [{ type: "text", text: "Once upon" }], stopReason: "length" });
    expect(message.stopReason).toBe("length");
    expect(message.errorMessage).toBeUndefined();
  });

  test("arguments that are no JSON", async () => {
    // Google sends objects only.
    if (api.startsWith("google")) return;
    const { message } = await ask(model(api), {
      blocks: [{ type: "toolCall", name: "read", arguments: '{"path": "a' }],
    });
    expect(message.stopReason).toBe("toolUse");
    expect(message.content[0]).toMatchObject({ arguments: {}, argumentsError: expect.stringContaining('{"path": "a') });
  });

  test("the answer is taken back into the conversation", async () => {
    const { message } = await ask(model(api), richTurn, { reasoning: "high" });
    const calls = message.content.filter((block) => block.type === "toolCall");
    server.push({ blocks: [{ type: "text", text: "Done" }] });
    const followUp = await streamSimple(
      model(api),
      {
        ...context,
        messages: [
          ...context.messages,
          message,
          ...calls.map((call) => ({
            role: "toolResult" as const,
            toolCallId: call.id,
            toolName: call.name,
            content: [{ type: "text" as const, text: "contents" }],
            isError: false,
            timestamp: 3,
          })),
        ],
      },
      { apiKey: keyOf(api), reasoning: "high" },
    ).result();
    expect(followUp.errorMessage).toBeUndefined();
    const seen = server.requests.at(-1);
    expect(seen?.problems).toEqual([]);
    expect(seen?.conversation.lastResults.map((result) => result.text)).toEqual(["contents", "contents"]);
  });

  describe("failures end in time with what had arrived", () => {
    const streamed = { blocks: [{ type: "text" as const, text: "The beginning of an answer that goes ".repeat(4) }] };
    /** How many events there are up to the first piece of text. */
    const textBegins: Record<ServedApi, number> = {
      "anthropic-messages": 4,
      "openai-completions": 2,
      "openai-responses": 5,
      "azure-openai-responses": 5,
      "openai-codex-responses": 5,
      "google-generative-ai": 1,
      "google-vertex": 1,
      "mistral-conversations": 2,
      "bedrock-converse-stream": 2,
    };

    test("error status", async () => {
      const body = { type: "error", error: { type: "rate_limit_error", message: "slow down", code: "rl" } };
      // The SDK of Bedrock tries three times.
      const fault = { kind: "status" as const, status: 429, body };
      if (api === "bedrock-converse-stream") server.push({ fault }, { fault });
      const { events, message } = await ask(model(api), { fault });
      const error = JSON.stringify(body.error);
      const expected: Record<ServedApi, string> = {
        "anthropic-messages": `429 ${JSON.stringify(body)}`,
        "openai-completions": `429: ${error}`,
        "openai-responses": `scripted API error (429): ${error}`,
        "azure-openai-responses": `Azure OpenAI API error (429): ${error}`,
        "openai-codex-responses": "You have hit your ChatGPT usage limit.",
        "google-generative-ai": JSON.stringify(body),
        "google-vertex": JSON.stringify(body),
        "mistral-conversations": `Mistral API error (429): ${JSON.stringify(body)}`,
        "bedrock-converse-stream": `Bedrock API error (429): ${JSON.stringify(body)}`,
      };
      expect(message.errorMessage).toBe(expected[api]);
      expect(events.map((event) => event.type)).toEqual(["error"]);
    });

    test("connection reset in mid-stream", async () => {
      const { message } = await ask(model(api), {
        ...streamed,
        fault: { kind: "reset", afterEvents: textBegins[api] },
      });
      expect(message.stopReason).toBe("error");
      expect(message.errorMessage).toMatch(/^terminated: .*(ECONNRESET|UND_ERR_SOCKET)/);
      expect(partialText(message)).toMatch(/^The beginning/);
    });

    test("connection refused", async () => {
      const { message } = await ask(model(api, { baseUrl: "http://127.0.0.1:1" }), undefined);
      const says = /^(google|mistral)/.test(api) ? "fetch failed" : "Connection error.";
      expect(message.errorMessage).toMatch(/: (connect ECONNREFUSED 127\.0\.0\.1:1|bad port)$/);
      expect(message.errorMessage?.startsWith(`${says}: `)).toBe(true);
    });

    test("malformed event", async () => {
      const { message } = await ask(model(api), {
        ...streamed,
        fault: { kind: "malformed", afterEvents: textBegins[api] },
      });
      expect(message.stopReason).toBe("error");
      expect(message.errorMessage).toMatch(/stream sent an event that is not JSON/);
      expect(partialText(message)).toMatch(/^The beginning/);
    });

    test("silence in mid-stream", async () => {
      const { message } = await ask(
        model(api),
        { ...streamed, fault: { kind: "stall", afterEvents: textBegins[api] } },
        { idleTimeoutMs: 100 },
      );
      expect(message.errorMessage).toBe("Stream timed out: no data for 100 ms");
      expect(partialText(message)).toMatch(/^The beginning/);
    });

    test("silence before the headers", async () => {
      const { message } = await ask(
        model(api),
        { ...streamed, fault: { kind: "stall", beforeHeaders: true } },
        { timeoutMs: 100 },
      );
      expect(message.errorMessage).toBe(
        api === "mistral-conversations"
          ? "Mistral response headers timed out after 100ms"
          : "Request timed out.: no response headers within 100 ms",
      );
    });

    test("stream that ends too early", async () => {
      const { message } = await ask(model(api), { ...streamed, fault: { kind: "end", afterEvents: textBegins[api] } });
      const expected: Record<ServedApi, string> = {
        "anthropic-messages": "Anthropic stream ended before message_stop",
        "openai-completions": "Stream ended without finish_reason",
        "openai-responses": "OpenAI Responses stream ended before a terminal response event",
        "azure-openai-responses": "OpenAI Responses stream ended before a terminal response event",
        "openai-codex-responses": "OpenAI Responses stream ended before a terminal response event",
        "google-generative-ai": "Google stream ended without a finish reason",
        "google-vertex": "Google stream ended without a finish reason",
        "mistral-conversations": "Mistral stream ended without a finish reason",
        "bedrock-converse-stream": "Bedrock stream ended without a stop reason",
      };
      expect(message.errorMessage).toBe(expected[api]);
      expect(partialText(message)).toMatch(/^The beginning/);
    });

    test("the provider's own error event", async () => {
      const { message } = await ask(model(api), {
        ...streamed,
        fault: { kind: "errorEvent", afterEvents: textBegins[api], message: "Overloaded" },
      });
      expect(message.stopReason).toBe("error");
      expect(message.errorMessage).toMatch(/Overloaded/);
      expect(partialText(message)).toMatch(/^The beginning/);
    });

    test("abort in mid-stream", async () => {
      const controller = new AbortController();
      server.push({ ...streamed, fault: { kind: "stall", afterEvents: textBegins[api] } });
      const stream = streamSimple(model(api), context, { apiKey: keyOf(api), signal: controller.signal });
      for await (const event of stream) if (event.type === "text_delta") controller.abort();
      const message = await stream.result();
      expect(message).toMatchObject({ stopReason: "aborted", errorMessage: "Request was aborted" });
      expect(partialText(message)).toMatch(/^The beginning/);
    });

    test("abort before the headers", async () => {
      server.push({ ...streamed, fault: { kind: "stall", beforeHeaders: true } });
      const index = server.requests.length;
      const controller = new AbortController();
      const stream = streamSimple(model(api), context, { apiKey: keyOf(api), signal: controller.signal });
      await server.waitForRequest(index);
      controller.abort();
      expect(await stream.result()).toMatchObject({ stopReason: "aborted", errorMessage: "Request was aborted" });
    });

    test("no key", async () => {
      const env = { GOOGLE_CLOUD_PROJECT: "p", GOOGLE_CLOUD_LOCATION: "l", GOOGLE_APPLICATION_CREDENTIALS: "/nowhere" };
      const message = await streamSimple(model(api), context, { env }).result();
      const expected: Partial<Record<ServedApi, RegExp>> = {
        "google-vertex": /^Vertex AI sign-in failed: .* Set GOOGLE_CLOUD_API_KEY, /s,
        "bedrock-converse-stream": /^No AWS credentials for Bedrock: .* Set AWS_BEARER_TOKEN_BEDROCK, /s,
      };
      expect(message.errorMessage).toMatch(expected[api] ?? /^No API key for provider: scripted$/);
    });

    test("an unknown stop reason", async () => {
      const { message } = await ask(model(api), { ...streamed, stopReason: "odd_reason" });
      const expected: Record<ServedApi, RegExp> = {
        "anthropic-messages": /^Unhandled stop reason: odd_reason$/,
        "openai-completions": /^Provider finish_reason: odd_reason$/,
        "openai-responses": /^Response incomplete: odd_reason$/,
        "azure-openai-responses": /^Response incomplete: odd_reason$/,
        "openai-codex-responses": /^Response incomplete: odd_reason$/,
        "google-generative-ai": /^Provider stopped with: odd_reason$/,
        "google-vertex": /^Provider stopped with: odd_reason$/,
        "mistral-conversations": /^Provider stopped with: odd_reason$/,
        "bedrock-converse-stream": /^Provider stopped with: odd_reason$/,
      };
      expect(message.errorMessage).toMatch(expected[api]);
    });
  });

  test("retries what the caller allows, after the wait the server asks for", async () => {
    // Mistral's requests are never repeated.
    if (api === "mistral-conversations") return;
    server.push({ fault: { kind: "status", status: 503, headers: { "retry-after-ms": "20" } } });
    const { message } = await ask(model(api), { blocks: [{ type: "text", text: "ok" }] }, { maxRetries: 1 });
    expect(message.stopReason).toBe("stop");
  });

  test("refuses a wait beyond the cap", async () => {
    // Mistral's requests are never repeated, and Bedrock's by its SDK.
    if (api === "mistral-conversations" || api === "bedrock-converse-stream") return;
    const { message } = await ask(
      model(api),
      { fault: { kind: "status", status: 429, body: "busy", headers: { "retry-after": "3600" } } },
      { maxRetries: 1 },
    );
    expect(message.errorMessage).toMatch(
      /^Server requested 3600s retry delay \(max: 60s\)\. .*(429.*busy|busy \(status 429\)|usage limit)/,
    );
  });

  test("hooks see payload, response and events, and may replace the payload", async () => {
    const seen: string[] = [];
    const { message } = await ask(
      model(api),
      { blocks: [{ type: "text", text: "ok" }] },
      {
        onPayload: (payload) => {
          seen.push("payload");
          if (api.startsWith("google")) return payload;
          const name = api === "bedrock-converse-stream" ? "modelId" : "model";
          return { ...(payload as object), [name]: "replaced" };
        },
        onResponse: async ({ status }) => {
          await Promise.resolve();
          seen.push(`response ${status}`);
        },
        onProviderStreamEvent: async (event) => {
          await Promise.resolve();
          if (typeof event === "object") seen.push("event");
        },
      },
    );
    expect(message.stopReason).toBe("stop");
    expect(seen.slice(0, 3)).toEqual(["payload", "response 200", "event"]);
    const [request] = server.requests;
    // Google and Bedrock name the model in the path.
    if (!/google|bedrock/.test(api)) expect(request?.body["model"]).toBe("replaced");
    if (api === "bedrock-converse-stream") expect(request?.path).toBe("/bedrock/model/replaced/converse-stream");
  });

  test("header overrides", async () => {
    await ask(
      model(api, { headers: { "X-One": "model", "X-Two": "model" } }),
      { blocks: [] },
      {
        headers: { "x-two": "request", "user-agent": null },
      },
    );
    const headers = server.requests.at(-1)?.headers ?? {};
    expect(headers).toMatchObject({ "x-one": "model", "x-two": "request" });
    expect(headers["user-agent"] ?? "").not.toMatch(/^pi\//);
    await ask(model(api), { blocks: [] });
    expect(server.requests.at(-1)?.headers["user-agent"]).toMatch(
      api === "bedrock-converse-stream" ? / pi\/1\.6\.0$/ : /^pi\/1\.6\.0 \(/,
    );
  });
});

function partialText(message: AssistantMessage): string {
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
