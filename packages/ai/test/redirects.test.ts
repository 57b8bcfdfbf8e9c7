import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ScriptedServer } from "@pi/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askEndpoint } from "../src/auth/oauth/token-endpoint.js";
import { streamSimple } from "../src/compat.js";
import { classifyAssistantError } from "../src/errors/classify.js";
import { postJson } from "../src/http.js";
import { ALL_APIS, keyFor, modelOn } from "./all-apis.js";

/** A server that sends requests elsewhere gets neither keys nor conversations there. */

let near: Server;
let other: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let received: string[];
let strayed: number;

const started = async (handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> => {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => {
      body += piece.toString();
    });
    request.on("end", () => {
      received.push(`${request.method} ${request.url} ${body}`);
      handle(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
};
const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeEach(async () => {
  received = [];
  strayed = 0;
  near = await started((request, response) => answer(request, response));
  other = await started((_request, response) => {
    strayed++;
    response.end("{}");
  });
});
afterEach(() => {
  for (const server of [near, other]) {
    server.closeAllConnections();
    server.close();
  }
});

const redirect = (status: number, location: string) => (_request: IncomingMessage, response: ServerResponse) => {
  response.writeHead(status, { location }).end();
};
const post = () => postJson({ url: `${urlOf(near)}/a`, headers: { "x-api-key": "secret" }, body: "{}", maxRetries: 2 });

describe.each(ALL_APIS)("%s", (api) => {
  test.each([301, 302, 303, 307, 308])("%i to another server is not followed", async (status) => {
    answer = redirect(status, `${urlOf(other)}/x`);
    const model = modelOn({ baseUrl: () => urlOf(near) } as unknown as ScriptedServer, api);
    const messages = [{ role: "user" as const, content: "hi", timestamp: 1 }];
    const env = { GOOGLE_CLOUD_PROJECT: "p", GOOGLE_CLOUD_LOCATION: "l" };
    const message = await streamSimple(model, { messages }, { apiKey: keyFor(api), env, transport: "sse" }).result();
    expect(message.errorMessage).toContain(urlOf(other));
    expect(classifyAssistantError(message)).toBe("final");
    expect(strayed).toBe(0);
    expect(received).toHaveLength(1);
  });
});

test("a token endpoint", async () => {
  answer = redirect(307, `${urlOf(other)}/token`);
  await expect(askEndpoint(`${urlOf(near)}/t`, { refresh_token: "secret" }, "form", undefined)).rejects.toThrow(
    urlOf(other),
  );
  expect(strayed).toBe(0);
});

test("within the server the same request is sent again", async () => {
  answer = (request, response) => {
    if (request.url === "/a") redirect(308, "/b?c=1")(request, response);
    else response.end("ok");
  };
  expect((await post()).status).toBe(200);
  expect(received).toEqual(["POST /a {}", "POST /b?c=1 {}"]);
});

test("a redirect that would lose the request", async () => {
  answer = redirect(302, "/b");
  await expect(post()).rejects.toThrow(/redirects \(302\) to \/b, which would lose the request/);
  expect(received).toEqual(["POST /a {}"]);
});

test("a circle ends", async () => {
  answer = redirect(307, "/a");
  await expect(post()).rejects.toThrow(/in a circle/);
  expect(received).toHaveLength(6);
});

test.each(["http://", "file:///etc/passwd", "http://u:p@127.0.0.1:1/"])("to %s", async (location) => {
  answer = redirect(307, location);
  await expect(post()).rejects.toThrow(/redirects \(307\) to (?!.*u:p)/);
  expect(received).toHaveLength(1);
});
