import type { ClientAttribution, ClientIdentity } from "./types.js";

/** Version of this layer; equals that of its package (a test holds them together). */
export const PI_AI_VERSION = "1.6.0";

/** How pi presents itself to providers that list their clients. Sent only where an identity asks for it. */
export const PI_ATTRIBUTION: ClientAttribution = { name: "pi", url: "https://pi.dev", categories: ["cli-agent"] };

/** Where a request goes, as far as its headers depend on it. */
export interface ClientIdentityTarget {
  provider: string;
  baseUrl: string;
}

/** The version a client presents itself with. */
export function getClientVersion(identity?: ClientIdentity): string {
  return identity?.version ?? PI_AI_VERSION;
}

/**
 * The User-Agent of a request: `pi/1.6.0 (linux; node/v22.1.0; x64)`, or without the parentheses in mode `short`.
 * Source: llm.md section 16.
 */
export function formatUserAgent(identity?: ClientIdentity): string {
  const mode = identity?.userAgent ?? "detailed";
  if (typeof mode === "object") return mode.custom;
  const short = `pi/${getClientVersion(identity)}`;
  if (mode === "short") return short;
  const { bun } = process.versions;
  const runtime = bun ? `bun/${bun}` : `node/${process.version}`;
  return `${short} (${process.platform}; ${runtime}; ${process.arch})`;
}

/** Merges identities; defined fields of later ones win. Undefined when none is given. */
export function mergeClientIdentity(...identities: (ClientIdentity | undefined)[]): ClientIdentity | undefined {
  let merged: ClientIdentity | undefined;
  for (const identity of identities) {
    if (!identity) continue;
    const defined = Object.entries(identity).filter(([, value]) => value !== undefined);
    merged = { ...merged, ...Object.fromEntries(defined) };
  }
  return merged;
}

/** The headers by which some providers attribute a request to its client; none unless the identity names one. */
export function getAttributionHeaders(target: ClientIdentityTarget, identity?: ClientIdentity): Record<string, string> {
  const attribution = identity?.attribution;
  if (!attribution) return {};
  if (isTarget(target, "openrouter", "openrouter.ai")) {
    const headers: Record<string, string> = {
      "HTTP-Referer": attribution.url,
      "X-OpenRouter-Title": attribution.name,
    };
    if (attribution.categories?.length) headers["X-OpenRouter-Categories"] = attribution.categories.join(",");
    return headers;
  }
  if (isTarget(target, "nvidia", "integrate.api.nvidia.com")) {
    return { "X-BILLING-INVOKE-ORIGIN": attribution.name.charAt(0).toUpperCase() + attribution.name.slice(1) };
  }
  return isOpenCode(target) ? { "x-opencode-client": attribution.name } : {};
}

/** All headers that tell who is calling. */
export function getIdentityHeaders(target: ClientIdentityTarget, identity?: ClientIdentity): Record<string, string> {
  return { "User-Agent": formatUserAgent(identity), ...getAttributionHeaders(target, identity) };
}

/** OpenCode's session header; undefined for other providers. */
export function getOpenCodeSessionHeaders(
  target: ClientIdentityTarget,
  sessionId: string | undefined,
): Record<string, string> | undefined {
  return sessionId && isOpenCode(target) ? { "x-opencode-session": sessionId } : undefined;
}

function isOpenCode(target: ClientIdentityTarget): boolean {
  return target.provider === "opencode-go" || isTarget(target, "opencode", "opencode.ai");
}

function isTarget(target: ClientIdentityTarget, provider: string, host: string): boolean {
  return target.provider === provider || target.baseUrl.includes(host);
}
