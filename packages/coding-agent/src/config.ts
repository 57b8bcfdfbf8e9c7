/**
 * Where the program keeps its own files. Source: cli-and-config.md (environment variables).
 */
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Name of the directory of project-local configuration, and of the parent of the agent directory. */
export const CONFIG_DIR_NAME = ".pi";

/**
 * The agent directory: `PI_CODING_AGENT_DIR` (a leading `~` is the home directory), else `~/.pi/agent`.
 * Absolute; need not exist.
 */
export function getAgentDir(): string {
  const configured = process.env["PI_CODING_AGENT_DIR"];
  if (!configured) return join(homedir(), CONFIG_DIR_NAME, "agent");
  if (configured === "~") return homedir();
  if (/^~[/\\]/.test(configured)) return join(homedir(), configured.slice(2));
  return resolve(configured);
}
