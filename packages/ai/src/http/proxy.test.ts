import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { proxyFor, UnsupportedProxyError } from "./proxy.js";
import { wayOf } from "./way.js";

const NAMES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"];
beforeEach(() => {
  for (const name of NAMES) for (const one of [name, name.toLowerCase()]) vi.stubEnv(one, undefined);
});
afterEach(() => void vi.unstubAllEnvs());

describe("proxyFor", () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ["http://api/", {}, undefined],
    ["http://api/", { HTTP_PROXY: "http://proxy:1" }, "http://proxy:1/"],
    ["http://api/", { http_proxy: "http://proxy:1" }, "http://proxy:1/"],
    ["http://api/", { HTTPS_PROXY: "http://proxy:1" }, undefined],
    ["https://api/", { HTTPS_PROXY: "http://proxy:1" }, "http://proxy:1/"],
    ["https://api/", { https_proxy: "https://proxy:1" }, "https://proxy:1/"],
    ["https://api/", { ALL_PROXY: "http://all:1" }, "http://all:1/"],
    ["https://api/", { ALL_PROXY: "http://all:1", HTTPS_PROXY: "http://own:1" }, "http://own:1/"],
    ["https://api/", { HTTPS_PROXY: "proxy:3128" }, "http://proxy:3128/"],
    ["https://api/", { HTTPS_PROXY: "  " }, undefined],
    ["https://api/", { HTTPS_PROXY: "http://u:p@proxy:1" }, "http://u:p@proxy:1/"],
  ])("%s with %j: %s", (url, env, expected) => {
    expect(proxyFor(url, env)).toBe(expected);
    Object.assign(process.env, env);
    expect(proxyFor(url)).toBe(expected);
  });

  test.each<[string, string, boolean]>([
    ["https://api.example.com/", "*", true],
    ["https://api.example.com/", "api.example.com", true],
    ["https://api.example.com/", "example.com", true],
    ["https://api.example.com/", ".example.com", true],
    ["https://api.example.com/", "*.example.com", true],
    ["https://API.example.com/", "Example.COM", true],
    ["https://api.example.com/", "other.org example.com", true],
    ["https://api.example.com/", "other.org,example.com", true],
    ["https://badexample.com/", "example.com", false],
    ["https://api.example.com/", "example.com:443", true],
    ["https://api.example.com/", "example.com:8443", false],
    ["https://api.example.com:8443/", "example.com:8443", true],
    ["http://127.0.0.1:11434/", "localhost,127.0.0.1", true],
    ["http://[::1]:8080/", "[::1]:8080", true],
    ["http://[::1]:8080/", "::1", true],
    ["https://api.example.com/", "", false],
  ])("%s with NO_PROXY=%s: %s", (url, list, excepted) => {
    const env = { HTTP_PROXY: "http://proxy:1", HTTPS_PROXY: "http://proxy:1" };
    expect(proxyFor(url, { ...env, NO_PROXY: list })).toBe(excepted ? undefined : "http://proxy:1/");
    expect(proxyFor(url, { ...env, no_proxy: list })).toBe(excepted ? undefined : "http://proxy:1/");
  });

  test.each(["socks5:", "socks4:", "socks:", "pac+http:"])("%s is not spoken", (protocol) => {
    expect(() => proxyFor("https://api/", { HTTPS_PROXY: `${protocol}//u:secret@proxy:1` })).toThrow(
      new UnsupportedProxyError(protocol),
    );
    expect(new UnsupportedProxyError(protocol).message).toBe(
      `Unsupported proxy protocol. SOCKS and PAC proxy URLs are not supported; use an HTTP or HTTPS proxy URL. Got ${protocol}`,
    );
  });

  test("what is no URL is not quoted", () => {
    expect(() => proxyFor("https://api/", { HTTPS_PROXY: "http://u:secret@:x" })).toThrow(
      new Error("The proxy in HTTPS_PROXY is not a URL. Set it to http://host:port."),
    );
  });
});

describe("wayOf: Node's own fetch goes unless something asks for more", () => {
  test.each<[Parameters<typeof wayOf>[1], boolean]>([
    [{}, false],
    [{ timeoutMs: 300_000, idleTimeoutMs: 300_000, connectTimeoutMs: 10_000 }, false],
    [{ timeoutMs: 300_001 }, true],
    [{ timeoutMs: 0 }, true],
    [{ idleTimeoutMs: 600_000 }, true],
    [{ idleTimeoutMs: 0 }, true],
    [{ connectTimeoutMs: 500 }, true],
    [{ env: { HTTPS_PROXY: "http://proxy:1" } }, true],
    [{ env: { HTTPS_PROXY: "http://proxy:1", NO_PROXY: "api" } }, false],
    [{ env: { NODE_EXTRA_CA_CERTS: "/some/file" } }, true],
  ])("%j: %s", (options, expected) => {
    expect(wayOf("https://api/", options) !== undefined).toBe(expected);
  });
});
