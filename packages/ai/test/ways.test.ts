import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { openWebSocket, type WebSocketTarget } from "../src/http/web-socket.js";
import { type HttpRequest, postJson } from "../src/http.js";

/** Requests through proxies, to servers with certificates of their own, and with limits beyond those of Node. */

/** Certificates are made by openssl, which not every machine has. */
const testTls = test.skipIf(spawnSync("openssl", ["version"]).status !== 0);

const closers: (() => void)[] = [];
let folder: string;
let certificates: string;
let plain: string;
let secure: string;

/** Echoes messages of WebSockets. */
function withSockets<S extends Server>(server: S): S {
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (open) => {
      open.on("message", (data: Buffer) => open.send(`echo ${data.toString("utf8")}`));
    });
  });
  return server;
}

function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)));
}

const echo = async (request: IncomingMessage): Promise<string> => {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return `echo ${body}`;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "pi-ways-"));
  certificates = join(folder, "cert.pem");
  const made = spawnSync(
    "openssl",
    [
      ..."req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost".split(" "),
      ...["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
      ...["-keyout", join(folder, "key.pem"), "-out", certificates],
    ],
    { encoding: "utf8" },
  );
  plain = `http://127.0.0.1:${await listen(
    withSockets(createHttpServer((request, response) => void echo(request).then((text) => response.end(text)))),
  )}`;
  if (made.status !== 0) return;
  const key = readFileSync(join(folder, "key.pem"));
  const cert = readFileSync(certificates);
  secure = `https://localhost:${await listen(
    withSockets(
      createHttpsServer({ key, cert }, (request, response) => void echo(request).then((text) => response.end(text))),
    ),
  )}`;
});
afterAll(() => {
  for (const close of closers) close();
  rmSync(folder, { recursive: true, force: true });
});

interface Proxy {
  url: string;
  seen: string[];
}

