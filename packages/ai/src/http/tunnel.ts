import { type ClientRequest, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";

/**
 * A connection through a proxy to `host:port`, by CONNECT.
 * @param proxy its URL, which may hold a login
 * @throws Error that says what the proxy answered; the URL is not quoted
 */
export function tunnel(proxy: string, target: string, ca: string[] | undefined, timeoutMs: number): Promise<Socket> {
  const { protocol, hostname, port, username, password } = new URL(proxy);
  const isSecure = protocol === "https:";
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
  const request: ClientRequest = (isSecure ? httpsRequest : httpRequest)({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port || (isSecure ? 443 : 80),
    method: "CONNECT",
    path: target,
    headers: { host: target, ...(username ? { "proxy-authorization": `Basic ${login}` } : {}) },
    agent: false,
    ...(timeoutMs > 0 ? { timeout: timeoutMs } : {}),
    ...(ca ? { ca } : {}),
  });
  return new Promise((resolve, reject) => {
    request.once("connect", (response, socket: Socket) => {
      socket.setTimeout(0);
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`The proxy refused the connection: ${response.statusCode} ${response.statusMessage ?? ""}`));
    });
    request.once("timeout", () => request.destroy(new Error(`The proxy gave no answer within ${timeoutMs} ms`)));
    request.once("error", reject);
    request.end();
  });
}
