/**
 * A footer of one's own: branch, model with its thinking level, how full the context is, how many providers have keys,
 * open tasks (told by task-list.ts), and what other extensions say.
 * Start: `pi -e status-line.ts -e task-list.ts`. `/footer` switches it off and on.
 */
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

export default function statusLine(pi: ExtensionAPI) {
  let isOn = true;
  let open = 0;
  let draw = () => {};

  function show(ctx: ExtensionContext) {
    if (!isOn) return ctx.ui.setFooter(undefined);
    return ctx.ui.setFooter((tui, theme, data) => {
      draw = () => tui.requestRender();
      const forget = data.onBranchChange(draw);
      return {
        render(width) {
          const usage = ctx.getContextUsage();
          const left = [
            theme.fg("accent", data.getGitBranch() ?? "no branch"),
            `${ctx.model?.id ?? "no model"}:${ctx.thinkingLevel ?? "off"}`,
            usage?.percent == null ? "ctx ?" : `ctx ${usage.percent.toFixed(0)}%`,
            `${data.getAvailableProviderCount()} ⚿`,
            ...(open > 0 ? [theme.fg("warning", `${open} to do`)] : []),
          ].join(theme.fg("dim", " | "));
          const right = [...data.getExtensionStatuses().values()].join(" ");
          const gap = Math.max(1, width - visibleWidth(left) - visibleWidth(right));
          return [truncateToWidth(left + " ".repeat(gap) + right, width)];
        },
        invalidate() {},
        dispose: forget,
      };
    });
  }

  pi.events.on("task-list", (data) => {
    open = (data as { open: number }).open;
    draw();
  });
  pi.on("session_start", (_event, ctx) => show(ctx));
  pi.on("model_select", () => draw());
  pi.on("thinking_level_select", () => draw());
  pi.on("turn_end", () => draw());
  pi.registerCommand("footer", {
    description: "The usual footer, or this one",
    handler: async (_args, ctx) => {
      isOn = !isOn;
      show(ctx);
    },
  });
}
