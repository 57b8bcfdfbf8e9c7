/**
 * Typographic quotes while you type, and escape pressed twice within half a second empties the editor.
 * Start: `pi -e typewriter.ts`. `/typewriter` switches it off and on.
 */
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";

const TWICE_MS = 500;

export default function typewriter(pi: ExtensionAPI) {
  let end: (() => void) | undefined;

  function listen(ctx: ExtensionContext) {
    let isOpen = false;
    let escapedAt = 0;
    end = ctx.ui.onTerminalInput((data) => {
      if (data === '"') {
        isOpen = !isOpen;
        return { data: isOpen ? "“" : "”" };
      }
      if (data !== "\x1b") return undefined;
      const isSecond = Date.now() - escapedAt < TWICE_MS && ctx.isIdle();
      escapedAt = Date.now();
      if (!isSecond || ctx.ui.getEditorText() === "") return undefined;
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
