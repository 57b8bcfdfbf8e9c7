import { describe, expect, test } from "vitest";
import { requestedDelay } from "./http/retries.js";
import { HttpAbortError, HttpConnectionError, HttpStatusError, postJson } from "./http.js";
import type { FetchFunction } from "./types.js";

const request = { url: "http://x", headers: {}, body: "{}" };

/** A fetch that gives one outcome after the other; the last one again and again. */
function scripted(...outcomes: (Response | Error | "hang")[]): FetchFunction & { calls: number } {
  const send = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const outcome = outcomes[Math.min(script.calls++, outcomes.length - 1)];
    if (outcome === "hang") {
      return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
    }
    if (outcome instanceof Error) throw outcome;
    return outcome?.clone() ?? new Response();
  };
  const script = Object.assign(send as FetchFunction, { calls: 0 });
  return script;
}

const status = (code: number, headers: Record<string, string> = {}, body = "body"): Response =>
  new Response(body, { status: code, headers });
const quick = { "retry-after-ms": "1" };

describe("retries", () => {
  test.each([
    [408, {}, true],
    [409, {}, true],
    [429, {}, true],
    [500, {}, true],
    [529, {}, true],
    [400, {}, false],
    [404, {}, false],
    [404, { "x-should-retry": "true" }, true],
    [503, { "x-should-retry": "false" }, false],
  ])("%i %j: %s", async (code, headers, expected) => {
    const fetch = scripted(status(code, { ...headers, ...quick }), new Response("ok"));
    const outcome = postJson({ ...request, fetch, maxRetries: 1 });
    if (expected) await expect(outcome).resolves.toMatchObject({ status: 200 });
    else await expect(outcome).rejects.toMatchObject({ status: code, body: "body" });
    expect(fetch.calls).toBe(expected ? 2 : 1);
  });

  test("none unless asked for", async () => {
    const fetch = scripted(status(503, quick));
    await expect(postJson({ ...request, fetch })).rejects.toBeInstanceOf(HttpStatusError);
    expect(fetch.calls).toBe(1);
  });

  test("a wait beyond the cap fails at once, with the cause", async () => {
    const fetch = scripted(status(429, { "retry-after": "61" }));
    await expect(
      postJson({ ...request, fetch, maxRetries: 3, describeStatus: (error) => `described ${error.status}` }),
    ).rejects.toThrow("Server requested 61s retry delay (max: 60s). described 429");
    expect(fetch.calls).toBe(1);
  });

  test("no cap", async () => {
    const controller = new AbortController();
    const fetch = scripted(status(429, { "retry-after": "3600" }));
    setTimeout(() => controller.abort(), 20);
    await expect(
      postJson({ ...request, fetch, maxRetries: 1, maxRetryDelayMs: 0, signal: controller.signal }),
    ).rejects.toBeInstanceOf(HttpAbortError);
  });

  test("network errors", async () => {
    const refused = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 1.2.3.4:5") });
    const fetch = scripted(refused, new Response("ok"));
    await expect(postJson({ ...request, fetch, maxRetries: 1 })).resolves.toMatchObject({ status: 200 });
    await expect(postJson({ ...request, fetch: scripted(refused) })).rejects.toThrow(
      "Connection error.: connect ECONNREFUSED 1.2.3.4:5",
    );
    await expect(postJson({ ...request, fetch: scripted(new Error("own words")) })).rejects.toThrow(
      "Connection error.: own words",
    );
  });

  test.each<[Record<string, string>, number | undefined]>([
    [{}, undefined],
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 1500],
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "1.5" }, 1500],
    [{ "retry-after": new Date(10_000).toUTCString() }, 7000],
    [{ "retry-after": new Date(1000).toUTCString() }, 0],
    [{ "retry-after": "soon" }, undefined],
  ])("wait asked for by %j", (headers, expected) => {
    expect(requestedDelay(headers, 3000)).toBe(expected);
  });
});

describe("limits", () => {
  test("headers", async () => {
    await expect(postJson({ ...request, fetch: scripted("hang"), timeoutMs: 20 })).rejects.toThrow(
      "Request timed out.: no response headers within 20 ms",
    );
  });

  test("a fetch that does not heed its signal", async () => {
    const fetch = (() => new Promise(() => undefined)) as FetchFunction;
    await expect(postJson({ ...request, fetch, timeoutMs: 20 })).rejects.toBeInstanceOf(HttpConnectionError);
    await expect(postJson({ ...request, fetch, signal: AbortSignal.timeout(20) })).rejects.toBeInstanceOf(
      HttpAbortError,
    );
  });

  test("a signal that is aborted from the start", async () => {
    const fetch = scripted("hang");
    await expect(postJson({ ...request, fetch, signal: AbortSignal.abort() })).rejects.toBeInstanceOf(HttpAbortError);
  });

  test("silence begins anew with each piece", async () => {
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (let index = 0; index < 6; index++) {
          await new Promise((resolve) => setTimeout(resolve, 30));
          controller.enqueue(new Uint8Array([index]));
        }
      },
    });
    const response = await postJson({ ...request, fetch: async () => new Response(body), idleTimeoutMs: 100 });
    for (let index = 0; index < 6; index++) expect(await response.read()).toEqual(new Uint8Array([index]));
    await expect(response.read()).rejects.toThrow("Stream timed out: no data for 100 ms");
  });

  test("no listener stays on the caller's signal", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = ((...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    }) as typeof add;
    signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    }) as typeof remove;
    const response = await postJson({ ...request, fetch: scripted(new Response("ok")), signal });
    expect(new TextDecoder().decode(await response.read())).toBe("ok");
    expect(await response.read()).toBeUndefined();
    response.finish();
    await new Promise((resolve) => setImmediate(resolve));
    await expect(postJson({ ...request, fetch: scripted(status(400)), signal })).rejects.toThrow();
    expect(listeners).toBe(0);
  });

  test("an endless error body", async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(97)),
    });
    const error = await postJson({ ...request, fetch: async () => new Response(body, { status: 400 }) }).catch(
      (reason: unknown) => reason,
    );
    expect((error as HttpStatusError).body.length).toBeLessThan(1_000_000);
  });
});
