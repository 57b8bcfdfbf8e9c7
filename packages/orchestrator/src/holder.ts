// Keeps the pipes of one agent, in a process of its own: `holder.js <socket>`. It outlives its supervisor.
import { HolderProcess } from "./holder/holder-process.js";

// Says which one: whoever must end it by its number can see that it is it.
process.title = `pi-holder ${process.argv[2]}`;
// A terminal that closes, or Ctrl-C in it, is the supervisor's affair.
for (const signal of ["SIGHUP", "SIGINT"] as const) process.on(signal, () => {});
await new HolderProcess(process.argv[2] ?? "").listen();
// Whoever started it waits for this, and may be gone by now.
process.stdout.on("error", () => {});
process.stdout.write("ready\n");
