import { text } from "./fields.js";
import type { Session } from "./session.js";

/** Hands the reader the session as a JSONL file: the header, then the entries of all branches. */
export function downloadJsonl({ header, entries }: Session): void {
  const lines = [header, ...entries.map((entry) => entry.fields)].map((line) => `${JSON.stringify(line)}\n`);
  const address = URL.createObjectURL(new Blob(lines, { type: "application/jsonl" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${text(header["id"]).replace(/[^\w.-]/g, "_") || "session"}.jsonl`;
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
