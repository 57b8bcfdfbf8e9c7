import type { JournalledPrompt } from "./prompt-journal.js";
import { matchPrompts, type SoughtPrompt, type UserEntry, userEntriesFrom } from "./session-prompts.js";

export interface FindOptions {
  /** The session the agent was in last. */
  sessionFile: string | undefined;
  /** Entries that are known to be other prompts'. */
  taken: ReadonlySet<string>;
  /** Whether all that the agent said is known: what it did not answer then, it did not begin. */
  isComplete: boolean;
}

/**
 * Which entries of sessions came from these prompts: looked for where each was given to, after what was there then; and
 * in the session that the agent was in last, after the time it was given.
 */
export async function findPrompts(
  prompts: readonly JournalledPrompt[],
  { sessionFile, taken, isComplete }: FindOptions,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const claimed = new Set(taken);
  const look = (sought: readonly JournalledPrompt[], entries: readonly UserEntry[]) => {
    const free = entries.filter(({ entryId }) => !claimed.has(entryId));
    const matches = matchPrompts(
      sought.map((prompt) => soughtAs(prompt, isComplete)),
      free,
    );
    for (const [promptId, entryId] of matches) {
      found.set(promptId, entryId);
      claimed.add(entryId);
    }
  };
  for (const file of new Set(prompts.map((prompt) => prompt.file))) {
    if (file === undefined) continue;
    const ofFile = prompts.filter((prompt) => prompt.file === file);
    look(ofFile, await userEntriesFrom(file, Math.min(...ofFile.map(({ offset = 0 }) => offset))));
  }
  const elsewhere = prompts.filter(({ promptId, file }) => !found.has(promptId) && file !== sessionFile);
  if (sessionFile !== undefined && elsewhere.length > 0) {
    const since = Math.min(...elsewhere.map(({ forwardedAt = "" }) => Date.parse(forwardedAt) || 0));
    const entries = await userEntriesFrom(sessionFile, 0);
    look(
      elsewhere,
      entries.filter(({ time }) => time >= since),
    );
  }
  return found;
}

/** An agent that answered has taken the prompt; what it made of it is not known when it, or who heard it, ended then. */
function soughtAs({ promptId, state, command, taken }: JournalledPrompt, isComplete: boolean): SoughtPrompt {
  const message = command?.message ?? "";
  const hasAnswered = state === "started" || state === "queued";
  return {
    promptId,
    text: taken?.text ?? message,
    mayDiffer: taken === undefined && (hasAnswered || !isComplete || message.startsWith("/")),
  };
}
