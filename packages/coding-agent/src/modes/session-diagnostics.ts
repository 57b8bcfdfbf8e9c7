import { textOf } from "../core/agent-session/transcript-texts.js";
import type { AgentSession } from "../core/agent-session.js";
import type { SessionEntry } from "../core/session-store/entries.js";
import type { SessionDiagnostic } from "../core/session-store/session-file-options.js";
import { releaseAtEnd } from "../core/storage/at-end.js";
import { printError } from "./output.js";

/**
 * Says what the session's file and the settings meet, as soon as they do; and on stderr, at the end of the process, what came last and what
 * is lost because it could never be written. Returns a function that ends it.
 * @param show default: on stderr
 */
export function reportSessionDiagnostics(
  session: AgentSession,
  show: (diagnostic: SessionDiagnostic) => void = printDiagnostic,
): () => void {
  const { sessionManager } = session;
  const report = (tell: (diagnostic: SessionDiagnostic) => void) => {
    for (const diagnostic of sessionManager.drainDiagnostics()) tell(diagnostic);
  };
  report(show);
  sessionManager.setOnDiagnostic(() => report(show));
  const stopWatching = reportSettings(session, show);
  const forget = releaseAtEnd(() => {
    sessionManager.setOnDiagnostic(undefined);
    // Once more: there may be room by now.
    if (sessionManager.getUnsavedEntries().length > 0) sessionManager.close();
    report(printDiagnostic);
    const lost = sessionManager.getUnsavedEntries();
    if (lost.length > 0) printError(lostText(sessionManager.getSessionFile() ?? "", lost));
  });
  // What is found out without an event is told with the next.
  const unsubscribe = session.subscribe((event) => {
    if (event.type === "agent_settled") report(show);
  });
  return () => {
    unsubscribe();
    stopWatching();
    report(show);
    // What a session that is left could not write is still to be told.
    if (sessionManager.getUnsavedEntries().length > 0) return;
    sessionManager.setOnDiagnostic(undefined);
    forget();
  };
}

export function printDiagnostic({ type, message }: SessionDiagnostic): void {
  printError(`${type === "error" ? "Error" : "Warning"}: ${message}`);
}

/** Changes of settings that cannot be kept, each kind once. */
function reportSettings({ settingsManager }: AgentSession, show: (diagnostic: SessionDiagnostic) => void): () => void {
  const told = new Set<string>();
  return settingsManager.watchErrors(({ error: { message } }) => {
    if (!told.has(message)) show({ type: "warning", message });
    told.add(message);
  });
}

/** What somebody typed is given back as far as a screen is long. */
const shownChars = 2000;

function lostText(file: string, entries: readonly SessionEntry[]): string {
  const typed = entries.flatMap((entry) => {
    const message = entry.type === "message" ? entry.message : undefined;
    return message?.role === "user" ? [`  Lost message: ${textOf(message.content).slice(0, shownChars)}`] : [];
  });
  const what = `Error: Entries that could not be written to the session file and end with this process: ${entries.length}.`;
  return [`${what} File: ${file}`, ...typed].join("\n");
}
