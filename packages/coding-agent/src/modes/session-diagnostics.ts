import { textOf } from "../core/agent-session/transcript-texts.js";
import type { AgentSession } from "../core/agent-session.js";
import type { SessionEntry } from "../core/session-store/entries.js";
import { releaseAtEnd } from "../core/storage/at-end.js";
import { printError } from "./output.js";

/**
 * Says what the session's file met: at once what there is, after each run what came since, and at the end of the process
 * what is lost because it could never be written. Returns a function that ends it.
 */
export function reportSessionDiagnostics(session: AgentSession): () => void {
  const { sessionManager } = session;
  const report = () => {
    for (const { type, message } of sessionManager.drainDiagnostics()) {
      printError(`${type === "error" ? "Error" : "Warning"}: ${message}`);
    }
  };
  report();
  const stopWatching = reportSettings(session);
  const forget = releaseAtEnd(() => {
    // Once more: there may be room by now.
    if (sessionManager.getUnsavedEntries().length > 0) sessionManager.close();
    const lost = sessionManager.getUnsavedEntries();
    if (lost.length > 0) printError(lostText(sessionManager.getSessionFile() ?? "", lost));
  });
  const unsubscribe = session.subscribe((event) => {
    if (event.type === "agent_settled") report();
  });
  return () => {
    unsubscribe();
    stopWatching();
    report();
    // What a session that is left could not write is still to be told.
    if (sessionManager.getUnsavedEntries().length === 0) forget();
  };
}

/** Changes of settings that cannot be kept, each kind once. */
function reportSettings({ settingsManager }: AgentSession): () => void {
  const told = new Set<string>();
  return settingsManager.watchErrors(({ error: { message } }) => {
    if (!told.has(message)) printError(`Warning: ${message}`);
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
