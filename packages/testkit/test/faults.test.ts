import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import {
  type Chunking,
  type Fault,
  type ScriptedBlock,
  type ScriptedServer,
  type ScriptedTurn,
  startScriptedServer,
} from "../src/index.js";
import { apis, assemble, bodies, framesOf, keyHeaders, post, readAll, urlOf } from "./clients.js";

const blocks: ScriptedBlock[] = [{ type: "text", text: "one two three four five six seven" }];
/** A loaded machine is slow to tell a socket that its peer is gone. */
const patience = { timeout: 10_000 };

const chunkings: Chunking[] = ["event", "whole", { bytes: 3 }, { seed: 7 }];

async function withServer(turn: ScriptedTurn, run: (server: ScriptedServer) => Promise<void>): Promise<void> {
  const server = await startScriptedServer({ script: [{ blocks, deltaSize: 4, ...turn }] });
  try {
    await run(server);
  } finally {
    await server.close();
  }
}

describe.each(apis)("%s", (api) => {
  describe.each(chunkings)("chunking %j", (chunking) => {
    const faulty = (fault: Fault, run: (server: ScriptedServer) => Promise<void>) =>
      withServer({ chunking, fault }, run);

    test("reset breaks the connection behind the events before it", () =>
      faulty({ kind: "reset", afterEvents: 5 }, async (server) => {
        const { text, broken } = await readAll(await post(server, api));
        expect(broken).toBeDefined();
        expect(assemble(api, text)).toMatchObject({ complete: false, malformed: 0 });
        expect(assemble(api, text).events).toHaveLength(5);
        expect(server.requests[0]?.clientAborted).toBe(false);
      }));

    test("reset right after the headers", () =>
      faulty({ kind: "reset" }, async (server) => {
        const response = await post(server, api);
        expect(response.status).toBe(200);
        expect(await readAll(response)).toMatchObject({ text: "", broken: expect.any(String) });
      }));

    test("end leaves the terminal event out", () =>
      faulty({ kind: "end", afterEvents: Number.POSITIVE_INFINITY }, async (server) => {
        const { text, broken } = await readAll(await post(server, api));
        expect(broken).toBeUndefined();
        expect(assemble(api, text)).toMatchObject({ text: "one two three four five six seven", complete: false });
      }));

    test("malformed puts one bad event into a stream that goes on", () =>
      faulty({ kind: "malformed", afterEvents: 4 }, async (server) => {
        const { text } = await readAll(await post(server, api));
        expect(assemble(api, text)).toMatchObject({
          text: "one two three four five six seven",
          complete: true,
          malformed: 1,
        });
      }));

    test("errorEvent is the last event", () =>
      faulty({ kind: "errorEvent", afterEvents: 3, message: "No room", type: "X" }, async (server) => {
        const { text, broken } = await readAll(await post(server, api));
        expect(broken).toBeUndefined();
        expect(assemble(api, text)).toMatchObject({ error: "No room", complete: false });
        expect(assemble(api, text).events).toHaveLength(4);
      }));

    test("stall keeps the socket open until the client leaves", () =>
      faulty({ kind: "stall", afterEvents: 2 }, async (server) => {
        const leave = new AbortController();
        const response = await post(server, api, undefined, { signal: leave.signal });
        const { text, broken } = await readAll(response, (soFar) => {
          // Everything that was to come is here; give what must not come a moment, then leave.
          if (/\n\r?\n$/.test(soFar) && framesOf(soFar).length === 2) setTimeout(() => leave.abort(), 30);
        });
        expect(broken).toContain("AbortError");
        expect(assemble(api, text).events).toHaveLength(2);
        const request = await server.waitForRequest(0);
        await expect.poll(() => request.clientAborted, patience).toBe(true);
      }));
  });

  test("a stall before the headers sends nothing at all", () =>
    withServer({ fault: { kind: "stall", beforeHeaders: true } }, async (server) => {
      const leave = new AbortController();
      const answer = post(server, api, undefined, { signal: leave.signal });
      const request = await server.waitForRequest(0);
      setTimeout(() => leave.abort(), 30);
      await expect(answer).rejects.toThrow("aborted");
      await expect.poll(() => request.clientAborted, patience).toBe(true);
    }));

  test("status answers in the provider's error shape, with the given headers", () =>
    withServer({ fault: { kind: "status", status: 429, headers: { "retry-after": "7" } } }, async (server) => {
      const response = await post(server, api);
      expect(response.status).toBe(429);
      expect(response.headers.get("retry-after")).toBe("7");
      const { error } = (await response.json()) as { error: Record<string, unknown> };
      expect(error["message"]).toBe("scripted 429");
      expect(error["type"] ?? error["status"]).toMatch(/rate_limit_error|requests|RESOURCE_EXHAUSTED/);
    }));

  test("a status body is sent as it is", async () => {
    await withServer({ fault: { kind: "status", status: 502, body: "<html>Bad gateway" } }, async (server) => {
      expect(await (await post(server, api)).text()).toBe("<html>Bad gateway");
    });
    await withServer({ fault: { kind: "status", status: 400, body: { error: { message: "m" } } } }, async (server) => {
      expect(await (await post(server, api)).json()).toEqual({ error: { message: "m" } });
    });
  });

  test("an exhausted script and a failing responder are errors of the server", async () => {
    const empty = await startScriptedServer();
    const response = await post(empty, api);
    expect(response.status).toBe(500);
    expect(await response.text()).toContain("script exhausted");
    await empty.close();
    const failing = await startScriptedServer({
      script: () => {
        throw new Error("no idea");
      },
    });
    expect(await (await post(failing, api)).text()).toContain("responder failed: no idea");
    await failing.close();
  });

  test("keys are asked for and compared", async () => {
    const server = await startScriptedServer({ script: [{ blocks }], keys: ["key-2"] });
    const version = { "anthropic-version": "2023-06-01" };
    const missing = await post(server, api, undefined, { headers: version });
    const wrong = await post(server, api);
    const { error } = (await missing.json()) as { error: Record<string, unknown> };
    expect([missing.status, wrong.status]).toEqual([401, 401]);
    expect(error["type"] ?? error["status"]).toMatch(/authentication_error|invalid_request_error|UNAUTHENTICATED/);
    const headers = Object.fromEntries(
      Object.entries(keyHeaders[api]).map(([name, value]) => [name, value.replace("key-1", "key-2")]),
    );
    expect((await post(server, api, undefined, { headers })).status).toBe(200);
    expect(server.requests.map((request) => request.problems.length)).toEqual([1, 1, 0]);
    expect(server.remaining).toBe(0);
    await server.close();
  });

  test("what is not JSON, not POST or nowhere is refused, and costs no turn", async () => {
    const server = await startScriptedServer({ script: [{ blocks }] });
    expect((await post(server, api, "{nope")).status).toBe(400);
    expect((await post(server, api, "[]")).status).toBe(400);
    expect((await fetch(urlOf(server, api), { headers: keyHeaders[api] })).status).toBe(405);
    const nowhere = await fetch(`${server.url}/nowhere`, { method: "POST", headers: keyHeaders[api], body: "{}" });
    expect(nowhere.status).toBe(404);
    expect(await nowhere.json()).toHaveProperty("error.message");
    expect(server.requests).toHaveLength(3);
    expect(server.remaining).toBe(1);
    await server.close();
  });

  test("delays are kept, before the headers and between the writes", () =>
    withServer({ delayMs: 60, eventDelayMs: 5, chunking: { bytes: 100 } }, async (server) => {
      const start = performance.now();
      const response = await post(server, api);
      const headersAt = performance.now() - start;
      const { chunks } = await readAll(response);
      expect(headersAt).toBeGreaterThan(55);
      expect(performance.now() - start - headersAt).toBeGreaterThan((chunks - 2) * 4);
    }));

  test("a client that leaves early is noticed; one that reads to the end is not", () =>
    withServer({ eventDelayMs: 10 }, async (server) => {
      server.push({ blocks });
      const response = await post(server, api);
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      await expect.poll(() => server.requests[0]?.clientAborted, patience).toBe(true);
      await readAll(await post(server, api));
      expect(server.requests[1]?.clientAborted).toBe(false);
    }));
});

