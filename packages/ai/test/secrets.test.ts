import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ScriptedServer } from "@pi/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { streamSimple } from "../src/compat.js";
import { classifyAssistantError } from "../src/errors/classify.js";
import type { Model, SimpleStreamOptions } from "../src/types.js";
import { ALL_APIS, keyFor, modelOn } from "./all-apis.js";

/** A server that quotes the keys it was sent; keys that cannot be sent. */

let status = 401;
let requests = 0;
let server: Server;
const quoted = (request: IncomingMessage): string => JSON.stringify(request.rawHeaders.join(" ")).slice(1, -1);
beforeAll(async () => {
  server = createServer((request, response) => {
    requests++;
    request.resume().on("end", () => {
      if (status === 200) response.setHeader("content-type", "text/event-stream");
      const body = JSON.stringify({ type: "error", error: { message: `Bad key: ${quoted(request)}` } });
      response.writeHead(status).end(status === 200 ? `event: error\ndata: ${body}\n\n` : body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());

const ask = async (api: (typeof ALL_APIS)[number], options: SimpleStreamOptions, overrides: Partial<Model> = {}) => {
  const { port } = server.address() as AddressInfo;
  const model = modelOn({ baseUrl: () => `http://127.0.0.1:${port}` } as unknown as ScriptedServer, api, overrides);
  const messages = [{ role: "user" as const, content: "hi", timestamp: 1 }];
  const env = { GOOGLE_CLOUD_PROJECT: "p", GOOGLE_CLOUD_LOCATION: "l" };
  requests = 0;
  return streamSimple(model, { messages }, { env, transport: "sse", ...options }).result();
};

describe.each(ALL_APIS)("%s", (api) => {
  const key = api === "openai-codex-responses" ? keyFor(api) : "sk-canary-7d1f-key";

  test.each([401, 200])("what a server quotes with status %i is hidden", async (code) => {
    status = code;
    const message = await ask(
      api,
      { apiKey: key, headers: { "x-given": "canary-given" } },
      { headers: { "x-gateway-key": "token canary-gateway" } },
    );
    expect(message.stopReason).toBe("error");
    const text = JSON.stringify(message);
    expect(text).not.toContain(key);
    expect(text).not.toContain("canary");
    // Bedrock's events are no server-sent ones, so that this body says nothing there.
    if (code === 401 || api !== "bedrock-converse-stream") expect(text).toContain("[hidden]");
  });

  test.each(["x-canary\r\nfoo", "canary☃"])("a key that cannot be sent: %j", async (bad) => {
    const message = await ask(api, { apiKey: bad, headers: { "x-own": bad } });
    expect(message.stopReason).toBe("error");
    expect(JSON.stringify(message)).not.toContain("canary");
    expect(classifyAssistantError(message)).not.toBe("retryable");
    expect(requests).toBe(0);
  });

  test("a header that cannot be sent", async () => {
    const message = await ask(api, { apiKey: key, headers: { "x-own": "canary\nline" } });
    expect(message.errorMessage).toContain('The header "x-own" cannot be sent: its value holds a line break');
    expect(classifyAssistantError(message)).toBe("final");
  });
});

test("an address with a login and a query", async () => {
  const overrides = { baseUrl: "http://user:canary@127.0.0.1:1/v1?key=canary" };
  const message = await ask("openai-completions", { apiKey: "key" }, overrides);
  expect(message.errorMessage).toMatch(/^The address of 127\.0\.0\.1:1 holds a login/);
  expect(message.errorMessage).not.toContain("canary");
});
