import { isObject } from "../json/objects.js";

/** How much of an event that is no JSON is quoted. */
const QUOTED_LENGTH = 200;

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({});

/** The value as an object; an empty one for anything else, because servers leave out what they please. */
export function record(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : NOTHING;
}

/** The value if it is a string. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value if it is a count of tokens. */
export function tokens(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The failure of a stream that sent something else than JSON. */
export function invalidEvent(api: string, data: string, cause: unknown): Error {
  const quoted = data.length > QUOTED_LENGTH ? `${data.slice(0, QUOTED_LENGTH)}...` : data;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`${api} stream sent an event that is not JSON (${reason}): ${quoted}`);
}
