import type { Invocation } from "./cli/invocation.js";
import { noModelText } from "./core/models/no-model-text.js";
import { killTrackedProcesses } from "./core/process/tracked-processes.js";
import { printError, takeOverStdout } from "./modes/output.js";
import { runRpcMode } from "./modes/rpc/rpc-mode.js";
import { catchStartErrors } from "./modes/stray-errors.js";
import { reportStartError } from "./run-once.js";
import { startSession } from "./start-session.js";

/** Prepares a session from the command line and lets another program drive it. Returns only when it cannot start. */
export async function runRpc(invocation: Invocation): Promise<number> {
  const output = takeOverStdout(killTrackedProcesses);
  try {
    const stopCatching = catchStartErrors(invocation, "rpc");
    const runtime = await startSession({ ...invocation, mode: "rpc", say: printError });
    if (!runtime) return 1;
    stopCatching();
    if (!runtime.session.model) printError(`Warning: ${noModelText}`);
    return await runRpcMode(runtime, output);
  } catch (error) {
    return reportStartError(error);
  }
}
