/**
 * Typographic quotes while you type, and alt+x empties the editor while nothing runs.
 * Start: `pi -e typewriter.ts`. `/typewriter` switches it off and on.
 */
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { matchesKey } from "@earendil-works/pi-tui";

export default function typewriter(pi: ExtensionAPI) {
  let end: (() => void) | undefined;

  function listen(ctx: ExtensionContext) {
    let isOpen = false;
    end = ctx.ui.onTerminalInput((data) => {
      if (data === '"') {
        isOpen = !isOpen;
        return { data: isOpen ? "“" : "”" };
      }
      if (!matchesKey(data, "alt+x") || !ctx.isIdle() || ctx.ui.getEditorText() === "") return undefined;
      ctx.ui.setEditorText("");
      return { consume: true };
    });
  }

  pi.on("session_start", (_event, ctx) => listen(ctx));
  pi.registerCommand("typewriter", {
    description: "Typographic quotes, or plain ones",
    handler: async (_args, ctx) => {
      if (!end) return listen(ctx);
      end();
      end = undefined;
    },
  });
}
