import { accessSync, constants } from "node:fs";
import { isThere, statIfExists } from "./files.js";
import { accessProblem } from "./folder-problem.js";

/**
 * Says why nothing of the agent directory can be read: everything in it would only look missing, and a start without it
 * would look like a success.
 */
export function agentFolderProblem(agentDir: string): string | undefined {
  const advice = "Set PI_CODING_AGENT_DIR to a directory";
  try {
    const stats = statIfExists(agentDir);
    if (!stats && isThere(agentDir)) {
      return `The agent directory is a link to nothing: ${agentDir}. ${advice}, or make the one that it leads to.`;
    }
    if (stats && !stats.isDirectory()) {
      return `The agent directory is a file: ${agentDir}. ${advice}, or move the file away.`;
    }
    if (stats) accessSync(agentDir, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return `The agent directory ${accessProblem(error)}: ${agentDir}. ${advice} of your own.`;
  }
}
