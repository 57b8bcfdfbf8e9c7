/**
 * Nobody leaves with changes that are not committed: another session, a fork and a walk in the tree ask first. With
 * nobody there to ask, they do not happen.
 * Start: `pi -e clean-desk.ts`
 */
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";

export default function cleanDesk(pi: ExtensionAPI) {
  async function stay(ctx: ExtensionContext, where: string) {
    const { stdout } = await pi.exec("git", ["status", "--porcelain"], { cwd: ctx.cwd });
    const files = stdout.split("\n").filter((line) => line !== "");
    if (files.length === 0) return undefined;
    const may = ctx.hasUI && (await ctx.ui.confirm(`Go to ${where}?`, `${files.length} changes are not committed.`));
    return { cancel: !may };
  }
  pi.on("session_before_switch", ({ reason }, ctx) =>
    stay(ctx, reason === "new" ? "a new session" : "another session"),
  );
  pi.on("session_before_fork", (_event, ctx) => stay(ctx, "a copy"));
  pi.on("session_before_tree", (_event, ctx) => stay(ctx, "another branch"));
}
