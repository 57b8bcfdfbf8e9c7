/**
 * Bookmarks in the conversation: `/mark <why>` puts one there that only you see, `/remind <what>` one that the model
 * reads with your next prompt. Both are drawn in their own way, and `/marks` goes back to one.
 * Start: `pi -e bookmarks.ts`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";

interface Mark {
  why: string;
  on: string | null;
  /** Of the entry it is on. */
  kind?: string | undefined;
}

export default function bookmarks(pi: ExtensionAPI) {
  pi.registerEntryRenderer<Mark>("mark", ({ data }, { expanded }, theme) => {
    const line = theme.fg("accent", `🔖 ${data?.why ?? ""}`);
    return new Text(expanded ? `${line} ${theme.fg("dim", `on a ${data?.kind}`)}` : line, 0, 0);
  });
  pi.registerMessageRenderer<Mark>("reminder", ({ details }, { keyHint }, theme) => {
    return new Text(`${theme.fg("warning", `⏰ ${details?.why}`)} ${keyHint("app.tools.expand", "more")}`, 0, 0);
  });

  pi.registerCommand("mark", {
    description: "Put a bookmark here",
    handler: async (why, ctx) => {
      const on = ctx.sessionManager.getLeafId();
      pi.appendEntry<Mark>("mark", { why, on, kind: on ? ctx.sessionManager.getEntry(on)?.type : undefined });
      if (on) pi.setLabel(on, why);
    },
  });
  pi.registerCommand("remind", {
    description: "Say it to the model with the next prompt",
    handler: async (why, ctx) => {
      const on = ctx.sessionManager.getLeafId();
      pi.sendMessage<Mark>(
        { customType: "reminder", content: `Do not forget: ${why}`, display: true, details: { why, on } },
        { deliverAs: "nextTurn" },
      );
    },
  });
  pi.registerCommand("marks", {
    description: "Go back to a bookmark",
    handler: async (_args, ctx) => {
      const marks = ctx.sessionManager.getEntries().flatMap((entry) => {
        const why = ctx.sessionManager.getLabel(entry.id);
        return why === undefined ? [] : [{ id: entry.id, why }];
      });
      const chosen = await ctx.ui.select(
        "Back to",
        marks.map(({ why }) => why),
      );
      const mark = marks.find(({ why }) => why === chosen);
      if (!mark) return;
      const { cancelled } = await ctx.navigateTree(mark.id, { summarize: false });
      if (!cancelled) ctx.ui.notify(`Back at "${mark.why}"`);
    },
  });
}
