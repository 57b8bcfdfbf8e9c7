/**
 * For whoever writes extensions: `/again` loads all of them anew; afterwards it says how often that was, over a bus
 * that outlives reloads. What the old instance kept is of no use then, and this one does not touch it.
 * Start: `pi -e carousel.ts -e mine.ts`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function carousel(pi: ExtensionAPI) {
  pi.on("session_start", ({ reason }, ctx) => {
    const rounds = ctx.sessionManager
      .getEntries()
      .filter((entry) => entry.type === "custom" && entry.customType === "round");
    if (reason === "reload") ctx.ui.notify(`Round ${rounds.length}`);
  });
  pi.registerCommand("again", {
    description: "Load the extensions anew",
    handler: async (_args, ctx) => {
      pi.appendEntry("round");
      await ctx.reload();
    },
  });
}
