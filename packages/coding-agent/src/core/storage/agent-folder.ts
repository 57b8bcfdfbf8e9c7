import { statIfExists } from "./files.js";

/** Says that a file stands where the agent directory should be: below it, everything would only look missing. */
export function agentFolderProblem(agentDir: string): string | undefined {
  const stats = statIfExists(agentDir);
  if (!stats || stats.isDirectory()) return undefined;
  return `The agent directory is a file: ${agentDir}. Set PI_CODING_AGENT_DIR to a directory, or move the file away.`;
}
