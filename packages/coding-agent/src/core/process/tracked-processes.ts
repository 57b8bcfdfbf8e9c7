/**
 * The children that run now. Global on purpose: signals end the whole program, whichever session started a child.
 */
import { killTreesNow, type ProcessTree } from "./kill-tree.js";

const running = new Map<ProcessTree, (() => void) | undefined>();

/**
 * Remembers a running child; call the result when it has ended.
 * @param onKill told before it is killed with all others: its end is none of its own
 */
export function trackProcess(tree: ProcessTree, onKill?: () => void): () => void {
  running.set(tree, onKill);
  return () => {
    running.delete(tree);
  };
}

/** Kills all running children with what they started, at once. For the exit paths of the program. */
export function killTrackedProcesses(): void {
  const killed = [...running];
  running.clear();
  for (const [, onKill] of killed) onKill?.();
  killTreesNow(killed.map(([tree]) => tree));
}
