import { readLines } from "../storage/line-file.js";

/**
 * The entries in a session file after this one, as a response line of `get_entries`: for sessions whose agent has no
 * process. Refuses like the agent when the entry is not there.
 */
export async function entriesOfFile(path: string, since: string | null): Promise<string> {
  const entries: string[] = [];
  let isAfter = since === null;
  await readLines(path, 0, (line) => {
    const entry = headOfEntry(line);
    if (!entry || entry.type === "session") return;
    if (isAfter) entries.push(line);
    else isAfter = entry.id === since;
  });
  if (!isAfter) return '{"type":"response","command":"get_entries","success":false}';
  return `{"type":"response","command":"get_entries","success":true,"data":{"entries":[${entries.join(",")}]}}`;
}

/** Undefined for what a crash has torn. */
function headOfEntry(line: string): { type?: string; id?: string } | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null ? entry : undefined;
  } catch {
    return undefined;
  }
}
