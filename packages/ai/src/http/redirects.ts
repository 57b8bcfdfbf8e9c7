import type { FetchFunction } from "../types.js";
import { HttpSetupError } from "./errors.js";

/** Longest chain of redirects that is followed. */
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Those after which the same request is sent again, body included. */
const REPEATING: ReadonlySet<number> = new Set([307, 308]);

/**
 * Sends a request and follows redirects within its origin. Never to another one: keys, headers and the whole
 * conversation would go to whoever the server names.
 * @throws HttpSetupError that names the other origin
 */
export async function sendWithinOrigin(send: FetchFunction, url: string, init: RequestInit): Promise<Response> {
  let address = url;
  for (let followed = 0; ; followed++) {
    const response = await send(address, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if (!REDIRECTS.has(response.status) || location === null) return response;
    await response.body?.cancel();
    address = nextAddress(address, location, response.status, init.method ?? "GET");
    if (followed >= MAX_REDIRECTS) {
      throw new HttpSetupError(
        "redirect",
        `${new URL(url).origin} redirects in a circle, or more than ${MAX_REDIRECTS} times. Check the base URL.`,
      );
    }
  }
}

function nextAddress(address: string, location: string, status: number, method: string): string {
  const from = new URL(address);
  if (!URL.canParse(location, address)) {
    throw new HttpSetupError("redirect", `${from.origin} redirects (${status}) to something that is no URL.`);
  }
  const to = new URL(location, address);
  if (to.origin !== from.origin || to.username !== "" || to.password !== "") {
    const target = to.origin === "null" ? to.protocol : to.origin;
    throw new HttpSetupError(
      "redirect",
      `${from.origin} redirects (${status}) to another server, ${target}. It is not followed, because that server ` +
        "would get the key and the conversation. If it is the right one, set the base URL to it.",
    );
  }
  if (method !== "GET" && !REPEATING.has(status)) {
    throw new HttpSetupError(
      "redirect",
      `${from.origin} redirects (${status}) to ${to.pathname}, which would lose the request. ` +
        "Set the base URL to where it leads.",
    );
  }
  return to.href;
}
