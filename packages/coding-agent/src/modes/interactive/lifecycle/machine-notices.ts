/** What on this machine is worth changing. Source: tui.md section B1, "Startup". */
import { runProcess } from "../../../core/process/run-process.js";
import { findRipgrep } from "../../../core/tools/search/ripgrep.js";

const TIMEOUT_MS = 2000;

/** One sentence or two for each thing, with what to do. */
export async function machineNotices(env: NodeJS.ProcessEnv = process.env): Promise<string[]> {
  const notices = await Promise.all([tmuxNotice(env), ripgrepNotice()]);
  return notices.filter((notice) => notice !== undefined);
}

async function tmuxNotice(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (!env["TMUX"]) return undefined;
  const { stdout, code } = await runProcess("tmux", ["show", "-gv", "extended-keys"], { timeout: TIMEOUT_MS });
  if (code !== 0 || stdout.trim() !== "off") return undefined;
  return (
    "tmux keeps some keys from programs, such as shift+enter (ctrl+j makes a new line). " +
    'For all keys, put "set -g extended-keys on" into ~/.tmux.conf and start tmux again.'
  );
}

async function ripgrepNotice(): Promise<string | undefined> {
  if ((await findRipgrep()) !== undefined) return undefined;
  return "ripgrep (rg) was not found: the grep tool searches by itself, which is slower. Install ripgrep to change that.";
}
