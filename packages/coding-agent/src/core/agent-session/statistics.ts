import type { SessionManager } from "../session-manager.js";
import type { SessionTotals } from "../session-store/totals.js";
import type { ContextUsage } from "./context-usage.js";

/** Sums over the whole session, with abandoned branches and compacted history. Source: sessions.md section 7. */
export interface SessionStats extends SessionTotals {
  sessionFile?: string;
  sessionId: string;
  contextUsage?: ContextUsage;
}

export function sessionStats(sessionManager: SessionManager, contextUsage: ContextUsage | undefined): SessionStats {
  const sessionFile = sessionManager.getSessionFile();
  return {
    ...(sessionFile !== undefined && { sessionFile }),
    sessionId: sessionManager.getSessionId(),
    ...sessionManager.getStatistics(),
    ...(contextUsage && { contextUsage }),
  };
}
