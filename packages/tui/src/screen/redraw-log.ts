import { appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `PI_TUI_DEBUG_REDRAW=1`: writes down why a whole screen was drawn. Source: tui.md section A6. */
export function logFullRedraw(reason: string, directory = tmpdir()): void {
  if (process.env["PI_TUI_DEBUG_REDRAW"] !== "1") return;
  try {
    appendFileSync(join(directory, "pi-tui-debug.log"), `${new Date().toISOString()} full redraw: ${reason}\n`);
  } catch {
    // What is only looked for must not take the screen down.
  }
}
