import type { HttpStatusError } from "../http.js";
import { isObject } from "../json/objects.js";
import { boundedBody } from "./error-body.js";

/**
 * The text of a refused request: `429: <error member of the body>`, or `Prefix (429): …`.
 * What OpenRouter passes on from the upstream provider follows on a new line. Source: llm-wire.md section 13.
 */
export function openAIErrorText(error: HttpStatusError, prefix?: string): string {
  const detail = boundedBody(errorMember(error.body));
  if (detail === "") {
    const text = "status code (no body)";
    return prefix === undefined ? `${error.status} ${text}` : `${prefix} (${error.status}): ${text}`;
  }
  return prefix === undefined ? `${error.status}: ${detail}` : `${prefix} (${error.status}): ${detail}`;
}

function errorMember(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return body;
  }
  if (!isObject(value) || value["error"] === undefined || value["error"] === null) return body;
  const { error } = value;
  if (!isObject(error)) return typeof error === "string" ? error : JSON.stringify(error);
  const raw = isObject(error["metadata"]) ? error["metadata"]["raw"] : undefined;
  const text = JSON.stringify(error);
  return typeof raw === "string" && raw !== "" ? `${text}\n${raw}` : text;
}
