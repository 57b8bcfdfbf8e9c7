import { OrchestratorClient, OrchestratorError } from "../ipc/client.js";
import { LineSplitter } from "../lines.js";
import type { StreamFrame } from "../types.js";
import type { VerbArguments } from "./arguments.js";
import { AttachView } from "./attach-view.js";
import { print } from "./output.js";

/** Shows what an agent does, for people; a line of stdin is a prompt, or the answer to the dialog that is open. */
export async function attach(args: VerbArguments): Promise<number> {
  const instanceId = args.words[0] ?? "";
  const client = new OrchestratorClient();
  const { dialogs } = await client.call("status", { instanceId });
  const view = new AttachView(dialogs, print);
  const stream = await client.stream(instanceId, "now", (line) => view.frame(JSON.parse(line) as StreamFrame));
  print(`Attached to ${instanceId}. A line is a prompt; Ctrl-D leaves, and the agent goes on.\n`);
  for (const dialog of dialogs) view.ask(dialog);
  let isLeaving = false;
  let given: Promise<void> = Promise.resolve();
  // Prompts are on the disk when the call returns, so that leaving does not lose any.
  const prompt = async (message: string): Promise<void> => {
    try {
      await client.call("prompt", { instanceId, message });
    } catch (error) {
      view.say((error as Error).message);
    }
  };
  const take = (line: string): void => {
    if (line.trim() === "") return;
    const answer = view.answer(line);
    if (answer === "prompt") given = given.then(() => prompt(line));
    else if (answer) stream.send({ type: "extension_ui_response", ...answer });
  };
  const lines = new LineSplitter(take);
  process.stdin.on("data", (chunk: Buffer) => lines.push(chunk));
  process.stdin.on("end", () => {
    take(lines.rest());
    isLeaving = true;
    void given.then(() => stream.close());
  });
  await stream.closed;
  process.stdin.destroy();
  if (!isLeaving) {
    throw new OrchestratorError(
      "disconnected",
      "The orchestrator ended. Its agents may go on: see pi-orchestrator list.",
    );
  }
  return 0;
}
