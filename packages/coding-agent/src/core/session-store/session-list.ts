/** What lists and searches show of sessions. Source: sessions.md section 9. */
import { setImmediate } from "node:timers/promises";
import { filesByAge } from "../storage/files.js";
import { readLines } from "../storage/read-lines.js";
import type { SessionHeader } from "./entries.js";
import { isSessionHeader, parseLine } from "./parse.js";
import { timeOf } from "./repair.js";

export interface SessionInfo {
  path: string;
  id: string;
  /** Empty = unknown. */
  cwd: string;
  name?: string;
  parentSessionPath?: string;
  created: Date;
  /** Of the last thing said. */
  modified: Date;
  messageCount: number;
  /** `(no messages)` when the user said nothing. */
  firstMessage: string;
  /** What the user and the model said, joined by spaces. */
  allMessagesText: string;
}

/** Called with sorted partial lists now and then. */
export type SessionListProgress = (loaded: number, total: number, partial?: readonly SessionInfo[]) => void;

export interface SessionListOptions {
  onProgress?: SessionListProgress | undefined;
  signal?: AbortSignal | undefined;
  /** Files between two partial lists. */
  partialEvery: number;
  /** Leaves out sessions of other directories. */
  accepts?: ((header: SessionHeader) => boolean) | undefined;
}

/** Other work gets its turn after so many ms. */
const sliceMs = 10;

/**
 * The sessions in these folders, last used first. Files that cannot be read or are no sessions are left out; of each no
 * more than a line is in memory beside what is returned.
 * @throws the reason of the signal
 */
export async function listSessions(
  folders: readonly string[],
  { onProgress, signal, partialEvery, accepts = () => true }: SessionListOptions,
): Promise<SessionInfo[]> {
  signal?.throwIfAborted();
  const files = folders.flatMap((folder) => filesByAge(folder, ".jsonl"));
  const sessions: SessionInfo[] = [];
  let sliceEnd = performance.now() + sliceMs;
  for (const [index, { path, modified }] of files.entries()) {
    const info = readSessionInfo(path, modified, accepts);
    if (info) sessions.push(info);
    const loaded = index + 1;
    const hasPartial = loaded === 1 || loaded % partialEvery === 0 || loaded === files.length;
    onProgress?.(loaded, files.length, hasPartial ? byModified(sessions) : undefined);
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    signal?.throwIfAborted();
    sliceEnd = performance.now() + sliceMs;
  }
  return byModified(sessions);
}

function byModified(sessions: readonly SessionInfo[]): SessionInfo[] {
  return sessions.toSorted((a, b) => b.modified.getTime() - a.modified.getTime());
}

function readSessionInfo(
  path: string,
  fileTime: number,
  accepts: (header: SessionHeader) => boolean,
): SessionInfo | undefined {
  try {
    let summary: Summary | undefined;
    for (const line of readLines(path)) {
      if (summary) {
        summary.add(line);
        continue;
      }
      const first = parseLine(line);
      if (!first) continue;
      if (!isSessionHeader(first) || !accepts(first)) return undefined;
      summary = new Summary(first);
    }
    return summary?.info(path, fileTime);
  } catch {
    // A list is not the place to say why a file cannot be read; opening it is.
    return undefined;
  }
}

/** Most of a session is tool results, which say nothing here: they are counted, not parsed. */
const usualResult =
  /^\{"type":"message","id":"[^"\\]*","parentId":(?:null|"[^"\\]*"),"timestamp":"[^"\\]*","message":\{"role":"(?:toolResult|system|bashExecution)"/;
const headLength = 300;

class Summary {
  readonly #header: SessionHeader;
  #name: string | undefined;
  #messages = 0;
  #first: string | undefined;
  #last = 0;
  readonly #texts: string[] = [];

  constructor(header: SessionHeader) {
    this.#header = header;
  }

  add(line: string): void {
    if (line.endsWith("}}") && usualResult.test(line.slice(0, headLength))) {
      this.#messages++;
      return;
    }
    const entry = parseLine(line);
    if (entry?.type === "session_info") this.#name = typeof entry.name === "string" ? entry.name.trim() : undefined;
    if (entry?.type !== "message") return;
    this.#messages++;
    const message = entry.message as { role?: unknown; content?: unknown; timestamp?: unknown } | null;
    if (message?.role !== "user" && message?.role !== "assistant") return;
    const time = typeof message.timestamp === "number" ? message.timestamp : timeOf(entry.timestamp);
    this.#last = Math.max(this.#last, time);
    const text = textOf(message.content);
    if (text === "") return;
    this.#texts.push(text);
    if (message.role === "user") this.#first ??= text;
  }

  info(path: string, fileTime: number): SessionInfo {
    const { id, cwd, parentSession, timestamp } = this.#header;
    const created = timeOf(timestamp);
    return {
      path,
      id,
      cwd: typeof cwd === "string" ? cwd : "",
      ...(this.#name && { name: this.#name }),
      ...(typeof parentSession === "string" && { parentSessionPath: parentSession }),
      created: new Date(created || fileTime),
      modified: new Date(this.#last || created || fileTime),
      messageCount: this.#messages,
      firstMessage: this.#first ?? "(no messages)",
      allMessagesText: this.#texts.join(" "),
    };
  }
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block: { type?: unknown; text?: unknown } | null) =>
      block?.type === "text" && typeof block.text === "string" ? [block.text] : [],
    )
    .join(" ");
}
