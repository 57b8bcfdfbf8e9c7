import { BoundedLog } from "./bounded-log.js";

export type LogLevel = "info" | "warn" | "error";

/** Structured log: one JSON object per line with `time`, `level` and `event`, in a file of bounded size. */
export class JsonLog {
  readonly #file: BoundedLog;

  constructor(path: string) {
    this.#file = new BoundedLog(path, 4 * 1024 * 1024);
  }

  write(level: LogLevel, event: string, fields: object = {}): void {
    this.#file.write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`);
  }
}
