import type { SessionAffinityFormat } from "../types.js";

/**
 * Headers that lead the requests of one session to the same server.
 * @param names the header names of each format for the API in question (llm.md section 16)
 */
export function sessionAffinityHeaders(
  names: Record<SessionAffinityFormat, readonly string[]>,
  format: SessionAffinityFormat,
  sessionId: string | undefined,
): Record<string, string> {
  return sessionId ? Object.fromEntries(names[format].map((name) => [name, sessionId])) : {};
}