/** A proxy that knows CONNECT. With `login`, only those who bring it may pass. */
async function startProxy(login?: string): Promise<Proxy> {
  const seen: string[] = [];
  const server = createHttpServer((_request, response) => {
    response.writeHead(501).end("only CONNECT is served here");
  });
  server.on("connect", (request, client: Socket, head: Buffer) => {
    seen.push(request.url ?? "");
    const expected = login && `Basic ${Buffer.from(login).toString("base64")}`;
    if (expected && request.headers["proxy-authorization"] !== expected) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const [host = "", port] = (request.url ?? "").split(":");
    const upstream = connect(Number(port), host === "localhost" ? "127.0.0.1" : host, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
    });
    upstream.on("error", () => client.destroy());
    client.on("error", () => upstream.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, seen };
}

async function ask(url: string, options: Partial<HttpRequest> = {}): Promise<string> {
  const response = await postJson({ url: `${url}/x`, headers: {}, body: "{}", ...options });
  let text = "";
  for (;;) {
    const piece = await response.read();
    if (piece === undefined) break;
    text += new TextDecoder().decode(piece);
  }
  response.finish();
  return text;
}

/** The same over a WebSocket. */
async function askSocket(url: string, options: Partial<WebSocketTarget> = {}): Promise<string> {
  const socket = await openWebSocket({ url, headers: {}, connectTimeoutMs: 5000, ...options });
  const answer = new Promise<string>((resolve, reject) => socket.listen({ onMessage: resolve, onClose: reject }));
  socket.send("{}");
  return answer.finally(() => socket.close());
}

describe("WebSockets go the same ways", () => {
  test("straight, and through a proxy", async () => {
    expect(await askSocket(plain)).toBe("echo {}");
    const proxy = await startProxy("me:s3cret");
    const own = new URL(proxy.url);
    own.username = "me";
    own.password = "s3cret";
    for (const url of [plain, plain.replace("http:", "ws:")]) {
      expect(await askSocket(url, { env: { HTTP_PROXY: own.href } })).toBe("echo {}");
    }
    expect(await askSocket(plain, { env: { HTTP_PROXY: own.href, NO_PROXY: "*" } })).toBe("echo {}");
    expect(proxy.seen).toEqual([new URL(plain).host, new URL(plain).host]);
    own.password = "wr0ng";
    const failure = await askSocket(plain, { env: { HTTP_PROXY: own.href } }).catch((error: Error) => error.message);
    expect(failure).toMatch(/^The proxy 127\.0\.0\.1:\d+ does not accept the login that is set \(407 /);
  });

  testTls("over TLS, with certificates of the provider", async () => {
    const proxy = await startProxy();
    await expect(askSocket(secure)).rejects.toThrow(/self-signed certificate/);
    expect(await askSocket(secure, { env: { NODE_EXTRA_CA_CERTS: certificates } })).toBe("echo {}");
    await expect(askSocket(secure, { env: { HTTPS_PROXY: proxy.url } })).rejects.toThrow(/self-signed certificate/);
    const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: certificates };
    expect(await askSocket(secure.replace("https:", "wss:"), { env })).toBe("echo {}");
  });

  test("and give up in time: on a server that never says hello, on one that is not there, on an abort", async () => {
    const port = await listen(createTcpServer(() => undefined));
    const silent = `http://127.0.0.1:${port}`;
    await expect(askSocket(silent, { connectTimeoutMs: 200 })).rejects.toThrow(/timed out/);
    await expect(askSocket(plain, { connectTimeoutMs: 200, env: { HTTP_PROXY: silent } })).rejects.toThrow(/200 ms/);
    await expect(askSocket("http://127.0.0.1:1")).rejects.toThrow(/^WebSocket error\.: .*ECONNREFUSED/);
    const abort = new AbortController();
    const asked = askSocket(silent, { signal: abort.signal });
    abort.abort();
    await expect(asked).rejects.toThrow("Request was aborted");
  });
});

describe("proxies", () => {
  test("plain requests", async () => {
    const proxy = await startProxy();
    for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) {
      expect(await ask(plain, { env: { [name]: proxy.url } })).toBe("echo {}");
    }
    expect(new Set(proxy.seen)).toEqual(new Set([new URL(plain).host]));
  });

  testTls("requests over TLS", async () => {
    const proxy = await startProxy();
    const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: certificates };
    expect(await ask(secure, { env })).toBe("echo {}");
    expect(proxy.seen).toEqual([new URL(secure).host]);
  });

  test("a proxy that wants a login", async () => {
    const proxy = await startProxy("me:s3cret");
    const own = new URL(proxy.url);
    own.username = "me";
    own.password = "s3cret";
    expect(await ask(plain, { env: { HTTP_PROXY: own.href } })).toBe("echo {}");
    own.password = "wr0ng";
    const failure = await ask(plain, { env: { HTTP_PROXY: own.href } }).catch((error: Error) => error.message);
    expect(failure).toMatch(/does not accept the login that is set \(407 /);
    expect(failure).not.toContain("wr0ng");
    await expect(ask(plain, { env: { HTTP_PROXY: proxy.url } })).rejects.toMatchObject({
      name: "HttpSetupError",
      message: expect.stringMatching(/asks for a login \(407 .*HTTP_PROXY and HTTPS_PROXY: http:\/\/user:password@/),
    });
  });

  test.each(["http:", "https:"])("a proxy that does not answer, at %s", async (scheme) => {
    const port = await listen(createTcpServer((socket) => socket.on("error", () => undefined)));
    const env = { HTTP_PROXY: `${scheme}//127.0.0.1:${port}`, HTTPS_PROXY: `${scheme}//127.0.0.1:${port}` };
    for (const url of ["http://model.test", "https://model.test"]) {
      await expect(ask(url, { env, connectTimeoutMs: 200 })).rejects.toThrow(/The proxy gave no answer within 200 ms/);
    }
  });

  test("a proxy that hangs up is not asked again and again", async () => {
    let asked = 0;
    const port = await listen(
      createTcpServer((socket) => {
        asked++;
        socket.on("error", () => undefined);
        socket.once("data", () => socket.destroy());
      }),
    );
    await expect(ask(plain, { env: { HTTP_PROXY: `http://127.0.0.1:${port}` } })).rejects.toThrow(/hang up|reset/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(asked).toBe(1);
  });

  test("a server behind a proxy that never says hello", async () => {
    const proxy = await startProxy();
    const port = await listen(createTcpServer((socket) => socket.on("error", () => undefined)));
    const asked = ask(`https://127.0.0.1:${port}`, { env: { HTTPS_PROXY: proxy.url }, connectTimeoutMs: 200 });
    await expect(asked).rejects.toThrow(/No TLS with 127\.0\.0\.1 within 200 ms/);
  });

  test("exceptions go straight", async () => {
    const proxy = await startProxy();
    expect(await ask(plain, { env: { HTTP_PROXY: proxy.url, NO_PROXY: "127.0.0.1" } })).toBe("echo {}");
    expect(proxy.seen).toEqual([]);
  });

  test("a proxy that is not there, and one that is not spoken", async () => {
    await expect(ask(plain, { env: { HTTP_PROXY: "http://127.0.0.1:1" } })).rejects.toThrow(/^Connection error\.: /);
    await expect(ask(plain, { env: { HTTP_PROXY: "socks5://127.0.0.1:1" } })).rejects.toThrow(
      "SOCKS and PAC proxy URLs are not supported; use an HTTP or HTTPS proxy URL. Got socks5:",
    );
  });
});

describe("certificates", () => {
  testTls("of a provider", async () => {
    for (const refused of [ask(secure, { maxRetries: 3 }), askSocket(secure)]) {
      await expect(refused).rejects.toMatchObject({
        name: "HttpSetupError",
        message: expect.stringMatching(/not trusted: self-signed certificate \(.*set NODE_EXTRA_CA_CERTS to/),
      });
    }
    expect(await ask(secure, { env: { NODE_EXTRA_CA_CERTS: certificates } })).toBe("echo {}");
  });

  testTls("that cannot be read", async () => {
    const file = join(folder, "late.pem");
    const env = { NODE_EXTRA_CA_CERTS: file };
    await expect(ask(secure, { env })).rejects.toThrow(
      /certificates in NODE_EXTRA_CA_CERTS cannot be read: .*late\.pem/,
    );
    writeFileSync(file, readFileSync(certificates));
    expect(await ask(secure, { env })).toBe("echo {}");
  });

  testTls("of the process: Node's own fetch knows them", async () => {
    const request = `fetch(${JSON.stringify(secure)}, { method: "POST", body: "{}" })`;
    const child = spawn(process.execPath, ["-e", `${request}.then((r) => r.text()).then(console.log)`], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: certificates },
    });
    let said = "";
    for await (const chunk of child.stdout) said += String(chunk);
    expect(said.trim()).toBe("echo {}");
  });
});

test("a port that is blocked", async () => {
  await expect(ask("http://127.0.0.1:6667", { maxRetries: 3 })).rejects.toMatchObject({
    name: "HttpSetupError",
    message: expect.stringMatching(/requests to 127\.0\.0\.1:6667 are blocked, .*: bad port$/),
  });
});

describe("limits", () => {
  test("beyond those of Node", async () => {
    expect(await ask(plain, { timeoutMs: 2_147_483_647, idleTimeoutMs: 0 })).toBe("echo {}");
  });

  test("for a connection: a server that never says hello", async () => {
    const port = await listen(createTcpServer(() => undefined));
    const started = performance.now();
    await expect(ask(`https://localhost:${port}`, { connectTimeoutMs: 200 })).rejects.toThrow(/timeout/i);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
