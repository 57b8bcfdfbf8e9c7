/**
 * Git checkpoints: the tracked files as they were before each prompt. `/rewind` brings them back; so does a fork, if
 * you say so. New files stay where they are.
 * Start: `pi -e rewind.ts` in a git repository with at least one commit.
 */
import type { ExtensionAPI, ExtensionContext, SessionEntry } from "@earendil-works/pi-coding-agent";

interface Checkpoint {
  commit: string;
  prompt: string;
}

export default function rewind(pi: ExtensionAPI) {
  const git = async (...args: string[]) => {
    const { code, stdout, stderr } = await pi.exec("git", args, { timeout: 10_000 });
    if (code !== 0) throw new Error(stderr.trim());
    return stdout.trim();
  };
  const restore = async ({ commit, prompt }: Checkpoint, ctx: ExtensionContext) => {
    await git("checkout", commit, "--", ".");
    ctx.ui.notify(`Files are as before "${prompt}"`);
  };
  const checkpointsOf = (entries: readonly SessionEntry[]) =>
    entries.flatMap((entry) =>
      entry.type === "custom" && entry.customType === "checkpoint" ? [entry.data as Checkpoint] : [],
    );

  pi.on("before_agent_start", async (event) => {
    if (event.messageType !== "user") return;
    // `stash create` writes a commit of the work tree and touches nothing; it says nothing when all is committed.
    const commit = (await git("stash", "create")) || (await git("rev-parse", "HEAD"));
    // Kept from garbage collection under a name of its own.
    await git("update-ref", `refs/pi/checkpoints/${commit}`, commit);
    pi.appendEntry<Checkpoint>("checkpoint", { commit, prompt: event.prompt.slice(0, 60) });
  });

  // Makes the places findable in /tree.
  pi.on("agent_settled", (_event, ctx) => {
    const leaf = ctx.sessionManager.getLeafEntry();
    if (leaf?.type === "message")
      pi.setLabel(leaf.id, `checkpoint ${checkpointsOf(ctx.sessionManager.getEntries()).length}`);
  });

  pi.registerCommand("rewind", {
    description: "Bring the files back to an earlier prompt",
    handler: async (_args, ctx) => {
      const all = checkpointsOf(ctx.sessionManager.getEntries()).toReversed();
      const chosen = await ctx.ui.select(
        "Files as before:",
        all.map(({ prompt, commit }) => `${prompt} (${commit.slice(0, 7)})`),
      );
      const checkpoint = all.find(({ prompt, commit }) => chosen === `${prompt} (${commit.slice(0, 7)})`);
      if (checkpoint) await restore(checkpoint, ctx);
    },
  });

  pi.on("session_before_fork", async ({ entryId }, ctx) => {
    // The way to the message that is taken back: its checkpoint is the last one on it.
    const checkpoint = checkpointsOf(ctx.sessionManager.getBranch(entryId)).at(-1);
    if (checkpoint && (await ctx.ui.confirm("Rewind the files, too?", checkpoint.prompt)))
      await restore(checkpoint, ctx);
  });
}
