import { writeFileSync } from "node:fs";

/** A session file that is put together line by line. */
export class SessionLines {
  readonly #lines: string[];
  #last: string | null = null;
  #count = 0;

  constructor(header: object = {}) {
    const fields = { type: "session", version: 3, id: "s-1", timestamp: time(0), cwd: "/project", ...header };
    this.#lines = [JSON.stringify(fields)];
  }

  /** An entry below the last one. Returns its id. */
  add(type: string, fields: object = {}): string {
    const id = `e${this.#count++}`;
    const entry = { type, id, parentId: this.#last, timestamp: time(this.#count), ...fields };
    this.#lines.push(JSON.stringify(entry));
    this.#last = entry.id;
    return entry.id;
  }

  message(message: object): string {
    return this.add("message", { message: { timestamp: 1_796_000_000_000, ...message } });
  }

  user(text: string): string {
    return this.message({ role: "user", content: [{ type: "text", text }] });
  }

  assistant(content: unknown, more: object = {}): string {
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.25 };
    const usage = { input: 1000, output: 200, cacheRead: 0, cacheWrite: 0, totalTokens: 1200, cost };
    return this.message({ role: "assistant", api: "a", provider: "p", model: "m", usage, content, ...more });
  }

  /** The next entry follows this one. */
  goTo(id: string | null): void {
    this.#last = id;
  }

  /** A line as it is. */
  raw(line: string): void {
    this.#lines.push(line);
  }

  writeTo(path: string): void {
    writeFileSync(path, `${this.#lines.join("\n")}\n`);
  }
}

function time(second: number): string {
  return new Date(Date.UTC(2026, 10, 30, 8, 0, second)).toISOString();
}
