/**
 * Tries something else: `/what-if <question>` copies the session up to here and asks there; `/instead <prompt>` takes
 * your last prompt back, summarises what came of it, and asks anew on a branch of its own.
 * Start: `pi -e what-if.ts`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function whatIf(pi: ExtensionAPI) {
  pi.registerCommand("what-if", {
    description: "Ask in a copy of this session",
    handler: async (question, ctx) => {
      const leaf = ctx.sessionManager.getLeafId();
      if (!leaf) return ctx.ui.notify("There is nothing to copy yet", "warning");
      await ctx.fork(leaf, {
        position: "at",
        withSession: async (fresh) => {
          fresh.ui.notify(`In a copy: ${fresh.sessionManager.getSessionId()}`);
          await fresh.sendUserMessage(question);
        },
      });
    },
  });

  pi.registerCommand("instead", {
    description: "Take the last prompt back and ask something else",
    handler: async (prompt, ctx) => {
      const last = ctx.sessionManager
        .getBranch()
        .findLast((entry) => entry.type === "message" && entry.message.role === "user");
      if (!last) return;
      const { cancelled } = await ctx.navigateTree(last.id, { summarize: true, label: "tried" });
      if (!cancelled) pi.sendUserMessage(prompt);
    },
  });

  // The summary is ours: what was asked and in how many steps it was answered, without asking a model.
  pi.on("session_before_tree", ({ preparation }) => {
    if (!preparation.userWantsSummary) return undefined;
    const steps = preparation.entriesToSummarize.filter(({ type }) => type === "message").length;
    return { summary: { summary: `Another way was tried and left (messages: ${steps}).` } };
  });
}
