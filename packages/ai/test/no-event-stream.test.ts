import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ScriptedServer } from "@pi/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { streamSimple } from "../src/compat.js";
import type { Model } from "../src/types.js";
import { ALL_APIS, keyFor, modelOn } from "./all-apis.js";

/** A status of 200 with something else than events: proxies, login pages and some servers' errors do that. */

let answer = { type: "", body: "" };
let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (answer.type !== "") response.setHeader("content-type", answer.type);
      response.end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());

const SENTENCES: Record<string, string> = {
  "anthropic-messages": "Anthropic stream ended before message_stop",
  "openai-completions": "Stream ended without finish_reason",
  "openai-responses": "OpenAI Responses stream ended before a terminal response event",
  "azure-openai-responses": "OpenAI Responses stream ended before a terminal response event",
  "openai-codex-responses": "OpenAI Responses stream ended before a terminal response event",
  "google-generative-ai": "Google stream ended without a finish reason",
  "google-vertex": "Google stream ended without a finish reason",
  "mistral-conversations": "Mistral stream ended without a finish reason",
};

async function failure(api: string, type: string, body: string, overrides: Partial<Model> = {}) {
  answer = { type, body };
  const { port } = server.address() as AddressInfo;
  const place = { baseUrl: () => `http://127.0.0.1:${port}` } as unknown as ScriptedServer;
  const model = modelOn(place, api as (typeof ALL_APIS)[number], overrides);
  const messages = [{ role: "user" as const, content: "hi", timestamp: 1 }];
  const env = { GOOGLE_CLOUD_PROJECT: "p", GOOGLE_CLOUD_LOCATION: "l" };
  const message = await streamSimple(model, { messages }, { apiKey: keyFor(api), env }).result();
  expect(message.stopReason).toBe("error");
  return message.errorMessage;
}

const PAGE = `<!DOCTYPE html>
<html><head><title>Sign in &middot; Proxy</title><style>b { color: red }</style>
<script>if (1 < 2) alert("x")</script></head>
<body>\u001b[31m<!-- no --><b>Please   sign in</b>\r\n<p>${"more ".repeat(200)}</body></html>`;

describe.each(ALL_APIS.filter((api) => SENTENCES[api] !== undefined))("%s", (api) => {
  const start = `${SENTENCES[api]}: the response is no event stream but`;

  test("a page", async () => {
    const text = (await failure(api, "text/html; charset=utf-8", PAGE)) ?? "";
    expect(text).toContain(
      `${start} text/html; charset=utf-8 that begins: Sign in &middot; Proxy [31m Please sign in more`,
    );
    expect(text).not.toMatch(/\p{Cc}|alert|color/u);
    expect(text).toMatch(/…$/);
    expect(text.length).toBeLessThan(start.length + 260);
  });

  test("an error as JSON", async () => {
    const body = JSON.stringify({ error: { message: "no such route" } }, null, 2);
    const told = '{ "error": { "message": "no such route" } }';
    expect(await failure(api, "application/json", body)).toBe(`${start} application/json that begins: ${told}`);
    expect(await failure(api, "text/event-stream", body)).toBe(`${start} text/event-stream that begins: ${told}`);
    expect(await failure(api, "", "<p><p>")).toBe(`${start} of no content type that begins: <p><p>`);
  });

  test("nothing", async () => {
    expect(await failure(api, "text/plain", "")).toBe(`${start} text/plain with an empty body`);
    expect(await failure(api, "text/event-stream", "")).toBe(SENTENCES[api]);
  });
});

test("a server that gives no finish reasons gives answers all the same", async () => {
  const model = { compat: { supportsFinishReason: false } };
  expect(await failure("openai-completions", "text/html", "<b>Sign in</b>", model)).toBe(
    "Stream ended without finish_reason: the response is no event stream but text/html that begins: Sign in",
  );
});
