import type { HttpStatusError } from "../../http.js";
import { registerSessionResourceCleanup } from "../../session-resources.js";
import type { Tool } from "../../types.js";

/**
 * Anthropic refuses requests whose strict tool schemas are too many or too complex together. Tools that only prefer
 * strict schemas then go without, for the rest of the session. Source: llm-wire.md section 6.
 */

/** Type of the diagnostic a message gets when its request was sent again. */
export const STRICT_TOOLS_FALLBACK = "anthropic_strict_tools_fallback";

const SUBJECT = /strict|schema|grammar/i;
const LIMIT = /too (?:many|large|complex)|limit|exceed|maximum/i;

// Global because the requests of a session share nothing but its id; freed with the session.
const plainSessions = new Set<string>();
let cleanupRegistered = false;

/** True when the session has learned that preferred strict schemas are refused. */
export function sendsPlainTools(sessionId: string | undefined): boolean {
  return sessionId !== undefined && plainSessions.has(sessionId);
}

/** Remembers that a session's preferred strict schemas are refused. */
export function rememberPlainTools(sessionId: string | undefined): void {
  if (sessionId === undefined) return;
  if (!cleanupRegistered) {
    cleanupRegistered = true;
    registerSessionResourceCleanup((id) => {
      if (id === undefined) plainSessions.clear();
      else plainSessions.delete(id);
    });
  }
  plainSessions.add(sessionId);
}

/** True when a refusal is about the strict schemas, and tools that merely prefer them were among those sent. */
export function isStrictToolsRefusal(error: HttpStatusError, tools: readonly Tool[], sent: unknown): boolean {
  if (error.status !== 400 || !error.body.includes("invalid_request_error")) return false;
  if (!SUBJECT.test(error.body) || !LIMIT.test(error.body)) return false;
  const strict = new Set(
    Array.isArray(sent) ? sent.filter((tool) => tool?.strict === true).map((tool) => tool.name) : [],
  );
  return tools.some((tool) => strict.has(tool.name) && prefersStrict(tool));
}

/** True for tools that can do without strict schemas. */
export function prefersStrict(tool: Tool): boolean {
  const wish = tool.constrainedSampling;
  return wish !== false && wish?.type === "json_schema" && wish.strict === "prefer";
}
