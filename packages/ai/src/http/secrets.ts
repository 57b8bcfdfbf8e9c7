/** Takes the secrets of a request out of what is said about it: servers like to quote the key they refuse. */

const MASK = "[hidden]";
/** Shorter values are no secrets, and words that errors need: `ollama`, `none`. */
const MIN_LENGTH = 8;
/** Headers that say nothing about who asks. */
const PUBLIC_HEADERS =
  /^(?:accept|accept-.*|content-.*|user-agent|host|connection|anthropic-version|anthropic-beta|openai-beta|x-amz-(?:date|content-sha256|security-token-type|user-agent)|amz-sdk-.*|http-referer|referer|x-title|originator|x-app|x-stainless-.*|x-goog-user-project)$/i;
const PUBLIC_PARAMETERS = /^(?:api-version|version|alt)$/i;

/** The secrets in headers and address of a request: whole values, and their words (`Bearer` aside). */
export function secretsOf(headers: Readonly<Record<string, string>>, url = ""): string[] {
  // Hooks of others may have put anything in the place of a text; what is sent is checked elsewhere.
  const values = Object.entries(headers).flatMap(([name, value]) =>
    PUBLIC_HEADERS.test(name) || typeof value !== "string" ? [] : [value],
  );
  if (URL.canParse(url)) {
    const { username, password, searchParams } = new URL(url);
    values.push(decoded(username), decoded(password));
    for (const [name, value] of searchParams) if (!PUBLIC_PARAMETERS.test(name)) values.push(value);
  }
  return values.flatMap((value) => [value.trim(), ...value.trim().split(/\s+/)]).filter(isSecret);
}

/** The text with each secret replaced, also where it is written in another way: in JSON, a URL or Base64. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  if (text === "") return text;
  const forms = secrets.filter(isSecret).flatMap((secret) => {
    const encoded = Buffer.from(secret, "utf8");
    return [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encoded.toString("latin1") === secret ? encodeURIComponent(secret) : secret,
      encoded.toString("base64"),
      encoded.toString("base64url"),
    ];
  });
  // Longer ones first: one secret may be part of another.
  const ordered = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return ordered.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

/** An address as it may be shown: without login, and without the values of its query. */
export function shownUrl(text: string): string {
  return text
    .replace(/\/\/[^/?#]*@/, "//")
    .replace(/#.*$/s, "")
    .replace(/\?.*$/s, (query) => query.replace(/=[^&]*/g, "=…"));
}

function isSecret(value: string): boolean {
  return value.length >= MIN_LENGTH;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
