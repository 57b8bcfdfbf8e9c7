import { type ScriptedServer, type ScriptedServerOptions, startScriptedServer } from "@pi/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { streamSimple } from "../src/compat.js";
import { cleanupSessionResources } from "../src/session-resources.js";
import type {
  AssistantMessage,
  AssistantMessageEvent,
  Message,
  SimpleStreamOptions,
  ToolResultMessage,
} from "../src/types.js";
import { keyFor, modelOn } from "./all-apis.js";

/** Codex over a WebSocket. Rules: llm-wire.md section 5. */

const API = "openai-codex-responses";
const user = (content: string): Message => ({ role: "user", content, timestamp: 1 });

let server: ScriptedServer;
let sessions = 0;
let sessionId: string;
async function start(options: ScriptedServerOptions = {}): Promise<void> {
  server = await startScriptedServer({ script: [], ...options });
  sessionId = `session-${sessions++}`;
}
afterEach(async () => {
  cleanupSessionResources();
  await server.close();
});

interface Answer {
  message: AssistantMessage;
  events: AssistantMessageEvent[];
}

async function ask(
  messages: Message[],
  options: SimpleStreamOptions = {},
  systemPrompt = "Be brief.",
): Promise<Answer> {
  const stream = streamSimple(
    modelOn(server, API),
    {
      systemPrompt,
      messages,
      tools: [{ name: "read", description: "R", parameters: { type: "object", properties: {} } }],
    },
    { apiKey: keyFor(API), sessionId, ...options },
  );
  const events: AssistantMessageEvent[] = [];
  for await (const event of stream) events.push(event);
  return { message: await stream.result(), events };
}

const say = (text: string) => ({ blocks: [{ type: "text" as const, text }] });
/** Which connections the requests came by; undefined = HTTP. */
const connections = (): (number | undefined)[] => server.requests.map(({ connection }) => connection);
const textOf = ({ content }: AssistantMessage): string =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("");

describe("a request", () => {
  test.each([undefined, "auto", "websocket", "websocket-cached"] as const)("transport %s", async (transport) => {
    await start();
    server.push(say("Hello there"));
    const seen: unknown[] = [];
    const { message, events } = await ask([user("hi")], {
      ...(transport && { transport }),
      onResponse: ({ status }) => void seen.push(status),
      onProviderStreamEvent: (event) => void seen.push((event as { type: string }).type),
    });
    expect(message).toMatchObject({ stopReason: "stop", content: [{ type: "text", text: "Hello there" }] });
    expect(message.diagnostics).toBeUndefined();
    expect(events[0]?.type).toBe("start");
    expect(seen.slice(0, 2)).toEqual([101, "response.created"]);
    const [request] = server.requests;
    expect(request).toMatchObject({ connection: 0, problems: [], path: "/backend-api/codex/responses" });
    expect(request?.headers).toMatchObject({
      "session-id": sessionId,
      "chatgpt-account-id": "acc_1",
      originator: "pi",
    });
    expect(request?.headers).not.toHaveProperty("content-encoding");
    expect(request?.body).toMatchObject({ store: false, prompt_cache_key: sessionId });
    expect(request?.body).not.toHaveProperty("stream");
  });

  test.each<[string, SimpleStreamOptions]>([
    ["sse is wanted", { transport: "sse" }],
    ["the caller brings a fetch function", { fetch: (url, init) => fetch(url, init) }],
  ])("over HTTP, when %s", async (_name, options) => {
    await start();
    server.push(say("Hello"));
    const { message } = await ask([user("hi")], options);
    expect(textOf(message)).toBe("Hello");
    expect(connections()).toEqual([undefined]);
  });

  test("characters that a cut through bytes could break", async () => {
    await start();
    const text = "Grüße 👋 \u2028 – \r\n\n world";
    for (const chunking of [{ bytes: 1 }, { seed: 7 }, "whole"] as const) {
      server.push({ ...say(text), chunking, deltaSize: 1 });
      const { message } = await ask([user("hi")]);
      expect(textOf(message)).toBe(text);
    }
  });
});

