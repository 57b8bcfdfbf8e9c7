import { Text } from "@earendil-works/pi-tui";
import type { Theme } from "../../../core/extensions/types/theme.js";
import { unhidden } from "../messages/plain-text.js";
import { firstLines, resultText } from "./result-text.js";
import type { RenderedResult, ToolRenderContext, ToolRenderers } from "./types.js";

const MAX_ARGUMENTS = 100;
const MAX_LINES = 10;

interface DefaultRenderers {
  renderCall: NonNullable<ToolRenderers["renderCall"]>;
  renderResult: NonNullable<ToolRenderers["renderResult"]>;
}

/** For tools that say nothing about how they look. */
export function defaultRenderers(name: string): DefaultRenderers {
  return {
    renderCall: (args: unknown, theme: Theme, context: ToolRenderContext) => {
      const title = theme.fg("toolTitle", theme.bold(name));
      const entries = typeof args === "object" && args !== null ? Object.entries(args) : [];
      if (context.expanded) {
        const lines = entries.map(([key, value]) => `${theme.fg("muted", `${key}:`)} ${unhidden(asText(value))}`);
        return new Text([title, ...lines].join("\n"), 0, 0);
      }
      const whole = entries.map(([key, value]) => `${key}=${JSON.stringify(value) ?? ""}`).join(" ");
      const shown = whole.length > MAX_ARGUMENTS ? `${whole.slice(0, MAX_ARGUMENTS)}...` : whole;
      return new Text(`${title}${shown === "" ? "" : ` ${theme.fg("muted", unhidden(shown))}`}`, 0, 0);
    },
    renderResult: (result: RenderedResult, _options, theme: Theme, context: ToolRenderContext) =>
      firstLines(resultText(result), MAX_LINES, context, theme),
  };
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
