import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Where the browser brings the authorisation code. Rules: llm.md section 11.4. */
export interface CallbackServer {
  /** What the provider is told to return to. */
  readonly redirectUri: string;
  /** Resolves with the code of the first good callback; rejects when the provider reports an error. */
  readonly code: Promise<string>;
  close(): void;
}

export interface CallbackServerOptions {
  /** Host name in the redirect URI; the server itself listens on `PI_OAUTH_CALLBACK_HOST` or 127.0.0.1. */
  host: string;
  /** 0 = any free one. */
  port: number;
  path: string;
  state: string;
  /** Takes any free port when the wanted one is taken. */
  mayMove: boolean;
}

/** @throws Error naming the port when it cannot be listened on */
export async function startCallbackServer(options: CallbackServerOptions): Promise<CallbackServer> {
  const { host, path, state } = options;
  let resolve: (code: string) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const code = new Promise<string>((onCode, onError) => {
    resolve = onCode;
    reject = onError;
  });
  // Nobody may be waiting: a code can be pasted instead.
  code.catch(() => undefined);
  let used = false;
  const server = createServer((request, response) => {
    if (request.method !== "GET") return answer(response, 405, "Method not allowed.");
    const query = queryOf(request, path);
    if (!query) return answer(response, 404, "Not found.");
    if (!sameText(query.get("state") ?? "", state)) return answer(response, 400, "State mismatch.");
    if (used) return answer(response, 409, "This sign-in has already been answered.");
    const error = query.get("error");
    const received = query.get("code");
    if (!error && !received) return answer(response, 400, "The code is missing.");
    used = true;
    if (error || !received) {
      answer(response, 400, "The sign-in was refused. You can close this window.");
      reject(new Error(`The provider refused the sign-in: ${error}`));
      return;
    }
    answer(response, 200, "Signed in. You can close this window and return to pi.");
    resolve(received);
  });
  await listen(server, options);
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://${host}:${port}${path}`,
    code,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, { port, mayMove }: CallbackServerOptions): Promise<void> {
  const host = process.env["PI_OAUTH_CALLBACK_HOST"] || "127.0.0.1";
  const attempt = (wanted: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(wanted, host, () => {
        server.removeListener("error", reject);
        resolve();
      });
    });
  try {
    await attempt(port);
  } catch (error) {
    if (mayMove && (error as NodeJS.ErrnoException).code === "EADDRINUSE") return attempt(0);
    throw new Error(`Could not wait for the browser on ${host}:${port}: ${(error as Error).message}`, { cause: error });
  }
}

function queryOf(request: IncomingMessage, path: string): URLSearchParams | undefined {
  const url = new URL(request.url ?? "/", "http://localhost");
  return url.pathname === path ? url.searchParams : undefined;
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(text);
}
