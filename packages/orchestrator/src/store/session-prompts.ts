import { open } from "node:fs/promises";
import { LineSplitter } from "../lines.js";

/** A prompt that is looked for in a session. */
export interface SoughtPrompt {
  promptId: string;
  message: string;
}

export interface UserEntry {
  entryId: string;
  text: string;
}

/**
 * Which user messages of a session came from which prompts, each message at most once and in order: those with the
 * prompt's own text; for prompts that the agent expands (`/name ...`), the messages that are nobody else's.
 */
export function matchPrompts(prompts: readonly SoughtPrompt[], entries: readonly UserEntry[]): Map<string, string> {
  const found = new Map<string, string>();
  const left = [...entries];
  const take = (promptId: string, fits: (entry: UserEntry) => boolean) => {
    const at = left.findIndex(fits);
    if (at < 0) return;
    found.set(promptId, (left.splice(at, 1)[0] as UserEntry).entryId);
  };
  for (const { promptId, message } of prompts) take(promptId, ({ text }) => text.trim() === message.trim());
  for (const { promptId, message } of prompts) {
    if (message.startsWith("/") && !found.has(promptId)) take(promptId, () => true);
  }
  return found;
}

/** The user messages in a session file from this byte on; none when there is no such file. */
export async function userEntriesFrom(path: string, offset: number): Promise<UserEntry[]> {
  const entries: UserEntry[] = [];
  const lines = new LineSplitter((line) => {
    const entry = line.includes('"user"') ? userEntry(line) : undefined;
    if (entry) entries.push(entry);
  });
  try {
    await withFile(path, async (read) => {
      const buffer = Buffer.allocUnsafe(256 * 1024);
      for (let at = offset; ; ) {
        const { bytesRead } = await read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) break;
        lines.push(Buffer.from(buffer.subarray(0, bytesRead)));
        at += bytesRead;
      }
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return entries;
}

type Read = (buffer: Buffer, offset: number, length: number, position: number) => Promise<{ bytesRead: number }>;

async function withFile(path: string, work: (read: Read) => Promise<void>): Promise<void> {
  const file = await open(path, "r");
  try {
    await work((buffer, offset, length, position) => file.read(buffer, offset, length, position));
  } finally {
    await file.close();
  }
}

function userEntry(line: string): UserEntry | undefined {
  try {
    const { type, id, message } = JSON.parse(line) as {
      type?: string;
      id?: string;
      message?: { role?: string; content?: string | { type: string; text?: string }[] };
    };
    if (type !== "message" || typeof id !== "string" || message?.role !== "user") return undefined;
    const { content = "" } = message;
    const text =
      typeof content === "string"
        ? content
        : content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
    return { entryId: id, text };
  } catch {
    return undefined;
  }
}
