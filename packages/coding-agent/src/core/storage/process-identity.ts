import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process, told apart from a later one with the same number and from those of other machines. */
export interface ProcessIdentity {
  pid: number;
  /** When the process started, as the system counts it; process ids are used again. Empty where it cannot be told. */
  started: string;
  /** Machine and process namespace: ids mean nothing elsewhere. */
  host: string;
}

/** This process. */
export function thisProcess(): ProcessIdentity {
  self ??= { pid: process.pid, started: startOf(process.pid), host: hostIdentity() };
  return self;
}
let self: ProcessIdentity | undefined;

/** Whether it was on this machine and is no more. Of processes elsewhere nothing can be told. */
export function isProcessGone({ pid, started, host }: ProcessIdentity): boolean {
  if (host !== hostIdentity()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const startedNow = startOf(pid);
  return startedNow !== "" && started !== "" && startedNow !== started;
}

export function isThisProcess({ pid, started, host }: ProcessIdentity): boolean {
  const own = thisProcess();
  return pid === own.pid && started === own.started && host === own.host;
}

function startOf(pid: number): string {
  try {
    // After the command name, which may hold anything, the start time is the 20th field.
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

let host: string | undefined;

export function hostIdentity(): string {
  host ??= `${hostname()} ${linkTarget("/proc/self/ns/pid")}`;
  return host;
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
