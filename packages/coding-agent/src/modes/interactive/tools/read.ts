import { basename } from "node:path";
import { Text } from "@earendil-works/pi-tui";
import type { Theme } from "../../../core/extensions/types/theme.js";
import { CONTEXT_FILE_NAMES } from "../../../core/resources/context-files.js";
import { formatReadLineRange } from "../../../core/tools/read/line-range.js";
import { getLanguageFromPath, highlightCode } from "../theme/highlight.js";
import { pathArgument } from "./paths.js";
import { firstLines, resultText } from "./result-text.js";
import { truncationNote } from "./truncation-note.js";
import type { ToolRenderContext, ToolRenderers } from "./types.js";

const MAX_ERROR_LINES = 10;

export const readRenderers: ToolRenderers = {
  renderCall: (args: Record<string, unknown>, theme, context) => new Text(callLine(args ?? {}, theme, context), 0, 0),
  renderResult: (result, _options, theme, context) => {
    const text = resultText(result);
    if (context.isError) return firstLines(text, MAX_ERROR_LINES, context, theme);
    if (!context.expanded) return new Text("", 0, 0);
    const path = String((context.args as { path?: unknown } | undefined)?.path ?? "");
    const lines = highlightCode(text, getLanguageFromPath(path)).join("\n");
    return new Text(lines + truncationNote(result.details, theme), 0, 0);
  },
};

function callLine(args: Record<string, unknown>, theme: Theme, context: ToolRenderContext): string {
  const title = (text: string) => theme.fg("toolTitle", theme.bold(text));
  const path = typeof args["path"] === "string" ? args["path"] : "";
  const range = formatReadLineRange(args["offset"], args["limit"]);
  const name = basename(path);
  if (name === "SKILL.md") {
    const skill = path.split(/[/\\]/).at(-2) ?? name;
    return `${theme.fg("customMessageLabel", theme.bold("[skill]"))} ${skill}${range}`;
  }
  const shown = pathArgument(args["path"], theme, context.cwd, range);
  const isContext = (CONTEXT_FILE_NAMES as readonly string[]).includes(name);
  return isContext
    ? `${title("read resource")} ${name}${range} ${theme.fg("muted", `(${shown}`)}${theme.fg("muted", ")")}`
    : `${title("read")} ${shown}`;
}
