/**
 * Compaction of one's own: the summary begins with a ledger of what you asked for, word for word, and which files were
 * touched; a cheaper model writes the rest. When that fails, the built-in summary is made.
 * Start: `pi -e ledger.ts --ledger-model provider/id`, and `/ledger` to compact now.
 */
import { convertToLlm, type ExtensionAPI, serializeConversation } from "@earendil-works/pi-coding-agent";

export default function ledger(pi: ExtensionAPI) {
  pi.registerFlag("ledger-model", { type: "string", description: "Model that writes summaries, as provider/id" });

  pi.on("session_before_compact", async ({ preparation, signal, reason }, ctx) => {
    const { messagesToSummarize, fileOps, firstKeptEntryId, tokensBefore, previousSummary } = preparation;
    const [provider = "", id = ""] = String(pi.getFlag("ledger-model") ?? "").split("/");
    const model = ctx.modelRegistry.find(provider, id) ?? ctx.model;
    if (!model) return undefined;
    const auth = await ctx.modelRegistry.getApiKeyAndHeaders(model);
    if (!auth.ok) {
      ctx.ui.notify(`No ledger: ${auth.error}`, "warning");
      return undefined;
    }
    const asked = messagesToSummarize.flatMap((message) => {
      if (message.role !== "user") return [];
      const { content } = message;
      return [
        typeof content === "string"
          ? content
          : content.map((part) => (part.type === "text" ? part.text : "[image]")).join(" "),
      ];
    });
    const text = serializeConversation(convertToLlm(messagesToSummarize));
    const answer = await ctx.modelRegistry.complete(
      model,
      {
        systemPrompt: "You keep the log of a workshop.",
        messages: [{ role: "user", content: `Sum up what was found and decided:\n\n${text}`, timestamp: Date.now() }],
      },
      { signal },
    );
    if (answer.stopReason === "error" || answer.stopReason === "aborted") return undefined;
    const written = answer.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    const files = [...new Set([...fileOps.written, ...fileOps.edited])].toSorted();
    const summary = [
      ...(previousSummary ? [previousSummary] : []),
      `## Asked for\n${asked.map((one) => `- ${one}`).join("\n")}`,
      ...(files.length > 0 ? [`## Changed\n${files.map((file) => `- ${file}`).join("\n")}`] : []),
      `## Log\n${written}`,
    ].join("\n\n");
    return { compaction: { summary, firstKeptEntryId, tokensBefore, details: { reason, files }, usage: answer.usage } };
  });

  pi.on("session_compact", ({ fromExtension, compactionEntry }, ctx) => {
    const saved = `from ${compactionEntry.tokensBefore} tokens`;
    ctx.ui.notify(fromExtension ? `Wrote the ledger (${saved})` : `Compacted without a ledger (${saved})`);
  });
  pi.on("session_compact_failed", ({ errorMessage, aborted }, ctx) => {
    ctx.ui.notify(aborted ? "The ledger was stopped" : `No ledger: ${errorMessage}`, "warning");
  });

  pi.registerCommand("ledger", {
    description: "Compact now; what you add is said to the model",
    handler: async (args, ctx) => {
      ctx.compact({
        ...(args && { customInstructions: args }),
        onComplete: ({ summary }) => ctx.ui.notify(`${summary.length} characters`),
        onError: ({ message }) => ctx.ui.notify(`Not compacted: ${message}`, "error"),
      });
    },
  });
}