describe("a session", () => {
  test("goes on from its last answer, over the same connection", async () => {
    await start();
    server.push(
      {
        blocks: [
          { type: "thinking", text: "pondering" },
          { type: "text", text: "Let me look" },
          { type: "toolCall", name: "read", arguments: { b: 1, a: "ä" } },
        ],
      },
      say("It says A"),
      say("Bye"),
    );
    const history: Message[] = [user("hi")];
    const first = await ask(history, { reasoning: "high" });
    const call = first.message.content.at(-1);
    if (call?.type !== "toolCall") throw new Error("no call");
    const result: ToolResultMessage = {
      role: "toolResult",
      toolCallId: call.id,
      toolName: "read",
      content: [{ type: "text", text: "A" }],
      isError: false,
      timestamp: 2,
    };
    history.push(first.message, result);
    const second = await ask(history, { reasoning: "high" });
    history.push(second.message, user("thanks"));
    const third = await ask(history, { reasoning: "high" });
    expect(textOf(third.message)).toBe("Bye");
    expect(connections()).toEqual([0, 0, 0]);
    expect(server.requests.flatMap(({ problems }) => problems)).toEqual([]);
    const [, afterCall, afterText] = server.requests.map(({ body }) => body);
    expect(afterCall).toMatchObject({
      previous_response_id: first.message.responseId,
      input: [{ type: "function_call_output", output: "A" }],
    });
    expect(afterText).toMatchObject({
      previous_response_id: second.message.responseId,
      input: [{ role: "user", content: [{ type: "input_text", text: "thanks" }] }],
    });
    // The server has the whole conversation all the same.
    expect(server.requests[2]?.conversation.turns).toHaveLength(5);
  });

  test.each<[string, { prompt?: string; options?: SimpleStreamOptions; edit?: (history: Message[]) => void }]>([
    ["another prompt", { prompt: "Be long." }],
    ["another level", { options: { reasoning: "high" } }],
    ["a history that was changed", { edit: (history) => history.splice(0, 1, user("hello")) }],
    ["a history without the answer", { edit: (history) => history.splice(1, 1) }],
    ["continuation switched off", { options: { disableContinuation: true } }],
  ])("is sent whole after %s", async (_name, { prompt, options, edit }) => {
    await start();
    server.push(say("Hello"), say("Again"));
    const history: Message[] = [user("hi")];
    history.push((await ask(history)).message, user("and?"));
    edit?.(history);
    const { message } = await ask(history, options, prompt);
    expect(textOf(message)).toBe("Again");
    expect(connections()).toEqual([0, 0]);
    expect(server.requests[1]?.body).not.toHaveProperty("previous_response_id");
    expect(server.requests[1]?.problems).toEqual([]);
  });

  test("opens a new connection for another account, and after a connection was lost", async () => {
    await start();
    server.push(say("A"), say("B"), { ...say("C"), fault: { kind: "end", afterEvents: 6 } }, say("D"));
    const history: Message[] = [user("hi")];
    history.push((await ask(history)).message, user("next"));
    history.push((await ask(history, { apiKey: `${keyFor(API)}x` })).message, user("next"));
    const { message: cut } = await ask(history, { apiKey: `${keyFor(API)}x` });
    expect(cut.stopReason).toBe("error");
    const { message } = await ask(history, { apiKey: `${keyFor(API)}x` });
    expect(textOf(message)).toBe("D");
    expect(connections()).toEqual([0, 1, 1, 2]);
    expect(server.requests[3]?.body).not.toHaveProperty("previous_response_id");
  });

  test("is sent whole when the server does not know the answer any more", async () => {
    await start();
    server.push(say("Hello"), {
      fault: { kind: "status", status: 400, body: { error: { code: "previous_response_not_found", message: "gone" } } },
    });
    server.push(say("Again"));
    const history: Message[] = [user("hi")];
    history.push((await ask(history)).message, user("and?"));
    const { message } = await ask(history);
    expect(textOf(message)).toBe("Again");
    expect(message.diagnostics).toBeUndefined();
    expect(connections()).toEqual([0, 0, 1]);
    expect(server.requests[2]?.body).not.toHaveProperty("previous_response_id");
  });

  test("has its requests side by side on connections of their own", async () => {
    await start();
    server.push({ ...say("one"), eventDelayMs: 5 }, { ...say("two"), eventDelayMs: 5 });
    const answers = await Promise.all([ask([user("a")]), ask([user("b")])]);
    expect(answers.map(({ message }) => textOf(message)).sort()).toEqual(["one", "two"]);
    expect(new Set(connections())).toEqual(new Set([0, 1]));
  });

  test("ends with its connection", async () => {
    await start();
    server.push(say("A"), say("B"));
    await ask([user("hi")]);
    cleanupSessionResources(sessionId);
    await ask([user("hi")]);
    expect(connections()).toEqual([0, 1]);
  });
});

