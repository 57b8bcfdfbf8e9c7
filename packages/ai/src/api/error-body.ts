/** Longest error body in a message, in characters. Source: llm.md section 10. */
const MAX_BODY_LENGTH = 4000;

/** The body of a failed request as it may appear in a message. */
export function boundedBody(body: string): string {
  if (body.length <= MAX_BODY_LENGTH) return body;
  return `${body.slice(0, MAX_BODY_LENGTH)}... [truncated ${body.length - MAX_BODY_LENGTH} chars]`;
}
