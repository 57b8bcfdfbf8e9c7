import { Container, Text } from "@earendil-works/pi-tui";
import type { Theme } from "../../../core/extensions/types/theme.js";
import { unhidden, withNewlines } from "../messages/plain-text.js";
import { getLanguageFromPath, highlightCode } from "../theme/highlight.js";
import { pathArgument } from "./paths.js";
import { firstLines, moreHint, resultText } from "./result-text.js";
import type { ToolRenderContext, ToolRenderers } from "./types.js";

const MAX_LINES = 10;
const MAX_ERROR_LINES = 10;

export const writeRenderers: ToolRenderers = {
  renderCall: (args: Record<string, unknown> | undefined, theme, context) => {
    const box = new Container();
    const title = theme.fg("toolTitle", theme.bold("write"));
    box.addChild(new Text(`${title} ${pathArgument(args?.["path"], theme, context.cwd)}`, 0, 0));
    const content = args?.["content"];
    if (typeof content === "string" && content !== "") {
      box.addChild(
        new Text(`\n${shownContent(withNewlines(content), String(args?.["path"] ?? ""), theme, context)}`, 0, 0),
      );
    }
    return box;
  },
  renderResult: (result, _options, theme, context) =>
    context.isError ? firstLines(resultText(result), MAX_ERROR_LINES, context, theme) : new Text("", 0, 0),
};

function shownContent(content: string, path: string, theme: Theme, context: ToolRenderContext): string {
  const language = getLanguageFromPath(path);
  if (context.expanded) return highlightCode(unhidden(content).trimEnd(), language).join("\n");
  // Only the head is looked at: the content may be long, and grows while it streams.
  const head = firstLinesOf(content, MAX_LINES);
  const lines = highlightCode(unhidden(head), language);
  const total = countLines(content);
  if (total > MAX_LINES) lines.push(moreHint(`${total - MAX_LINES} more lines, ${total} total`, context, theme));
  return lines.join("\n");
}

function firstLinesOf(text: string, count: number): string {
  let end = -1;
  for (let line = 0; line < count; line++) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) return text;
  }
  return text.slice(0, end);
}

function countLines(text: string): number {
  let count = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
