import { isObject } from "../../json/objects.js";

/** Member of a sign-in token in which OpenAI keeps what it says about the account. */
const AUTH_CLAIM = "https://api.openai.com/auth";

/**
 * The ChatGPT account a sign-in token is for.
 * @throws Error when the token does not name one; the token is not quoted
 */
export function codexAccountId(token: string, provider: string): string {
  const claims = tokenClaims(token);
  const auth = claims?.[AUTH_CLAIM];
  const id = isObject(auth) ? auth["chatgpt_account_id"] : undefined;
  if (typeof id === "string" && id !== "") return id;
  throw new Error(`The sign-in token for provider ${provider} names no ChatGPT account. Sign in again.`);
}

function tokenClaims(token: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
