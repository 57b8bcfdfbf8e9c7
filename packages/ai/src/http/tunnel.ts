import { type ClientRequest, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { HttpConnectionError, HttpSetupError } from "./errors.js";

/** What is behind a proxy. */
export interface TunnelTarget {
  hostname: string;
  port: number | string;
  /** Whether TLS is spoken through the tunnel. */
  isSecure: boolean;
  /** Further certificates that are trusted. */
  ca: string[] | undefined;
  /** For the way to the proxy, and once more for TLS through it, in ms; 0 or less means no limit. */
  timeoutMs: number;
}

/**
 * A connection through a proxy, by CONNECT.
 * @param proxy its URL, which may hold a login
 * @throws HttpSetupError, HttpConnectionError that say what the proxy answered, and what Node says; the URL is not quoted
 */
export async function tunnel(proxy: string, target: TunnelTarget): Promise<Socket> {
  const socket = await throughProxy(new URL(proxy), target);
  return target.isSecure ? secured(socket, target) : socket;
}

function throughProxy(proxy: URL, { hostname, port, ca, timeoutMs }: TunnelTarget): Promise<Socket> {
  const isSecure = proxy.protocol === "https:";
  const { username, password } = proxy;
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
  const authority = `${hostname}:${port}`;
  const request: ClientRequest = (isSecure ? httpsRequest : httpRequest)({
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || (isSecure ? 443 : 80),
    method: "CONNECT",
    path: authority,
    headers: { host: authority, ...(username ? { "proxy-authorization": `Basic ${login}` } : {}) },
    agent: false,
    ...(ca ? { ca } : {}),
  });
  return new Promise((resolve, reject) => {
    // For the whole of it: a proxy that sends a byte now and then gives no answer either.
    const timer = limit(timeoutMs, () => {
      request.destroy(
        new HttpConnectionError("connection", `The proxy gave no answer within ${timeoutMs} ms: timed out`),
      );
    });
    request.once("connect", (response, socket: Socket) => {
      clearTimeout(timer);
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(refusal(proxy, response.statusCode ?? 0, response.statusMessage ?? ""));
    });
    request.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.end();
  });
}

function refusal(proxy: URL, status: number, words: string): Error {
  const answer = `${status} ${words}`.trim();
  if (status === 407) {
    const what = proxy.username ? "does not accept the login that is set" : "asks for a login";
    return new HttpSetupError(
      "proxy",
      `The proxy ${proxy.host} ${what} (${answer}). ` +
        "Set it in HTTP_PROXY and HTTPS_PROXY: http://user:password@host:port",
    );
  }
  const text = `The proxy ${proxy.host} refused the connection: ${answer}`;
  return status >= 400 && status < 500
    ? new HttpSetupError("proxy", text)
    : new HttpConnectionError("connection", text);
}

function secured(socket: Socket, { hostname, ca, timeoutMs }: TunnelTarget): Promise<Socket> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const name = isIP(host) ? {} : { servername: host };
  const secure = connectTls({ socket, host, ...name, ALPNProtocols: ["http/1.1"], ...(ca ? { ca } : {}) });
  return new Promise((resolve, reject) => {
    const timer = limit(timeoutMs, () => {
      secure.destroy(
        new HttpConnectionError("connection", `No TLS with ${hostname} within ${timeoutMs} ms: timed out`),
      );
    });
    secure.once("secureConnect", () => {
      clearTimeout(timer);
      secure.removeListener("error", reject);
      resolve(secure);
    });
    secure.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    secure.once("close", () => reject(new HttpConnectionError("connection", "Connection closed by the server")));
  });
}

function limit(ms: number, end: () => void): NodeJS.Timeout | undefined {
  return ms > 0 ? setTimeout(end, ms) : undefined;
}
