/**
 * A header that says what this session can do: tools with where they come from, commands, and all of it when tool
 * output is unfolded (ctrl+o, or `/unfold`).
 * Start: `pi -e front-page.ts`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";

export default function frontPage(pi: ExtensionAPI) {
  pi.on("session_start", (_event, ctx) => {
    ctx.ui.setHeader((_tui, theme) => {
      let isExpanded = ctx.ui.getToolsExpanded();
      return {
        render(width) {
          const active = new Set(pi.getActiveTools());
          const tools = pi.getAllTools().map(({ name, sourceInfo }) => {
            const label = sourceInfo.source === "builtin" ? name : theme.italic(name);
            return active.has(name) ? theme.fg("success", label) : theme.fg("dim", label);
          });
          const commands = pi.getCommands().map(({ name, source }) => `/${name} (${source})`);
          const title = theme.inverse(` ${tools.length} tools, ${commands.length} commands `);
          if (!isExpanded) return [truncateToWidth(title, width)];
          return [title, ...wrapTextWithAnsi(tools.join(" "), width), ...wrapTextWithAnsi(commands.join(" "), width)];
        },
        invalidate() {},
        setExpanded(expanded) {
          isExpanded = expanded;
        },
      };
    });
  });
  pi.registerCommand("unfold", {
    description: "Unfold tool output and the header, or fold it",
    handler: async (_args, ctx) => ctx.ui.setToolsExpanded(!ctx.ui.getToolsExpanded()),
  });
}
