/**
 * The children that run now. Global on purpose: signals end the whole program, whichever session started a child.
 */
import { killTreeNow, type ProcessTree } from "./kill-tree.js";

const running = new Set<ProcessTree>();

/** Remembers a running child; call the result when it has ended. */
export function trackProcess(tree: ProcessTree): () => void {
  running.add(tree);
  return () => {
    running.delete(tree);
  };
}

/** Kills all running children with what they started, at once. For the exit paths of the program. */
export function killTrackedProcesses(): void {
  for (const tree of running) killTreeNow(tree);
  running.clear();
}
