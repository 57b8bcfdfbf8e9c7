import type { HttpStatusError } from "../../http.js";
import { boundedBody } from "../error-body.js";

/**
 * The text of a refused request: the body as it came. Only where that is no JSON, and so does not name the status
 * itself, the status follows. Source: llm-wire.md section 13.
 */
export function googleErrorText(error: HttpStatusError): string {
  const body = boundedBody(error.body);
  if (body.trim() === "") return `${error.status} status code (no body)`;
  return /^\s*[[{]/.test(body) ? body : `${body} (status ${error.status})`;
}
