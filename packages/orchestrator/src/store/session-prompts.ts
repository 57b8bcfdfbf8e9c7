import { readLines } from "../storage/line-file.js";

/** A prompt that is looked for in a session. */
export interface SoughtPrompt {
  promptId: string;
  /** As it must be in the session, as far as that is known. */
  text: string;
  /** Whether extensions and templates may have made something else of it. */
  mayDiffer: boolean;
}

export interface UserEntry {
  entryId: string;
  text: string;
  /** Unix time in ms; NaN when the entry does not tell. */
  time: number;
}

/**
 * Which user messages of a session came from which prompts, each message at most once and in order: those with the
 * prompt's own text; for prompts that may have become another text, the messages that are nobody else's.
 */
export function matchPrompts(
  prompts: readonly SoughtPrompt[],
  entries: readonly Pick<UserEntry, "entryId" | "text">[],
): Map<string, string> {
  const found = new Map<string, string>();
  const left = [...entries];
  const take = (promptId: string, fits: (entry: Pick<UserEntry, "text">) => boolean) => {
    const at = left.findIndex(fits);
    if (at >= 0) found.set(promptId, (left.splice(at, 1)[0] as UserEntry).entryId);
  };
  for (const { promptId, text } of prompts) take(promptId, (entry) => entry.text.trim() === text.trim());
  for (const { promptId, mayDiffer } of prompts) if (mayDiffer && !found.has(promptId)) take(promptId, () => true);
  return found;
}

/** The user messages in a session file from this byte on; none when there is no such file. */
export async function userEntriesFrom(path: string, offset: number): Promise<UserEntry[]> {
  const entries: UserEntry[] = [];
  await readLines(path, offset, (line) => {
    const entry = line.includes('"user"') ? userEntry(line) : undefined;
    if (entry) entries.push(entry);
  });
  return entries;
}

function userEntry(line: string): UserEntry | undefined {
  try {
    const { type, id, timestamp, message } = JSON.parse(line) as {
      type?: string;
      id?: string;
      timestamp?: string;
      message?: UserMessage;
    };
    if (type !== "message" || typeof id !== "string" || message?.role !== "user") return undefined;
    return { entryId: id, text: textOf(message), time: Date.parse(timestamp ?? "") };
  } catch {
    return undefined;
  }
}

interface UserMessage {
  role?: string;
  content?: string | { type: string; text?: string }[];
}

/** The text of a user's message, without its images. */
export function textOf({ content = "" }: UserMessage): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
}
