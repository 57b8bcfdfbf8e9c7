import { readFileSync } from "node:fs";

/** When a process started, as the system counts it: ids are used again. Empty where it cannot be told. */
export function startTimeOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // After the command name, which may hold anything.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

/** Whether this very process runs; one that ended and was not collected yet does not. */
export function isAlive(pid: number, startTime = ""): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    if (/^[ZX]/.test(text.slice(text.lastIndexOf(")") + 2))) return false;
  } catch {
    // No such file system: what `kill` said is all there is.
  }
  return startTime === "" || startTimeOf(pid) === startTime;
}

/** Resident memory in MB; undefined where it cannot be told. */
export function memoryOf(pid: number): number | undefined {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    return (pages * 4096) / 1024 / 1024;
  } catch {
    return undefined;
  }
}

/**
 * Waits until the process is not even listed any more: until then, others take what it had locked for locked.
 * Where nobody collects ended processes, not longer than `patienceMs`.
 */
export async function untilGone(pid: number, startTime: string, patienceMs = 10_000): Promise<void> {
  for (const end = Date.now() + patienceMs; Date.now() < end; ) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    if (startTime !== "" && startTimeOf(pid) !== startTime) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
