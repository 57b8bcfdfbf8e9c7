import type { OAuthAuth, OAuthCredential, ProviderAuthInteraction } from "../types.js";
import { type OAuthClient, requireConfigured } from "./clients.js";
import { atDomain, copilotAuth, copilotCredential, enterpriseDomain } from "./copilot.js";
import { runDeviceFlow } from "./device-flow.js";
import { runLoopbackFlow } from "./loopback-flow.js";
import { askEndpoint, clientParams, credentialOf } from "./token-endpoint.js";

/** A sign-in from its row of the table. `client` is asked for at each use, so that configuration may come later. */
export function createOAuth(provider: string, client: () => OAuthClient): OAuthAuth {
  const { name, isSubscription, loginLabel } = client();
  return {
    name,
    ...(isSubscription !== undefined && { isSubscription }),
    ...(loginLabel !== undefined && { loginLabel }),
    async login(interaction) {
      const row = client();
      requireConfigured(provider, row);
      return signIn(row, interaction);
    },
    refresh: (credential, signal) => renew(provider, client(), credential, signal),
    async toAuth(credential) {
      const row = client();
      if (row.flow === "copilot") return copilotAuth(credential);
      if (row.sendAs !== "bearer") return { apiKey: credential.access };
      return {
        apiKey: credential.access,
        headers: { Authorization: `Bearer ${credential.access}`, "x-api-key": null },
      };
    },
  };
}

async function signIn(row: OAuthClient, interaction: ProviderAuthInteraction): Promise<OAuthCredential> {
  switch (row.flow) {
    case "key": {
      const answer = await runLoopbackFlow(withUrls(row, "authorizeUrl", "tokenUrl"), interaction);
      const { key } = answer;
      if (typeof key !== "string" || key === "") throw new Error("The provider's answer holds no key");
      return { type: "oauth", access: key, refresh: "", expires: Number.MAX_SAFE_INTEGER };
    }
    case "copilot": {
      const message = "GitHub Enterprise domain (empty for github.com):";
      const { prompt, signal } = interaction;
      const domain = enterpriseDomain(await prompt({ type: "text", message, placeholder: "company.ghe.com", signal }));
      const own = withUrls(row, "deviceUrl", "tokenUrl");
      const urls = { deviceUrl: atDomain(own.deviceUrl, domain), tokenUrl: atDomain(own.tokenUrl, domain) };
      const { access_token: token } = await runDeviceFlow({ ...own, ...urls }, interaction);
      if (typeof token !== "string") throw new Error("GitHub's answer holds no token");
      return copilotCredential(token, domain === undefined ? {} : { enterpriseUrl: domain }, row.exchangeUrl, signal);
    }
    case "device":
      return credentialOf(row, await runDeviceFlow(withUrls(row, "deviceUrl", "tokenUrl"), interaction));
    case "loopback":
      return credentialOf(row, await runLoopbackFlow(withUrls(row, "authorizeUrl", "tokenUrl"), interaction));
    case "loopback-or-device":
      return signIn({ ...row, flow: await chosenFlow(row, interaction) }, interaction);
  }
}

/** Asks only where both ways are configured. */
async function chosenFlow(
  row: OAuthClient,
  { prompt, signal }: ProviderAuthInteraction,
): Promise<"loopback" | "device"> {
  if (!row.deviceUrl) return "loopback";
  if (!row.authorizeUrl) return "device";
  const options = [
    { id: "loopback", label: "Browser on this machine" },
    { id: "device", label: "Code to enter on another device" },
  ];
  const choice = await prompt({ type: "select", message: "How do you want to sign in?", options, signal });
  return choice === "device" ? "device" : "loopback";
}

async function renew(
  provider: string,
  row: OAuthClient,
  credential: OAuthCredential,
  signal: AbortSignal,
): Promise<OAuthCredential> {
  if (row.flow === "copilot") {
    const { type: _type, access: _access, refresh, expires: _expires, ...extras } = credential;
    return copilotCredential(refresh, extras, row.exchangeUrl, signal);
  }
  if (!credential.refresh) throw new Error("The sign-in has ended. Sign in again.");
  if (!row.tokenUrl) requireConfigured(provider, row);
  const params = { grant_type: "refresh_token", refresh_token: credential.refresh, ...clientParams(row) };
  const answer = await askEndpoint(withUrls(row, "tokenUrl").tokenUrl, params, row.tokenFormat ?? "form", signal);
  return credentialOf(row, answer, credential);
}

/** The row with some members known to be set. */
function withUrls<K extends keyof OAuthClient>(row: OAuthClient, ...keys: K[]): OAuthClient & Record<K, string> {
  for (const key of keys) if (!row[key]) throw new Error(`Signing in to ${row.name} needs ${key}.`);
  return row as OAuthClient & Record<K, string>;
}
