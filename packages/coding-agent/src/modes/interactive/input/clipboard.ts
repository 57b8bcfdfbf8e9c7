import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TUI } from "@earendil-works/pi-tui";
import { detectImageMimeType } from "../../../core/images/mime.js";
import { readClipboard, writeClipboard } from "../../../core/process/clipboard.js";
import { writeToTerminal } from "../../output.js";
import type { Desk } from "../desk.js";

/**
 * Copies a text: by the system's programs, and by the terminal where there are none, such as over SSH.
 * @param tui whose terminal it is; default: the process's
 * @throws when there is neither
 */
export async function copyToClipboard(text: string, tui?: TUI): Promise<void> {
  if (await writeClipboard(text)) return;
  const sequence = `\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`;
  if (tui) tui.terminal.write(sequence);
  else if (!writeToTerminal(sequence)) {
    throw new Error(
      "No clipboard can be reached: no terminal, and none of its programs. Install wl-clipboard or xclip.",
    );
  }
}

/** Puts what is in the clipboard into the editor: an image as a file's path, else text. */
export async function pasteFromClipboard(desk: Desk): Promise<void> {
  const image = await readClipboard("image");
  const mimeType = image && detectImageMimeType(image);
  if (image && mimeType) {
    const path = join(
      tmpdir(),
      `pi-clipboard-${randomUUID()}.${mimeType.slice("image/".length).replace("jpeg", "jpg")}`,
    );
    writeFileSync(path, image, { mode: 0o600 });
    desk.editor.insert(path);
    return;
  }
  const text = await readClipboard("text");
  if (text && text.length > 0) desk.editor.insert(text.toString("utf8"));
  else desk.status("The clipboard is empty, or cannot be read");
}
