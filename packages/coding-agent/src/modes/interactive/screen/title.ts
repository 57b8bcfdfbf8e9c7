import { basename } from "node:path";
import type { AgentSession } from "../../../core/agent-session.js";

/** What the window is called. */
export function terminalTitle(session: AgentSession): string {
  const parts = ["π", session.sessionName, basename(session.sessionManager.getCwd())];
  return parts.filter((part) => part !== undefined && part !== "").join(" - ");
}
