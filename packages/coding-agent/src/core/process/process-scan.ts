import { environmentOf, outputsOf, type ProcessEntry, readProcessTable } from "./process-table.js";

/** What the system shows of its processes at one moment. Each process is looked at once, however many ask. */
export class ProcessScan {
  readonly table: readonly ProcessEntry[] = readProcessTable();
  readonly #environments = new Map<number, string>();
  readonly #outputs = new Map<number, readonly string[]>();

  /** Processes that inherited a mark in an environment variable, wherever they are in the tree by now. */
  marked(mark: string): ProcessEntry[] {
    return this.table.filter(({ pid }) => once(this.#environments, pid, environmentOf).includes(mark));
  }

  /** Processes that write to one of these outputs, as `outputsOf` names them. */
  writingTo(outputs: readonly string[]): ProcessEntry[] {
    if (outputs.length === 0) return [];
    return this.table.filter(({ pid }) => once(this.#outputs, pid, outputsOf).some((one) => outputs.includes(one)));
  }
}

function once<Value>(known: Map<number, Value>, pid: number, look: (pid: number) => Value): Value {
  const value = known.get(pid) ?? look(pid);
  known.set(pid, value);
  return value;
}

let next: Promise<ProcessScan> | undefined;

/** A look that is taken after this call, shared by all who want one now: many commands that end together need one. */
export function nextScan(): Promise<ProcessScan> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = undefined;
      resolve(new ProcessScan());
    });
  });
  return next;
}
