/** `<agentDir>/crashes.json`: the last crashes, for whoever has to find out why. Source: cli-and-config.md section 9. */
import { join } from "node:path";
import { replaceFile } from "../../core/storage/atomic-file.js";
import { readTextIfExists } from "../../core/storage/read-text.js";

export interface CrashRecord {
  /** ISO 8601. */
  timestamp: string;
  version: string;
  /** Mode that crashed: `interactive`, `print`, `json`, `rpc`, `start`. */
  kind: string;
  message: string;
  stack?: string;
  sessionFile?: string;
  cwd: string;
  /** The user has been told at a later start. */
  notified?: boolean;
}

const kept = 5;
/** Older ones are nobody's concern any more, in ms. */
const toldWithinMs = 7 * 24 * 3_600_000;

export function crashFile(agentDir: string): string {
  return join(agentDir, "crashes.json");
}

/** Adds a crash. @throws when it cannot be written */
export function storeCrash(agentDir: string, record: CrashRecord): void {
  write(agentDir, [...read(agentDir), record].slice(-kept));
}

/** The newest crash that the user has not been told of at a start; from now on they have. */
export function takeCrash(agentDir: string, now: number): CrashRecord | undefined {
  const records = read(agentDir);
  const crash = records.at(-1);
  if (!crash || crash.notified || !(now - Date.parse(crash.timestamp) < toldWithinMs)) return undefined;
  try {
    write(agentDir, [...records.slice(0, -1), { ...crash, notified: true }]);
  } catch {
    // Told again next time.
  }
  return crash;
}

function write(agentDir: string, records: readonly CrashRecord[]): void {
  replaceFile(crashFile(agentDir), `${JSON.stringify(records, null, 2)}\n`);
}

/** A file that cannot be understood counts for nothing: it is replaced with the next crash. */
function read(agentDir: string): CrashRecord[] {
  try {
    const records: unknown = JSON.parse(readTextIfExists(crashFile(agentDir)) ?? "[]");
    return Array.isArray(records) ? records.filter((record) => typeof record?.timestamp === "string") : [];
  } catch {
    return [];
  }
}
