import { copyToClipboard } from "../input/clipboard.js";
import { unquoted } from "./session-commands.js";
import type { BuiltinCommand } from "./types.js";

export const outputCommands: readonly BuiltinCommand[] = [
  {
    name: "copy",
    description: "Copy the last answer",
    async run(_args, desk) {
      const text = desk.session.getLastAssistantText();
      if (text === undefined) {
        desk.status("No agent messages to copy yet.");
        return;
      }
      await copyToClipboard(text, desk.tui);
      desk.status("Copied last agent message to clipboard");
    },
  },
  {
    name: "export",
    description: "Write the session as a page, or as a session file",
    argumentHint: "[path]",
    async run(args, desk) {
      const path = args === "" ? undefined : unquoted(args);
      const { session } = desk;
      const written = path?.endsWith(".jsonl") ? await session.exportToJsonl(path) : await session.exportToHtml(path);
      desk.status(`Session exported to: ${written}`);
    },
  },
];
