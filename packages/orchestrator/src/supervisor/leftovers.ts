import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { removeDeadSocket } from "../ipc/socket.js";
import { holderIdOf, holderSocket } from "../paths.js";
import { isAlive } from "../process/identity.js";
import { bearsMark, killTree, markOf } from "../process/tree.js";
import type { HolderRecord, InstanceRecord } from "../types.js";

/** Ends what is left of an instance whose holder is gone: its agent, and all that its agents have started. */
export function endRest({ id, pid, startTime = "" }: InstanceRecord, place: string): void {
  const mark = markOf(place, id);
  // The number may be another process's by now, and a copied table names the processes of the original.
  const isSame = pid !== undefined && isAlive(pid, startTime) && bearsMark(pid, mark);
  killTree(isSame ? pid : undefined, mark);
}

/** Ends a holder that does not answer. */
export function killHolder({ id, pid }: HolderRecord): void {
  if (!isHolder(pid, id)) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** Its arguments name its socket. True where they are not told. */
function isHolder(pid: number, id: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(id);
  } catch {
    return process.platform !== "linux";
  }
}

/** Removes the sockets of holders that were killed. */
export async function removeDeadSockets(folder: string): Promise<void> {
  const holders = (await readdir(folder)).flatMap((name) => holderIdOf(name) ?? []);
  await Promise.all(holders.map((id) => removeDeadSocket(holderSocket(folder, id))));
}
