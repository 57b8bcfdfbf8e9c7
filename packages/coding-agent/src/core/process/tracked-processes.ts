/**
 * The children that run now. Global on purpose: signals end the whole program, whichever session started a child.
 */
import { killTreeNow } from "./kill-tree.js";

const running = new Set<number>();

/** Remembers a running child; call the result when it has ended. */
export function trackProcess(pid: number): () => void {
  running.add(pid);
  return () => {
    running.delete(pid);
  };
}

/** Kills all running children with what they started, at once. For the exit paths of the program. */
export function killTrackedProcesses(): void {
  for (const pid of running) killTreeNow(pid);
  running.clear();
}
