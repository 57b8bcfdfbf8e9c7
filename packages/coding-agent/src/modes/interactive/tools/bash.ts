import { Container, Text } from "@earendil-works/pi-tui";
import type { Theme } from "../../../core/extensions/types/theme.js";
import type { BashToolDetails } from "../../../core/tools/bash/details.js";
import { Drawn } from "../screen/drawn.js";
import { durationText } from "./duration.js";
import { textArgument } from "./paths.js";
import { moreHint, outputText } from "./result-text.js";
import { truncationNote } from "./truncation-note.js";
import type { ToolRenderContext, ToolRenderers } from "./types.js";
import { shortened } from "./visual-lines.js";

const MAX_ROWS = 5;
const TICK_MS = 1000;

interface BashState {
  startedAt?: number;
  tick?: NodeJS.Timeout | undefined;
}

/** Status lines that the tool adds for the model, which the box says in its own way. */
const NOTES = /\n*\[(?:Showing|Output truncated|Full output)[^\n]*\]$/;

export const bashRenderers: ToolRenderers = {
  renderCall: (args: Record<string, unknown> | undefined, theme, context) => {
    followTime(context);
    const command = textArgument(args?.["command"], theme);
    const timeout = typeof args?.["timeout"] === "number" ? theme.fg("muted", ` (timeout ${args["timeout"]}s)`) : "";
    return new Text(theme.fg("toolTitle", theme.bold(`$ ${command}`)) + timeout, 0, 0);
  },
  renderResult: (result, { isPartial }, theme, context) => {
    const box = new Container();
    const details = result.details as BashToolDetails | undefined;
    const text = details?.truncation ? outputText(result).replace(NOTES, "") : outputText(result);
    const lines = text
      .split("\n")
      .map((line) => theme.fg("toolOutput", line))
      .join("\n");
    if (text !== "") {
      const note = (skipped: number) => moreHint(`${skipped} earlier line${skipped === 1 ? "" : "s"}`, context, theme);
      box.addChild(context.expanded ? new Text(lines, 0, 0) : shortened(lines, MAX_ROWS, "end", note));
    }
    const left = truncationNote(details, theme).trimStart();
    if (left !== "") box.addChild(new Text(left, 0, 0));
    box.addChild(timeLine(isPartial, theme, context));
    return box;
  },
};

/** Draws again every second while the command runs. */
function followTime(context: ToolRenderContext): void {
  const state = context.state as BashState;
  const isRunning = context.executionStarted && context.isPartial;
  if (isRunning && !state.tick) {
    state.startedAt ??= Date.now();
    state.tick = setInterval(() => context.invalidate(), TICK_MS);
    state.tick.unref();
  } else if (!isRunning && state.tick) {
    clearInterval(state.tick);
    state.tick = undefined;
  }
}

function timeLine(isPartial: boolean, theme: Theme, { state, durationMs }: ToolRenderContext) {
  const { startedAt } = state as BashState;
  if (isPartial) {
    return new Drawn(() => {
      if (startedAt === undefined) return [];
      return [theme.fg("muted", `Elapsed ${durationText(Date.now() - startedAt)}`)];
    });
  }
  return new Text(durationMs === undefined ? "" : theme.fg("muted", `Took ${durationText(durationMs)}`), 0, 0);
}
