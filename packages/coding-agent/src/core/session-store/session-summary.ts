/** What lists and searches show of a session. Source: sessions.md section 9. */
import { FileScanner } from "../storage/scan-lines.js";
import type { FileEntry, SessionHeader } from "./entries.js";
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
  /** What the user and the model said, joined by spaces. Read from the file when it is asked for. */
  readonly allMessagesText: string;
}

/** Messages that are counted without being parsed begin so, if their writer was a usual one. */
const usualMessage =
  /^\{"type":"message","id":"[^"\\]*","parentId":(?:null|"[^"\\]*"),"timestamp":"[^"\\]*","message":\{"role":"(?:(toolResult|system|bashExecution)"|(user|assistant)","content":)/;
const headLength = 300;
/** The time of a message stands behind its content. */
const ownTime = Buffer.from('"timestamp":');
const tailLength = 400;

/** Takes in the lines of a file one by one and keeps what a list shows. */
export class SessionSummary {
  readonly #accepts: (header: SessionHeader) => boolean;
  #header: SessionHeader | undefined;
  #isForeign = false;
  #name: string | undefined;
  #messages = 0;
  #first: string | undefined;
  #last = 0;

  /** @param accepts says of which sessions more than the header is wanted */
  constructor(accepts: (header: SessionHeader) => boolean) {
    this.#accepts = accepts;
  }

  add(bytes: Buffer, at: number, end: number): void {
    if (this.#isForeign || (this.#header && this.#countUsual(bytes, at, end))) return;
    const entry = parseLine(bytes.toString("utf8", at, end));
    if (!entry) return;
    if (this.#header) this.#take(entry);
    else if (isSessionHeader(entry) && this.#accepts(entry)) this.#header = entry;
    else this.#isForeign = true;
  }

  /** undefined for what is no session, or none that is wanted. */
  info(path: string, fileTime: number): SessionInfo | undefined {
    if (!this.#header) return undefined;
    const { id, cwd, parentSession, timestamp } = this.#header;
    const created = timeOf(timestamp);
    let text: string | undefined;
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
      get allMessagesText() {
        text ??= readAllText(path);
        return text;
      },
    };
  }

  /** Whether the line was a message of which nothing more is needed. */
  #countUsual(bytes: Buffer, at: number, end: number): boolean {
    if (bytes[end - 1] !== 0x7d || bytes[end - 2] !== 0x7d) return false;
    const head = usualMessage.exec(bytes.toString("latin1", at, Math.min(end, at + headLength)));
    if (!head) return false;
    const role = head[2];
    if (role !== undefined) {
      if (role === "user" && this.#first === undefined) return false;
      const time = lastTime(bytes.subarray(Math.max(at + head[0].length, end - tailLength), end));
      if (time === undefined) return false;
      this.#last = Math.max(this.#last, time);
    }
    this.#messages++;
    return true;
  }

  #take(entry: FileEntry): void {
    if (entry.type === "session_info") this.#name = typeof entry.name === "string" ? entry.name.trim() : undefined;
    if (entry.type !== "message") return;
    this.#messages++;
    const spoken = spokenMessage(entry);
    if (!spoken) return;
    this.#last = Math.max(this.#last, spoken.time);
    if (spoken.role === "user" && spoken.text !== "") this.#first ??= spoken.text;
  }
}

function lastTime(tail: Buffer): number | undefined {
  const at = tail.lastIndexOf(ownTime);
  // Inside of a text the quotes are escaped.
  if (at < 1 || tail[at - 1] === 0x5c) return undefined;
  const digits = /^\d{1,15}(?=[,}])/.exec(tail.toString("latin1", at + ownTime.length, at + ownTime.length + 16));
  return digits ? Number(digits[0]) : undefined;
}

/** What was said in a session; nothing when it cannot be read any more. */
function readAllText(path: string): string {
  const texts: string[] = [];
  try {
    new FileScanner().scan(path, (bytes, at, end) => {
      const entry = parseLine(bytes.toString("utf8", at, end));
      const text = entry && spokenMessage(entry)?.text;
      if (text) texts.push(text);
    });
  } catch {
    // Removed since it was listed.
  }
  return texts.join(" ");
}

function spokenMessage(entry: FileEntry): { role: "user" | "assistant"; text: string; time: number } | undefined {
  if (entry.type !== "message") return undefined;
  const message = entry.message as { role?: unknown; content?: unknown; timestamp?: unknown } | null;
  if (message?.role !== "user" && message?.role !== "assistant") return undefined;
  const time = typeof message.timestamp === "number" ? message.timestamp : timeOf(entry.timestamp);
  return { role: message.role, text: textOf(message.content), time };
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
