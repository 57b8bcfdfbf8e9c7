import { runProcess } from "../../../core/process/run-process.js";

const TIMEOUT_MS = 2000;

/** What is worth changing in tmux; undefined outside of it, and when all is well. */
export async function tmuxNotice(env: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  if (!env["TMUX"]) return undefined;
  const { stdout, code } = await runProcess("tmux", ["show", "-gv", "extended-keys"], { timeout: TIMEOUT_MS });
  if (code !== 0 || stdout.trim() !== "off") return undefined;
  return (
    "tmux keeps some keys from programs, such as shift+enter (ctrl+j makes a new line). " +
    'For all keys, put "set -g extended-keys on" into ~/.tmux.conf and start tmux again.'
  );
}
