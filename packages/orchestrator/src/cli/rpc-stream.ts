import { OrchestratorClient, OrchestratorError } from "../ipc/client.js";
import { LineSplitter } from "../lines.js";
import type { VerbArguments } from "./arguments.js";
import { print } from "./output.js";

/** Lines of stdin to the agent, its records to stdout, until stdin ends. @throws when the orchestrator ends before */
export async function rpcStream(args: VerbArguments): Promise<number> {
  const client = new OrchestratorClient();
  const stream = await client.stream(args.words[0] ?? "", args.text("cursor"), (line) => print(`${line}\n`));
  let isLeaving = false;
  const lines = new LineSplitter((line) => {
    if (line !== "") stream.sendLine(line);
  });
  process.stdin.on("data", (chunk: Buffer) => lines.push(chunk));
  process.stdin.on("end", () => {
    const rest = lines.rest();
    if (rest !== "") stream.sendLine(rest);
    isLeaving = true;
    stream.close();
  });
  await stream.closed;
  process.stdin.destroy();
  if (!isLeaving) throw new OrchestratorError("disconnected", "The orchestrator ended, or has closed the stream.");
  return 0;
}
