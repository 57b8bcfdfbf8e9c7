// Runs one command through the bash tool in a process of its own, so that its memory can be told from the rest.
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { createBashTool } from "@earendil-works/pi-coding-agent";

const command = process.argv[2] ?? "";
const bash = createBashTool(tmpdir());
await bash.execute("warm-up", { command: "true" });
const before = peakMb();
const started = performance.now();
const result = await bash.execute("bench", { command });
const ms = performance.now() - started;
const [block] = result.content;
if (block?.type !== "text" || !block.text.includes("Full output:")) throw new Error("unexpected result");
// As the floor does with its file: what stays is still to be written to the disk, and slows down the next round.
rmSync(result.details?.fullOutputPath ?? "", { force: true });
console.log(JSON.stringify({ ms, growthMb: peakMb() - before }));

/** Highest resident memory so far: the kernel's own mark on Linux, this moment's elsewhere. */
function peakMb() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
  } catch {
    return process.memoryUsage().rss / 1024 / 1024;
  }
}
