/**
 * A diary of sessions: when they began, why, how they were called, where they went, and how they ended. One line each
 * in `diary.md` of the agent's folder.
 * Start: put it into `~/.pi/agent/extensions`.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@earendil-works/pi-coding-agent";

export default function diary(pi: ExtensionAPI) {
  const write = (ctx: ExtensionContext, what: string) => {
    const { sessionManager } = ctx;
    const name = sessionManager.getSessionName() ?? sessionManager.getHeader()?.id.slice(0, 8);
    appendFileSync(join(process.env["DIARY_DIR"] ?? getAgentDir(), "diary.md"), `- ${name}: ${what}\n`);
  };
  pi.on("session_start", ({ reason, previousSessionFile }, ctx) =>
    write(
      ctx,
      `began in ${ctx.sessionManager.getCwd()} (${reason}${previousSessionFile ? ", after another" : ""}), kept in ${ctx.sessionManager.getSessionDir()}`,
    ),
  );
  pi.on("session_info_changed", ({ name }, ctx) => write(ctx, `is now called ${name}`));
  pi.on("session_tree", ({ summaryEntry }, ctx) => {
    const roots = ctx.sessionManager.getTree().length;
    write(ctx, `went elsewhere in its tree of ${roots}${summaryEntry ? `: ${summaryEntry.summary}` : ""}`);
  });
  pi.on("session_shutdown", ({ reason }, ctx) => {
    const { messages } = ctx.sessionManager.buildSessionProjection();
    write(ctx, `ended (${reason}) with ${messages.length} messages`);
  });
}
