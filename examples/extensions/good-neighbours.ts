/**
 * Decides whether projects are trusted: those below `~/.pi/agent/neighbours.txt` (one folder a line) are; for others
 * you are asked, and a yes is kept.
 * Start: put it into `~/.pi/agent/extensions`: an extension of a project cannot decide about the project.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { type ExtensionAPI, getAgentDir } from "@earendil-works/pi-coding-agent";

export default function goodNeighbours(pi: ExtensionAPI) {
  pi.on("project_trust", async (_event, ctx) => {
    const list = join(getAgentDir(), "neighbours.txt");
    const folders = existsSync(list) ? readFileSync(list, "utf8").split("\n").filter(Boolean) : [];
    if (folders.some((folder) => `${ctx.cwd}${sep}`.startsWith(`${folder}${sep}`))) {
      ctx.ui.notify(`A good neighbour: ${ctx.cwd}`);
      return { trusted: "yes" };
    }
    // Somebody else may know: the saved decision, or the settings.
    if (!ctx.hasUI) return { trusted: "undecided" };
    const isGood = await ctx.ui.confirm("A good neighbour?", `${ctx.cwd} (${ctx.mode})`);
    return { trusted: isGood ? "yes" : "no", remember: isGood };
  });
}
