import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInTerminal } from "../../../core/process/terminal-program.js";
import type { TerminalScreen } from "../screen/terminal-screen.js";

/**
 * Lets the user change a text in their own editor, which gets the terminal meanwhile. Undefined when the editor failed:
 * the text stays as it was.
 * @throws when the editor cannot be started
 */
export async function editExternally(
  text: string,
  command: string,
  screen: Pick<TerminalScreen, "pause" | "resume">,
): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "pi-editor-"));
  const file = join(folder, "prompt.md");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    screen.pause();
    let code: number | undefined;
    try {
      code = await runInTerminal(command, file);
    } finally {
      screen.resume();
    }
    return code === 0 ? withoutExtras(readFileSync(file, "utf8")) : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Editors add a byte order mark and a last line break that nobody typed. */
function withoutExtras(text: string): string {
  return text.replace(/^\uFEFF/, "").replace(/\r?\n$/, "");
}
