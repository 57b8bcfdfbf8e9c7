import { HttpSetupError } from "./errors.js";
import { shownUrl } from "./secrets.js";

/** What can be sent as the value of a header: a tab, and the printable characters of Latin-1. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;
const NAME = /^[!#$%&'*+.^_`|~0-9a-zA-Z-]+$/;

/**
 * Looks at an address before anything else does, which would quote it whole.
 * @throws HttpSetupError
 */
export function checkAddress(text: string): void {
  if (!URL.canParse(text)) throw new HttpSetupError("address", `The address is not a URL: "${shownUrl(text)}"`);
  const { username, password, host } = new URL(text);
  if (username === "" && password === "") return;
  throw new HttpSetupError(
    "address",
    `The address of ${host} holds a login (user:password@), which no request can carry. ` +
      'Take it out of the base URL, and send it as a header: "Authorization: Basic ...".',
  );
}

/**
 * Looks at headers before anything else does, which would quote the value: it may be a key.
 * @throws HttpSetupError that names the header
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name)) {
      throw new HttpSetupError("header", `A header cannot be sent: its name is not valid: ${JSON.stringify(name)}`);
    }
    if (typeof value !== "string") {
      const kind = value === null ? "null" : `a ${typeof value}`;
      throw new HttpSetupError("header", `The header "${name}" cannot be sent: its value is ${kind}, not a text.`);
    }
    // White space at the ends is taken off when it is sent.
    if (SENDABLE.test(value.trim())) continue;
    const what = /[\r\n]/.test(value) ? "a line break" : "a character that no header may hold";
    throw new HttpSetupError(
      "header",
      `The header "${name}" cannot be sent: its value holds ${what}. Check the key, token or header value it comes from.`,
    );
  }
}
