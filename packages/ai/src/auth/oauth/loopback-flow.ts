import type { ProviderAuthInteraction } from "../types.js";
import { startCallbackServer } from "./callback-server.js";
import type { OAuthClient } from "./clients.js";
import { createPkce, createState } from "./pkce.js";
import { askEndpoint, clientParams } from "./token-endpoint.js";

const DEFAULT_REDIRECT = { host: "localhost", port: 0, path: "/callback" };

/**
 * Sends the user to the browser with a PKCE challenge and waits for the code to arrive at the callback, or to be pasted,
 * whichever is first. Resolves with the token endpoint's answer.
 */
export async function runLoopbackFlow(
  client: OAuthClient & { authorizeUrl: string; tokenUrl: string },
  interaction: ProviderAuthInteraction,
): Promise<Readonly<Record<string, unknown>>> {
  const { redirect = DEFAULT_REDIRECT } = client;
  const pkce = createPkce();
  const state = createState();
  // A provider that knows the port by registration would refuse another one, but a pasted code still works.
  const server = await startCallbackServer({ ...redirect, state, mayMove: true });
  try {
    const url = authorizeUrl(client, server.redirectUri, pkce.challenge, state);
    interaction.notify({ type: "auth_url", url, instructions: "Open this address to sign in." });
    const code = await firstCode(server.code, state, interaction);
    interaction.notify({ type: "progress", message: "Exchanging the code..." });
    const params: Record<string, string> =
      client.flow === "key"
        ? { code, code_verifier: pkce.verifier, code_challenge_method: "S256" }
        : {
            grant_type: "authorization_code",
            ...clientParams(client),
            code,
            code_verifier: pkce.verifier,
            redirect_uri: server.redirectUri,
            // Some token endpoints want it although the standard does not ask for it.
            ...(client.tokenFormat === "json" && { state }),
          };
    const format = client.flow === "key" ? "json" : (client.tokenFormat ?? "form");
    return await askEndpoint(client.tokenUrl, params, format, interaction.signal);
  } finally {
    server.close();
  }
}

function authorizeUrl(
  client: OAuthClient & { authorizeUrl: string },
  redirectUri: string,
  challenge: string,
  state: string,
): string {
  const url = new URL(client.authorizeUrl);
  const set = (params: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  };
  if (client.flow === "key") {
    // The provider returns no state of its own, so it travels in the address to return to.
    const callback = new URL(redirectUri);
    callback.searchParams.set("state", state);
    set({ callback_url: callback.href });
  } else {
    set({
      response_type: "code",
      ...(client.clientId && { client_id: client.clientId }),
      redirect_uri: redirectUri,
      ...(client.scopes && { scope: client.scopes.join(" ") }),
      state,
    });
  }
  set({ code_challenge: challenge, code_challenge_method: "S256", ...client.authorizeParams });
  return url.href;
}

/** The code from the callback or from the user; whichever comes second is called off. */
async function firstCode(
  fromCallback: Promise<string>,
  state: string,
  { prompt, signal }: ProviderAuthInteraction,
): Promise<string> {
  const callOff = new AbortController();
  const either = AbortSignal.any([signal, callOff.signal]);
  const message = "Waiting for the browser. Or paste the code, or the address it ended at:";
  const pasted = prompt({ type: "manual_code", message, signal: either }).then((text) => {
    const code = pastedCode(text, state);
    if (code === undefined) throw new Error("No code was entered");
    return code;
  });
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("Sign-in was cancelled")), { once: true });
    if (signal.aborted) reject(new Error("Sign-in was cancelled"));
  });
  try {
    return await Promise.race([fromCallback, pasted, aborted]);
  } finally {
    callOff.abort();
    pasted.catch(() => undefined);
    aborted.catch(() => undefined);
  }
}

/**
 * The code in what a user pasted: an address, `code#state`, a query, or the bare code.
 * @throws Error when the state is another sign-in's
 */
export function pastedCode(text: string, state: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const query = trimmed.includes("code=") ? new URLSearchParams(trimmed.slice(trimmed.search(/[?#]/) + 1)) : undefined;
  const [bare, bareState] = trimmed.split("#");
  const code = query ? query.get("code") : bare;
  const returned = query ? query.get("state") : bareState;
  if (returned && returned !== state) throw new Error("State mismatch.");
  return code || undefined;
}
