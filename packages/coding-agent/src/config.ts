/**
 * Where the program keeps its own files. Source: cli-and-config.md (environment variables).
 */
import { homedir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Name of the directory of project-local configuration, and of the parent of the agent directory. */
export const CONFIG_DIR_NAME = ".pi";

/**
 * The home directory, always absolute: where HOME is empty, or unset for a user whom the system does not know, it is what
 * the system says, else the root. Files of the user must not lie wherever somebody stands.
 */
export function homeFolder(): string {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // The system does not know this user.
    }
  }
  return resolve("/");
}

/**
 * The agent directory: `PI_CODING_AGENT_DIR` (a leading `~` is the home directory), else `~/.pi/agent`.
 * Absolute; need not exist.
 */
export function getAgentDir(): string {
  const configured = process.env["PI_CODING_AGENT_DIR"];
  if (!configured) return join(homeFolder(), CONFIG_DIR_NAME, "agent");
  if (configured === "~") return homeFolder();
  if (/^~[/\\]/.test(configured)) return join(homeFolder(), configured.slice(2));
  return resolve(configured);
}
