import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { removeDeadSocket } from "../ipc/socket.js";
import { holderIdOf, holderSocket } from "../paths.js";
import { isAlive } from "../process/identity.js";
import { bearsMark, killTree, markOf } from "../process/tree.js";
import type { HolderRecord, InstanceRecord } from "../types.js";

/**
 * Ends what is left of an instance whose holder is gone: its agent, and all that its agents have started. Returns the
 * agent's process, which may be listed for a while.
 */
export function endRest({ id, pid, startTime = "" }: InstanceRecord, place: string): number | undefined {
  const mark = markOf(place, id);
  // The number may be another process's by now, and a copied table names the processes of the original.
  const isThere = pid !== undefined && isAlive(pid, startTime);
  const isOurs = isThere && bearsMark(pid, mark);
  killTree(isOurs ? pid : undefined, mark);
  return isThere && !isOurs ? undefined : pid;
}

/** Ends a holder that does not answer. */
export function killHolder({ id, pid }: HolderRecord, folder: string): void {
  if (!isHolder(pid, holderSocket(folder, id))) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** Its title names its socket. True where titles are not told. */
function isHolder(pid: number, socket: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(socket);
  } catch {
    return process.platform !== "linux";
  }
}

/** Removes the sockets of holders that were killed. */
export async function removeDeadSockets(folder: string): Promise<void> {
  const holders = (await readdir(folder)).flatMap((name) => holderIdOf(name) ?? []);
  await Promise.all(holders.map((id) => removeDeadSocket(holderSocket(folder, id))));
}
