import type { ProviderEnv } from "../types.js";
import { environmentValue, proxyFor } from "./proxy.js";

/** Node's fetch gives up by itself after this long without headers or without a piece of the body, in ms. */
const NODE_LIMIT_MS = 300_000;
/** Default limit for a new connection, in ms; also that of Node's fetch. */
export const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;

/** What decides about the way of a request. Times in ms; 0 or less means no limit. */
export interface WayOptions {
  env?: ProviderEnv | undefined;
  timeoutMs?: number | undefined;
  idleTimeoutMs?: number | undefined;
  connectTimeoutMs?: number | undefined;
}

/** How requests get out where Node's own fetch cannot take them. Equal ones share their connections. */
export interface Way {
  /** URL of a proxy. */
  proxy: string | undefined;
  /** File with further certificates. */
  certificates: string | undefined;
  connectTimeoutMs: number;
}

/** The process knows this file since its start: Node's own fetch trusts it already. */
const CERTIFICATES_AT_START = process.env["NODE_EXTRA_CA_CERTS"];

/**
 * The way of a request; undefined for the one that Node's own fetch goes by itself.
 * @throws UnsupportedProxyError
 */
export function wayOf(url: string, options: WayOptions): Way | undefined {
  const proxy = proxyFor(url, options.env);
  const extra = environmentValue("NODE_EXTRA_CA_CERTS", options.env);
  const certificates = extra === CERTIFICATES_AT_START ? undefined : extra;
  const connectTimeoutMs = options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS;
  const isLong = (ms: number | undefined): boolean => ms !== undefined && (ms <= 0 || ms > NODE_LIMIT_MS);
  const isUsual =
    proxy === undefined &&
    certificates === undefined &&
    connectTimeoutMs === DEFAULT_CONNECT_TIMEOUT_MS &&
    !isLong(options.timeoutMs) &&
    !isLong(options.idleTimeoutMs);
  return isUsual ? undefined : { proxy, certificates, connectTimeoutMs };
}
