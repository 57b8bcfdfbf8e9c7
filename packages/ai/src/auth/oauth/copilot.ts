import { requestJson } from "../../http-json.js";
import { isObject } from "../../json/objects.js";
import type { ModelAuth, OAuthCredential } from "../types.js";

const PUBLIC_DOMAIN = "github.com";
const REQUEST_TIMEOUT_MS = 15_000;

/** The host name in what a user entered as an enterprise domain; undefined for github.com. */
export function enterpriseDomain(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const host = new URL(/^https?:\/\//.test(trimmed) ? trimmed : `https://${trimmed}`).host;
  return host === PUBLIC_DOMAIN ? undefined : host;
}

/** An address of github.com at an enterprise's own domain. */
export function atDomain(url: string, domain: string | undefined): string {
  return domain === undefined ? url : url.replace(`//${PUBLIC_DOMAIN}/`, `//${domain}/`);
}

/** Exchanges a GitHub token for a short-lived Copilot token. `refresh` stays the GitHub token. */
export async function copilotCredential(
  githubToken: string,
  extras: Record<string, unknown>,
  exchangeUrl: string | undefined,
  signal: AbortSignal,
): Promise<OAuthCredential> {
  const { enterpriseUrl } = extras as { enterpriseUrl?: string };
  const url = exchangeUrl ?? `https://api.${enterpriseUrl ?? PUBLIC_DOMAIN}/copilot_internal/v2/token`;
  const { status, body } = await requestJson({
    url,
    headers: { authorization: `Bearer ${githubToken}` },
    timeoutMs: REQUEST_TIMEOUT_MS,
    signal,
  });
  if (!isObject(body) || typeof body["token"] !== "string") {
    throw new Error(`GitHub gave no Copilot token (${status}). Does the account have Copilot?`);
  }
  return {
    ...extras,
    type: "oauth",
    refresh: githubToken,
    access: body["token"],
    expires: Number(body["expires_at"]) * 1000 || Date.now() + 1_500_000,
  };
}

/** The token and the host that it is for. */
export function copilotAuth(credential: OAuthCredential): ModelAuth {
  const proxy = /(?:^|;)proxy-ep=([^;]+)/.exec(credential.access)?.[1];
  const { enterpriseUrl } = credential as { enterpriseUrl?: string };
  const host = proxy?.replace(/^proxy\./, "api.") ?? (enterpriseUrl && `copilot-api.${enterpriseUrl}`);
  return { apiKey: credential.access, ...(host && { baseUrl: `https://${host}` }) };
}
