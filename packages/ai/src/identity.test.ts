import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  formatUserAgent,
  getAttributionHeaders,
  getOpenCodeSessionHeaders,
  mergeClientIdentity,
  PI_AI_VERSION,
  PI_ATTRIBUTION,
} from "./identity.js";

test("the version is the package's", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(PI_AI_VERSION).toBe(manifest.version);
});

test("user agents", () => {
  expect(formatUserAgent()).toBe(`pi/1.6.0 (${process.platform}; node/${process.version}; ${process.arch})`);
  expect(formatUserAgent({ userAgent: "short", version: "2.0.0" })).toBe("pi/2.0.0");
  expect(formatUserAgent({ userAgent: { custom: "x/1" } })).toBe("x/1");
});

test("attribution only where it is asked for and known", () => {
  const identity = { attribution: PI_ATTRIBUTION };
  const openrouter = { provider: "openrouter", baseUrl: "https://openrouter.ai/api/v1" };
  expect(getAttributionHeaders(openrouter, identity)).toEqual({
    "HTTP-Referer": "https://pi.dev",
    "X-OpenRouter-Title": "pi",
    "X-OpenRouter-Categories": "cli-agent",
  });
  expect(getAttributionHeaders(openrouter)).toEqual({});
  expect(getAttributionHeaders(openrouter, { attribution: null })).toEqual({});
  expect(getAttributionHeaders({ provider: "nvidia", baseUrl: "" }, identity)).toEqual({
    "X-BILLING-INVOKE-ORIGIN": "Pi",
  });
  expect(getAttributionHeaders({ provider: "opencode-go", baseUrl: "" }, identity)).toEqual({
    "x-opencode-client": "pi",
  });
  expect(getAttributionHeaders({ provider: "openai", baseUrl: "" }, identity)).toEqual({});
});

test("OpenCode's session", () => {
  expect(getOpenCodeSessionHeaders({ provider: "x", baseUrl: "https://opencode.ai/inference" }, "s")).toEqual({
    "x-opencode-session": "s",
  });
  expect(getOpenCodeSessionHeaders({ provider: "openai", baseUrl: "" }, "s")).toBeUndefined();
});

test("merging", () => {
  expect(mergeClientIdentity(undefined, undefined)).toBeUndefined();
  expect(
    mergeClientIdentity({ version: "1", userAgent: "short" }, undefined, { version: "2", attribution: null }),
  ).toEqual({
    version: "2",
    userAgent: "short",
    attribution: null,
  });
});
