import { detectCapabilities, setCapabilities } from "@earendil-works/pi-tui";
import { runProcess } from "../../../core/process/run-process.js";

const TIMEOUT_MS = 250;

/**
 * Asks tmux whether the terminal it is shown in has links; then links are drawn. Source: tui.md section A11.
 *
 * @returns whether that changes how things are drawn
 */
export async function findTmuxLinks(env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  if (!env["TMUX"] && !env["TERM"]?.startsWith("tmux")) return false;
  const asked = ["display-message", "-p", "#{client_termfeatures}"];
  const { stdout, code } = await runProcess("tmux", asked, { timeout: TIMEOUT_MS });
  if (code !== 0 || !stdout.trim().split(",").includes("hyperlinks")) return false;
  setCapabilities(detectCapabilities(() => true));
  return true;
}
