import { type Component, Text } from "@earendil-works/pi-tui";
import type { Theme } from "../../../core/extensions/types/theme.js";
import { harmless, harmlessOutput, textOf } from "../messages/plain-text.js";
import type { RenderedResult, ToolRenderContext } from "./types.js";

/** What a tool said, without what could steer the terminal. */
export function resultText(result: RenderedResult): string {
  return harmless(textOf(result.content)).replace(/\s+$/, "");
}

/** What a command wrote, likewise. */
export function outputText(result: RenderedResult): string {
  return harmlessOutput(textOf(result.content)).replace(/\s+$/, "");
}

export function moreHint(count: string, context: ToolRenderContext, theme: Theme): string {
  const key = context.keyText("app.tools.expand");
  return `${theme.fg("muted", `... (${count}${key === "" ? "" : `, ${key} to expand`})`)}`;
}

/** The first lines of a text, and how many more there are. */
export function firstLines(
  text: string,
  max: number,
  context: ToolRenderContext,
  theme: Theme,
  color: (line: string) => string = (line) => theme.fg(context.isError ? "error" : "toolOutput", line),
): Component {
  if (text === "") return new Text("", 0, 0);
  const lines = text.split("\n");
  const shown = context.expanded ? lines : lines.slice(0, max);
  const rest = lines.length - shown.length;
  const drawn = shown.map(color);
  if (rest > 0) drawn.push(moreHint(`${rest} more line${rest === 1 ? "" : "s"}`, context, theme));
  return new Text(drawn.join("\n"), 0, 0);
}