test("a reset is a real RST, not a closed connection", () =>
  withServer({ fault: { kind: "reset", afterEvents: 1 } }, async (server) => {
    const body = JSON.stringify(bodies["openai-completions"]);
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    const code = new Promise<string | undefined>((resolve) => {
      socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
      socket.once("end", () => resolve("ended"));
    });
    socket.resume();
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer k\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    expect(await code).toBe("ECONNRESET");
  }));

test("model lists come in the shape of the provider that is asked", async () => {
  const server = await startScriptedServer({ models: ["a", "b"] });
  const get = async (path: string, headers: Record<string, string>) =>
    (await fetch(server.url + path, { headers })).json();
  expect(await get("/v1/models", keyHeaders["anthropic-messages"])).toMatchObject({
    data: [{ type: "model", id: "a" }, {}],
  });
  expect(await get("/v1/models", keyHeaders["openai-responses"])).toMatchObject({
    object: "list",
    data: [{ id: "a" }, {}],
  });
  expect(await get("/v1beta/models", keyHeaders["google-generative-ai"])).toMatchObject({
    models: [{ name: "models/a" }, {}],
  });
  await server.close();
});

test("waitForRequest resolves when the request has come, and rejects in time", async () => {
  const server = await startScriptedServer({ script: [{ blocks }] });
  const waiting = server.waitForRequest(0);
  const [answer] = await Promise.all([post(server, "openai-responses"), waiting]);
  await answer.text();
  expect(await waiting).toBe(server.requests[0]);
  expect(await server.waitForRequest(0)).toBe(server.requests[0]);
  await expect(server.waitForRequest(1, 20)).rejects.toThrow(
    "Request 1 did not arrive within 20 ms; 1 arrived so far.",
  );
  const never = server.waitForRequest(5);
  const closed = expect(never).rejects.toThrow("closed before request 5");
  await server.close();
  await closed;
});

test("close ends stalled connections and may be called twice", async () => {
  const server = await startScriptedServer({ script: [{ fault: { kind: "stall" } }] });
  const response = await post(server, "anthropic-messages");
  const reading = readAll(response);
  await server.close();
  await server.close();
  expect((await reading).broken).toBeDefined();
  expect(server.requests[0]?.clientAborted).toBe(false);
  await expect(post(server, "anthropic-messages")).rejects.toThrow();
});

test("a responder answers from the results it sees; turns cannot be pushed to it", async () => {
  const server = await startScriptedServer({
    script: ({ conversation }) => ({
      blocks: [{ type: "text", text: conversation.lastResults.map((result) => result.text).join() || "none" }],
    }),
  });
  const { text } = await readAll(await post(server, "openai-completions"));
  expect(assemble("openai-completions", text).text).toBe("none");
  expect(() => server.push({})).toThrow("list script");
  await server.close();
});