describe("when no answer begins", () => {
  test("a refused handshake: this and the further requests of the session go over HTTP", async () => {
    await start({ webSockets: false });
    server.push(say("A"), say("B"), say("C"));
    const { message } = await ask([user("hi")]);
    expect(textOf(message)).toBe("A");
    expect(message.diagnostics).toMatchObject([
      {
        type: "provider_transport_failure",
        error: { message: expect.stringContaining("404") },
        details: { transport: "auto", fallback: "sse" },
      },
    ]);
    expect(JSON.stringify(message.diagnostics)).not.toContain(keyFor(API));
    expect((await ask([user("hi")])).message.diagnostics).toBeUndefined();
    cleanupSessionResources(sessionId);
    expect((await ask([user("hi")])).message.diagnostics).toHaveLength(1);
    expect(connections()).toEqual([undefined, undefined, undefined]);
  });

  test.each(["end", "reset"] as const)("a connection lost before the first event (%s)", async (kind) => {
    await start();
    server.push({ ...say("A"), fault: { kind } }, say("B"));
    const { message, events } = await ask([user("hi")]);
    expect(textOf(message)).toBe("B");
    expect(events.filter(({ type }) => type === "start")).toHaveLength(1);
    expect(message.diagnostics).toMatchObject([{ type: "provider_transport_failure" }]);
    expect(connections()).toEqual([0, undefined]);
  });

  test("silence is no reason to ask twice", async () => {
    await start();
    server.push({ ...say("A"), fault: { kind: "stall" } }, say("B"));
    const { message } = await ask([user("hi")], { timeoutMs: 100 });
    expect(message).toMatchObject({ stopReason: "error", errorMessage: expect.stringContaining("timed out") });
    expect(connections()).toEqual([0]);
  });

  test("a server that is not there", async () => {
    await start();
    const model = modelOn(server, API);
    await server.close();
    const message = await streamSimple(model, { messages: [user("hi")] }, { apiKey: keyFor(API), sessionId }).result();
    expect(message.errorMessage).toMatch(/^Connection error\.: .*ECONNREFUSED/);
    expect(message.diagnostics).toMatchObject([{ error: { message: expect.stringContaining("ECONNREFUSED") } }]);
  });

  test("a refusal that passes is tried again, when the server wants it", async () => {
    await start();
    const busy = (wait: string) => ({
      fault: { kind: "status" as const, status: 503, headers: { "retry-after-ms": wait } },
    });
    server.push(busy("1"), say("A"), busy("90000"));
    expect(textOf((await ask([user("hi")], { maxRetries: 1 })).message)).toBe("A");
    const { message } = await ask([user("hi")], { maxRetries: 1, maxRetryDelayMs: 30_000 });
    expect(message.errorMessage).toMatch(
      /^Server requested 90s retry delay \(max: 30s\)\. OpenAI Codex API error \(503\)/,
    );
    expect(server.remaining).toBe(0);
  });

  test("a usage limit is said, not gone around", async () => {
    await start();
    const error = { code: "usage_limit_reached", plan_type: "Plus", resets_in_seconds: 600, message: "limit" };
    server.push({ fault: { kind: "status", status: 429, body: { error } } }, say("B"));
    const { message } = await ask([user("hi")]);
    expect(message.errorMessage).toBe("You have hit your ChatGPT usage limit (plus plan). Try again in ~10 min.");
    expect(connections()).toEqual([0]);
  });
});

describe("in mid-stream", () => {
  const long = { ...say("The beginning of an answer that goes on for a while"), deltaSize: 8 };

  test.each(["end", "reset"] as const)("a lost connection (%s) keeps the text", async (kind) => {
    await start();
    server.push({ ...long, fault: { kind, afterEvents: 7 } }, say("B"));
    const { message } = await ask([user("hi")]);
    expect(message.stopReason).toBe("error");
    expect(message.errorMessage).toMatch(/^WebSocket closed before the end: \d+$/);
    expect(textOf(message)).toBe("The beginning of an answ");
    expect(connections()).toEqual([0]);
  });

  test("an abort keeps the text, and the server sees it", async () => {
    await start();
    server.push({ ...long, fault: { kind: "stall", afterEvents: 7 } });
    const abort = new AbortController();
    const stream = streamSimple(
      modelOn(server, API),
      { messages: [user("hi")] },
      { apiKey: keyFor(API), sessionId, signal: abort.signal },
    );
    let text = "";
    for await (const event of stream) {
      if (event.type !== "text_delta") continue;
      text += event.delta;
      if (text === "The beginning of an answ") abort.abort();
    }
    const message = await stream.result();
    expect(message).toMatchObject({ stopReason: "aborted", errorMessage: "Request was aborted" });
    expect(textOf(message)).toBe("The beginning of an answ");
    await expect.poll(() => server.requests[0]?.clientAborted).toBe(true);
  });

  test("an abort before the connection stands", async () => {
    await start();
    const abort = new AbortController();
    abort.abort();
    const { message } = await ask([user("hi")], { signal: abort.signal });
    expect(message).toMatchObject({ stopReason: "aborted", content: [] });
    expect(server.requests).toEqual([]);
  });
});
