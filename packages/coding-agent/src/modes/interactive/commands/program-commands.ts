import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BuiltinCommand } from "./types.js";

export const programCommands: readonly BuiltinCommand[] = [
  {
    name: "compact",
    description: "Summarise the conversation to make room",
    argumentHint: "[instructions]",
    async run(args, { session }) {
      // The session tells how it goes, and whether it failed.
      await session.compact(args === "" ? undefined : args).catch(() => undefined);
    },
  },
  {
    name: "reload",
    description: "Read keys, themes, skills and context files again",
    async run(_args, desk) {
      if (desk.session.isStreaming || desk.session.isCompacting) {
        desk.warning("Wait for the current response to finish before reloading.");
        return;
      }
      await desk.reload();
      desk.status("Reloaded keybindings, themes and resources");
    },
  },
  {
    name: "debug",
    description: "Write what is on the screen, and the messages, to a file",
    isHidden: true,
    run(_args, desk) {
      const path = join(desk.runtime.services.agentDir, "pi-debug.log");
      const lines = desk.screen.mode === "fullscreen" ? desk.screen.screenLines() : desk.transcript.render(80);
      const messages = JSON.stringify(desk.session.messages, null, 2);
      writeFileSync(path, `${new Date().toISOString()}\n${lines.join("\n")}\n\n${messages}\n`, { mode: 0o600 });
      desk.status(`Debug log written to: ${path}`);
    },
  },
  {
    name: "quit",
    description: "Leave",
    run(_args, desk) {
      desk.quit();
    },
  },
];
