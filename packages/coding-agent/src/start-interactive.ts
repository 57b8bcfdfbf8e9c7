import type { Args } from "./cli/args.js";
import { killTrackedProcesses } from "./core/process/tracked-processes.js";
import type { Front } from "./modes/interactive/front.js";
import { InteractiveMode } from "./modes/interactive/interactive-mode.js";
import { printError } from "./modes/output.js";
import { promptOf, reportStartError } from "./run-once.js";
import { startSession } from "./start-session.js";

export interface StartInteractiveOptions {
  args: Args;
  cwd: string;
  agentDir: string;
  front: Front;
}

/** Makes the session behind the first frame and lets the user drive it. Returns the exit code. */
export async function startInteractive({ args, cwd, agentDir, front }: StartInteractiveOptions): Promise<number> {
  const notices: string[] = [];
  const leave = () => front.screen.stop();
  process.on("exit", killTrackedProcesses);
  try {
    const { initialMessage, images, messages } = await promptOf(args, cwd, undefined);
    const runtime = await startSession({ args, cwd, agentDir, say: (line) => notices.push(line) });
    if (!runtime) {
      leave();
      for (const notice of notices) printError(notice);
      return 1;
    }
    const mode = new InteractiveMode(runtime, { front, initialMessage, initialImages: images, messages, notices });
    await mode.run();
    return 0;
  } catch (error) {
    leave();
    return reportStartError(error);
  }
}
