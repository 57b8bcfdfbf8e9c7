import { Agent, type buildConnector, type Dispatcher, fetch as undiciFetch } from "undici";
import type { FetchFunction } from "../types.js";
import { withBaselineWasm } from "../wasm-baseline.js";
import { trustedCertificates } from "./certificates.js";
import { tunnel } from "./tunnel.js";
import type { Way } from "./way.js";

/** Longest attempt at one address of a host before the next one is tried as well, in ms. Source: llm.md section 16. */
const ADDRESS_ATTEMPT_TIMEOUT_MS = 2000;

/** One set of connections for each way, kept like those of Node's own fetch. */
const fetches = new Map<string, Promise<FetchFunction>>();

/**
 * A fetch function that goes a way of its own. The limits for headers and silence are the caller's affair.
 * @throws when a file of certificates cannot be read
 */
export function fetchBy(way: Way): Promise<FetchFunction> {
  const key = JSON.stringify(way);
  let made = fetches.get(key);
  if (!made) {
    made = make(way);
    // A file that is put right later is read then.
    made.catch(() => fetches.delete(key));
    fetches.set(key, made);
  }
  return made;
}

async function make(way: Way): Promise<FetchFunction> {
  const dispatcher = await dispatcherFor(way);
  const send = (url: Parameters<FetchFunction>[0], init: RequestInit | undefined): Promise<unknown> =>
    undiciFetch(url as string, { ...init, dispatcher } as Parameters<typeof undiciFetch>[1]);
  // The types of undici and of Node describe the same objects.
  return ((url, init) => withBaselineWasm(() => send(url, init))) as FetchFunction;
}

async function dispatcherFor({ proxy, certificates, connectTimeoutMs }: Way): Promise<Dispatcher> {
  const ca = certificates === undefined ? undefined : await trustedCertificates(certificates);
  const limits = { headersTimeout: 0, bodyTimeout: 0 };
  if (proxy !== undefined) return new Agent({ ...limits, connect: proxyConnector(proxy, ca, connectTimeoutMs) });
  const connect = {
    timeout: Math.max(0, connectTimeoutMs),
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_TIMEOUT_MS,
    ...(ca && { ca }),
  };
  return new Agent({ ...limits, connect });
}

/**
 * Connects through a proxy. undici's own agent for proxies waits without end for an answer to CONNECT, and connects anew
 * again and again when the proxy hangs up.
 */
function proxyConnector(proxy: string, ca: string[] | undefined, timeoutMs: number): buildConnector.connector {
  return ({ hostname, port, protocol }, callback) => {
    const isSecure = protocol === "https:";
    tunnel(proxy, { hostname, port: port || (isSecure ? 443 : 80), isSecure, ca, timeoutMs }).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}
