import { Container, Text } from "@earendil-works/pi-tui";
import type { Theme } from "../../../core/extensions/types/theme.js";
import { pathArgument, textArgument } from "./paths.js";
import { firstLines, resultText } from "./result-text.js";
import { truncationNote } from "./truncation-note.js";
import type { ToolRenderContext, ToolRenderers } from "./types.js";

type Args = Record<string, unknown> | undefined;
type Call = (args: NonNullable<Args>, theme: Theme, context: ToolRenderContext) => string;

const GREP_LINES = 15;
const LIST_LINES = 20;

function renderers(name: string, max: number, rest: Call): ToolRenderers {
  return {
    renderCall: (args: Args, theme, context) =>
      new Text(`${theme.fg("toolTitle", theme.bold(name))} ${rest(args ?? {}, theme, context)}`, 0, 0),
    renderResult: (result, _options, theme, context) => {
      const note = truncationNote(result.details, theme);
      const text = resultText(result);
      const box = new Container();
      box.addChild(firstLines(note === "" ? text : withoutNotices(text), max, context, theme));
      if (note !== "") box.addChild(new Text(note.trimStart(), 0, 0));
      return box;
    },
  };
}

/** The notices that the model reads stand at the end, in brackets. */
function withoutNotices(text: string): string {
  return text.replace(/\n+\[[^\n]*\]$/, "");
}

const place: Call = (args, theme, { cwd }) =>
  `${theme.fg("toolOutput", "in ")}${pathArgument(args["path"] ?? ".", theme, cwd)}`;

const limit = (args: NonNullable<Args>, theme: Theme) =>
  typeof args["limit"] === "number" ? theme.fg("toolOutput", ` limit ${args["limit"]}`) : "";

export const grepRenderers = renderers("grep", GREP_LINES, (args, theme, context) => {
  const glob = typeof args["glob"] === "string" ? theme.fg("toolOutput", ` (${args["glob"]})`) : "";
  const pattern = theme.fg("accent", `/${textArgument(args["pattern"], theme)}/`);
  return `${pattern} ${place(args, theme, context)}${glob}${limit(args, theme)}`;
});

export const findRenderers = renderers("find", LIST_LINES, (args, theme, context) => {
  const pattern = theme.fg("accent", textArgument(args["pattern"], theme));
  return `${pattern} ${place(args, theme, context)}${limit(args, theme)}`;
});

export const lsRenderers = renderers("ls", LIST_LINES, (args, theme, { cwd }) => {
  return pathArgument(args["path"] ?? ".", theme, cwd) + limit(args, theme);
});
