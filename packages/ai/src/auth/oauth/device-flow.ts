import { delay } from "../../delay.js";
import type { ProviderAuthInteraction } from "../types.js";
import type { OAuthClient } from "./clients.js";
import { askEndpoint, clientParams, OAuthError } from "./token-endpoint.js";

/** Of RFC 8628 and llm.md section 11.4, in s. */
const DEFAULT_INTERVAL_S = 5;
const MIN_INTERVAL_S = 1;
const SLOW_DOWN_S = 5;
const DEFAULT_LIFETIME_S = 900;

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";

/**
 * Shows a code to enter elsewhere and waits until that has happened. Resolves with the token endpoint's answer.
 * @throws Error `Device flow timed out`
 */
export async function runDeviceFlow(
  client: OAuthClient & { deviceUrl: string; tokenUrl: string },
  { notify, signal }: ProviderAuthInteraction,
): Promise<Readonly<Record<string, unknown>>> {
  const started = await askEndpoint(
    client.deviceUrl,
    { ...clientParams(client), ...(client.scopes && { scope: client.scopes.join(" ") }) },
    "form",
    signal,
  );
  const { device_code: deviceCode, user_code: userCode } = started;
  const verificationUri = started["verification_uri_complete"] ?? started["verification_uri"];
  if (typeof deviceCode !== "string" || typeof userCode !== "string" || typeof verificationUri !== "string") {
    throw new Error("The provider's answer holds no device code");
  }
  let intervalS = Math.max(MIN_INTERVAL_S, Number(started["interval"]) || DEFAULT_INTERVAL_S);
  const lifetimeS = Number(started["expires_in"]) || DEFAULT_LIFETIME_S;
  const end = Date.now() + lifetimeS * 1000;
  notify({
    type: "device_code",
    userCode,
    verificationUri,
    intervalSeconds: intervalS,
    expiresInSeconds: lifetimeS,
  });
  while (Date.now() < end) {
    await delay(Math.min(intervalS * 1000, Math.max(0, end - Date.now())), signal);
    if (signal.aborted) throw new Error("Sign-in was cancelled");
    try {
      const params = { ...clientParams(client), grant_type: GRANT_TYPE, device_code: deviceCode };
      return await askEndpoint(client.tokenUrl, params, "form", signal);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      if (error.code === "expired_token") break;
      if (error.code === "slow_down") {
        intervalS = Math.max(MIN_INTERVAL_S, Number(error.body["interval"]) || intervalS + SLOW_DOWN_S);
      } else if (error.code !== "authorization_pending") throw error;
    }
  }
  throw new Error("Device flow timed out");
}
