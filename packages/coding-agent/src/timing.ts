/** Where the time of a start goes: `PI_TIMING=1` prints it on stderr. One list, as there is one start in a process. */
import { performance } from "node:perf_hooks";

const marks: { what: string; at: number }[] = [];

/** Says that something has ended now. */
export function timed(what: string): void {
  if (process.env["PI_TIMING"] === "1") marks.push({ what, at: performance.now() });
}

/** One line for each step with its time in ms, and all together; undefined when nobody asked. */
export function timingReport(): string | undefined {
  if (marks.length === 0) return undefined;
  const steps = [{ what: "Node.js", at: performance.nodeTiming.bootstrapComplete }, ...marks];
  const rows = steps.map(({ what, at }, index) => row(what, at - (steps[index - 1]?.at ?? 0)));
  return ["Time of the start in ms:", ...rows, row("total", steps.at(-1)?.at ?? 0)].join("\n");
}

function row(what: string, ms: number): string {
  return `${ms.toFixed(1).padStart(8)}  ${what}`;
}
