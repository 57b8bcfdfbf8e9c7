/** How a proxy is written. Pure. Source: llm.md section 16. */

export const proxyForm = "http://host:port, with a login http://name:password@host:port";

/** The address of a proxy; undefined for what is none, or of a kind that is not spoken. */
export function proxyUrl(text: string): URL | undefined {
  // `host:port` without a scheme is common, and means HTTP.
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(full)) return undefined;
  const url = new URL(full);
  return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
}
