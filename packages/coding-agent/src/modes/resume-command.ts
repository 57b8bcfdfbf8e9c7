import { existsSync } from "node:fs";
import type { SessionManager } from "../core/session-manager.js";

/** How to go on with the session later; undefined when there is nothing to go on with. */
export function resumeCommand(session: SessionManager): string | undefined {
  const file = session.getSessionFile();
  if (file === undefined || !existsSync(file)) return undefined;
  const dir = session.usesDefaultSessionDir() ? "" : ` --session-dir ${shellWord(session.getSessionDir())}`;
  return `pi${dir} --session ${session.getSessionId()}`;
}

/** A word as a shell reads it. */
function shellWord(text: string): string {
  return /^[\w./~:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
