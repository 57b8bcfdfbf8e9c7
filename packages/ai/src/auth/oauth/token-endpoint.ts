import { requestJson, withoutSecrets } from "../../http-json.js";
import { isObject } from "../../json/objects.js";
import type { OAuthCredential } from "../types.js";
import type { OAuthClient } from "./clients.js";

const REQUEST_TIMEOUT_MS = 15_000;
/** Of a token whose end the server does not tell, in s. */
const DEFAULT_LIFETIME_S = 3600;

/** The provider refused. `code` is OAuth's: `invalid_grant`, `authorization_pending`, … */
export class OAuthError extends Error {
  override name = "OAuthError";

  constructor(
    readonly code: string,
    message: string,
    readonly body: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** The parameters every request of a client has. */
export function clientParams({ clientId, clientSecret }: OAuthClient): Record<string, string> {
  return { ...(clientId && { client_id: clientId }), ...(clientSecret && { client_secret: clientSecret }) };
}

/**
 * Asks an endpoint of the protocol.
 * @throws OAuthError with the provider's own error. Nothing else of the answer is quoted: it may hold secrets
 */
export async function askEndpoint(
  url: string,
  params: Record<string, string>,
  format: "form" | "json",
  signal: AbortSignal | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await requestJson({
    url,
    ...(format === "json" ? { json: params } : { form: params }),
    timeoutMs: REQUEST_TIMEOUT_MS,
    signal,
  });
  const answer = isObject(body) ? body : {};
  if (typeof answer["error"] === "string") {
    // Some servers put what they were sent into it.
    const error = withoutSecrets(answer["error"], Object.values(params));
    throw new OAuthError(answer["error"], `${error} (${status} from ${hostOf(url)})`, answer);
  }
  if (status >= 400 || !isObject(body)) {
    throw new OAuthError("http", `${status} from ${hostOf(url)}`, answer);
  }
  return answer;
}

/** A credential from the answer of a token endpoint; members the answer leaves out stay those of `before`. */
export function credentialOf(
  client: OAuthClient,
  answer: Readonly<Record<string, unknown>>,
  before?: OAuthCredential,
): OAuthCredential {
  const access = answer["access_token"];
  if (typeof access !== "string" || access === "") throw new Error("The provider's answer holds no access token");
  const refresh = answer["refresh_token"] ?? before?.refresh ?? "";
  const lifetimeS = Number(answer["expires_in"]) > 0 ? Number(answer["expires_in"]) : DEFAULT_LIFETIME_S;
  return {
    ...before,
    type: "oauth",
    access,
    refresh: String(refresh),
    expires: Date.now() + lifetimeS * 1000 - (client.expiryMarginMs ?? 0),
    ...claimsOf(client, access),
  };
}

/** Members that the client takes from the claims of a JWT. The signature is the provider's to check. */
function claimsOf(client: OAuthClient, token: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  if (!client.claims) return found;
  let claims: unknown;
  try {
    claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  } catch {
    return found;
  }
  for (const [member, path] of Object.entries(client.claims)) {
    let value: unknown = claims;
    for (const key of path) value = isObject(value) ? value[key] : undefined;
    if (value !== undefined) found[member] = value;
  }
  return found;
}

function hostOf(url: string): string {
  return new URL(url).host;
}
