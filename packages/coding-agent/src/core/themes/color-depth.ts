import { getTerminalColorMode } from "@earendil-works/pi-tui";
import type { ColorDepth } from "./terminal-ink.js";

/** What the terminal can show, by its environment. `NO_COLOR` (not empty) and `TERM=dumb` leave bold and inverse. */
export function detectColorDepth(env: NodeJS.ProcessEnv = process.env): ColorDepth {
  if (env["NO_COLOR"]) return "none";
  const mode = getTerminalColorMode();
  if (mode === "truecolor") return mode;
  const term = env["TERM"] ?? "";
  if (term === "dumb") return "none";
  const isSixteen = /^(linux|ansi|cygwin|vt\d+|xterm|xterm-color|xterm-16color|rxvt|screen|con\w*)$/.test(term);
  return isSixteen && !env["COLORTERM"] ? "16color" : mode;
}
