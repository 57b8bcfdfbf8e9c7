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
}

/** Where a session of the moment is, and how to go on with it. */
export function crashPlace(
  kind: string,
  agentDir: string,
  session: SessionManager,
  resume: string | undefined,
): CrashPlace {
  return { agentDir, kind, cwd: session.getCwd(), sessionFile: session.getSessionFile(), resume };
}

/** Stores a crash, and returns what to say about it. Never throws: there is nobody left to tell. */
export function reportCrash(error: unknown, { agentDir, cwd, kind, sessionFile, resume }: CrashPlace): string {
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
  return lines.join("\n");
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "an error that cannot be shown";
  }
}
