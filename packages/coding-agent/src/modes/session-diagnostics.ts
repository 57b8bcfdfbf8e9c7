import type { AgentSession } from "../core/agent-session.js";
import { printError } from "./output.js";

/** Says what the session's file met: at once what there is, and after each run what came since. */
export function reportSessionDiagnostics(session: AgentSession): () => void {
  const report = () => {
    for (const { type, message } of session.sessionManager.drainDiagnostics()) {
      printError(`${type === "error" ? "Error" : "Warning"}: ${message}`);
    }
  };
  report();
  return session.subscribe((event) => {
    if (event.type === "agent_settled") report();
  });
}
