import type { ProviderEnv } from "../types.js";

/** Which proxy a request goes through. Pure. Rules: llm.md section 16. */

/** A proxy of a kind that is not spoken here. */
export class UnsupportedProxyError extends Error {
  override name = "UnsupportedProxyError";
  readonly code = "unsupported_proxy";

  /** @param protocol with its colon, as in `socks5:` */
  constructor(protocol: string) {
    super(
      "Unsupported proxy protocol. SOCKS and PAC proxy URLs are not supported; use an HTTP or HTTPS proxy URL. " +
        `Got ${protocol}`,
    );
  }
}

/** A variable in either case: the provider's own, else the process's; lower case first, as most programs have it. */
export function environmentValue(name: string, env: ProviderEnv | undefined): string | undefined {
  for (const source of [env, process.env]) {
    const value = source?.[name.toLowerCase()] ?? source?.[name.toUpperCase()];
    if (value?.trim()) return value.trim();
  }
  return undefined;
}

/**
 * The URL of the proxy for a request; undefined when it goes straight to its server.
 * @throws UnsupportedProxyError
 */
export function proxyFor(url: string, env?: ProviderEnv): string | undefined {
  const target = parsedUrl(url);
  // Whoever sends the request says what is wrong with its address.
  if (!target) return undefined;
  const own = target.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const configured = environmentValue(own, env) ?? environmentValue("ALL_PROXY", env);
  if (configured === undefined || isExcepted(target, environmentValue("NO_PROXY", env))) return undefined;
  // `host:port` without a scheme is common, and means HTTP.
  const proxy = parsedUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(configured) ? configured : `http://${configured}`);
  if (!proxy) throw new Error(`The proxy in ${own} is not a URL. Set it to http://host:port.`);
  if (proxy.protocol !== "http:" && proxy.protocol !== "https:") throw new UnsupportedProxyError(proxy.protocol);
  return proxy.href;
}

function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // The text may hold a password, so that nothing of it is quoted.
    return undefined;
  }
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** True when `NO_PROXY` names the host: `*`, or a list of `host[:port]`, `.domain` and `*.domain`, all by suffix. */
function isExcepted(target: URL, list: string | undefined): boolean {
  if (list === undefined) return false;
  const host = target.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = target.port || DEFAULT_PORTS[target.protocol];
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === "") return false;
      if (entry === "*") return true;
      const { name, only } = splitEntry(entry);
      if (only !== undefined && only !== port) return false;
      const domain = name.replace(/^\*?\./, "");
      return host === domain || host.endsWith(`.${domain}`);
    });
}

/** An IPv6 address has colons of its own: only one in brackets can have a port. */
function splitEntry(entry: string): { name: string; only: string | undefined } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain;
  return name === undefined ? { name: entry, only: undefined } : { name, only: port };
}
