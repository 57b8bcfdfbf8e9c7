import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../../version.js";

const MAX_RECORDS = 20;

/** Adds a crash to `<agentDir>/crashes.json`. Never throws: there is nobody left to tell. */
export function recordCrash(agentDir: string, error: unknown): void {
  try {
    const path = join(agentDir, "crashes.json");
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
    const record = { timestamp: new Date().toISOString(), version: VERSION, message, stack };
    const records = [...earlier(path), record].slice(-MAX_RECORDS);
    writeFileSync(path, `${JSON.stringify(records, null, 2)}\n`, { mode: 0o600 });
  } catch {
    // The crash itself has been printed.
  }
}

function earlier(path: string): unknown[] {
  try {
    const records: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Array.isArray(records) ? records : [];
  } catch {
    return [];
  }
}
