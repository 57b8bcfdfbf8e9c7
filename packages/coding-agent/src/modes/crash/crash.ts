/** What is stored and said when the program itself fails: an error that nobody caught. */
import type { SessionManager } from "../../core/session-manager.js";
import { VERSION } from "../../version.js";
import { type CrashRecord, crashFile, storeCrash } from "./crash-store.js";
import { withoutSecrets } from "./without-secrets.js";

export interface CrashPlace {
  agentDir: string;
  cwd: string;
  /** What crashed: a mode, or `start` before there is one. */
  kind: string;
  /** The session that was open. */
  sessionFile?: string | undefined;
  /** Shell command that goes on with it. */
  resume?: string | undefined;
  /** What was typed and is stored nowhere: it is given back. */
  unstored?: readonly string[] | undefined;
}

/** What a session of the moment has that a report must name. */
export interface CrashedSession {
  sessionManager: Pick<SessionManager, "getCwd" | "getSessionFile">;
  getUnstoredPrompts(): string[];
}

/** Where a session of the moment is, how to go on with it, and what of it is stored nowhere. */
export function crashPlace(
  kind: string,
  agentDir: string,
  session: CrashedSession,
  resume: string | undefined,
): CrashPlace {
  const { sessionManager } = session;
  return {
    agentDir,
    kind,
    cwd: sessionManager.getCwd(),
    sessionFile: sessionManager.getSessionFile(),
    resume,
    unstored: session.getUnstoredPrompts(),
  };
}

/** What somebody typed is given back as far as a screen is long, in characters. */
const SHOWN_CHARS = 2000;

/**
 * Stores a crash, and returns what to say about it. Never throws: there is nobody left to tell.
 * @param draft what was being typed
 */
export function reportCrash(error: unknown, place: CrashPlace, draft = () => ""): string {
  const { agentDir, cwd, kind, sessionFile, resume, unstored = [] } = place;
  const sources = { env: process.env, argv: process.argv, agentDir };
  const clean = (text: string) => withoutSecrets(text, sources);
  const message = clean(messageOf(error));
  const stack = error instanceof Error && error.stack !== undefined ? clean(error.stack) : undefined;
  const record: CrashRecord = {
    timestamp: new Date().toISOString(),
    version: VERSION,
    kind,
    message,
    ...(stack !== undefined && { stack }),
    ...(sessionFile !== undefined && { sessionFile }),
    cwd,
  };
  const lines = [`Error: pi has crashed: ${message}`];
  try {
    storeCrash(agentDir, record);
    lines.push(`Report: ${crashFile(agentDir)}`);
  } catch (problem) {
    lines.push(`The report could not be stored (${(problem as Error).message}):`, stack ?? message);
  }
  if (resume !== undefined) {
    lines.push(`Session, stored up to its last message: ${sessionFile}`, `Go on with it: ${resume}`);
  } else lines.push("There is no stored session to go on with.");
  for (const text of [...unstored, ...typed(draft)]) lines.push(`Typed, and not stored: ${text.slice(0, SHOWN_CHARS)}`);
  return lines.join("\n");
}

/** An editor that has crashed itself has nothing to give back. */
function typed(draft: () => string): string[] {
  try {
    const text = draft();
    return text.trim() === "" ? [] : [text];
  } catch {
    return [];
  }
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "an error that cannot be shown";
  }
}
