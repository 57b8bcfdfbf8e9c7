import { setImmediate } from "node:timers/promises";
import { type Prompt, promptOf } from "./cli/first-message.js";
import type { Invocation } from "./cli/invocation.js";
import { mayBeRefused } from "./cli/may-be-refused.js";
import { SettingsManager } from "./core/settings/settings-manager.js";
import { agentFolderProblem } from "./core/storage/agent-folder.js";
import { printError } from "./modes/output.js";

/**
 * A person at a terminal. The first frame is drawn before anything of the session is loaded, unless the arguments may turn
 * out to be wrong. Returns the exit code.
 */
export async function runInteractive(invocation: Invocation): Promise<number> {
  const { args, cwd, agentDir } = invocation;
  const problem = agentFolderProblem(agentDir);
  if (problem !== undefined) {
    printError(`Error: ${problem}`);
    return 1;
  }
  // Nobody decided about the project yet.
  const settings = SettingsManager.create(cwd, agentDir, { projectTrusted: false });
  if (settings.getScreenReader()) {
    const { startPlain } = await import("./start-plain.js");
    return startPlain(invocation);
  }
  let prompt: Prompt;
  try {
    prompt = await promptOf(args, cwd);
  } catch (error) {
    printError(`Error: ${(error as Error).message}`);
    return 1;
  }
  const [{ Front }, { displaySettings }] = await Promise.all([
    import("./modes/interactive/front.js"),
    import("./modes/interactive/display.js"),
  ]);
  const front = new Front({
    agentDir,
    display: displaySettings(settings),
    theme: args.useTheme,
    tuiMode: args.tuiMode,
    verbose: args.verbose,
  });
  if (!mayBeRefused(args, agentDir)) {
    front.start();
    await setImmediate();
  }
  const { startInteractive } = await import("./start-interactive.js");
  return startInteractive(invocation, front, prompt);
}
