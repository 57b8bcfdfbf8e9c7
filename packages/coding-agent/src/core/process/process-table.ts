/**
 * Which processes exist and who started them. Reading is synchronous: it also serves the last moments of a program.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Tells a process from a later one with the same id. */
  readonly started: string;
  /** Ended, but not yet collected by its parent. */
  readonly zombie: boolean;
}

/** All processes that can be seen; empty where there is no way to look. */
export function readProcessTable(): ProcessEntry[] {
  if (process.platform === "win32") return [];
  return readProcFs() ?? readPs();
}

/** One `/proc/<pid>/stat`; undefined when it is not one. The name in parentheses may hold anything. */
export function parseProcStat(stat: string): ProcessEntry | undefined {
  const pid = Number.parseInt(stat, 10);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  if (!Number.isInteger(pid) || state === undefined || session === undefined) return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: fields[19] ?? "",
    zombie: state === "Z" || state === "X",
  };
}

/** Lines of `ps -A -o pid=,ppid=,pgid=,sess=,state=,lstart=`. */
export function parsePs(output: string): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const line of output.split("\n")) {
    const [pid, parent, group, session, state, ...started] = line.trim().split(/\s+/);
    if (!pid || !state) continue;
    entries.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      // Some systems print an address here; it then equals no process id.
      session: Number(session),
      started: started.join(" "),
      zombie: state.startsWith("Z"),
    });
  }
  return entries;
}

/**
 * The processes that belong to a command: those in its process group or session, their descendants, and those of the
 * command itself. Whoever changed both group and session is still found through its parent.
 */
export function processesOf(root: number, table: readonly ProcessEntry[]): ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table) {
    const siblings = children.get(entry.parent);
    if (siblings) siblings.push(entry);
    else children.set(entry.parent, [entry]);
  }
  const found = new Map<number, ProcessEntry>();
  const queue = table.filter(
    (entry) => entry.pid === root || entry.parent === root || entry.group === root || entry.session === root,
  );
  for (let entry = queue.pop(); entry; entry = queue.pop()) {
    if (found.has(entry.pid)) continue;
    found.set(entry.pid, entry);
    queue.push(...(children.get(entry.pid) ?? []));
  }
  return [...found.values()];
}

/** The environment of a process, as it was started; empty where it cannot be read. */
export function environmentOf(pid: number): string {
  if (process.platform !== "linux") return "";
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    // Ended, or another user's.
    return "";
  }
}

/** The pipes that are stdout and stderr of a process, as names that no other pipe has; empty where that cannot be seen. */
export function outputsOf(pid: number): string[] {
  if (process.platform !== "linux") return [];
  return [1, 2].flatMap((descriptor) => {
    try {
      const name = readlinkSync(`/proc/${pid}/fd/${descriptor}`);
      // Files and devices, as /dev/null, belong to anyone.
      return /^(?:socket|pipe):\[\d+\]$/.test(name) ? [name] : [];
    } catch {
      // Ended, another user's, or closed.
      return [];
    }
  });
}

function readProcFs(): ProcessEntry[] | undefined {
  let names: string[];
  try {
    names = readdirSync("/proc");
  } catch {
    // No such file system here.
    return undefined;
  }
  const entries: ProcessEntry[] = [];
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const entry = parseProcStat(readFileSync(`/proc/${name}/stat`, "latin1"));
      if (entry) entries.push(entry);
    } catch {
      // Ended since the directory was read.
    }
  }
  return entries.length > 0 ? entries : undefined;
}

function readPs(): ProcessEntry[] {
  const result = spawnSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,sess=,state=,lstart="], { encoding: "utf8" });
  return result.stdout ? parsePs(result.stdout) : [];
}
