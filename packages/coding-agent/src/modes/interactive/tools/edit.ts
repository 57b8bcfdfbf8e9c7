import { Container, Text } from "@earendil-works/pi-tui";
import type { Theme } from "../../../core/extensions/types/theme.js";
import type { EditToolDetails } from "../../../core/tools/edit.js";
import { unhidden } from "../messages/plain-text.js";
import { Drawn } from "../screen/drawn.js";
import { pathArgument } from "./paths.js";
import { renderDiff } from "./render-diff.js";
import { firstLines, resultText } from "./result-text.js";
import type { ToolRenderContext, ToolRenderers } from "./types.js";

const MAX_ERROR_LINES = 10;

interface EditState {
  /** The change as it would be made, while it has not been. */
  preview?: string | undefined;
  isAsked?: boolean;
}

/** The whole change, before it is made and after. It draws its own frame: a diff is wide. */
export const editRenderers: ToolRenderers = {
  renderShell: "self",
  renderCall: (args: Record<string, unknown> | undefined, theme, context) => {
    askForPreview(args, context);
    const { preview } = context.state as EditState;
    const box = new Container();
    box.addChild(new Text(headLine(args, theme, context), context.outputPad, 0));
    const isDone = !context.isPartial;
    if (preview !== undefined && !isDone) box.addChild(diffComponent(preview, context));
    return box;
  },
  renderResult: (result, _options, theme, context) => {
    const { diff } = (result.details as EditToolDetails | undefined) ?? {};
    if (diff !== undefined && !context.isError) return diffComponent(diff, context);
    if (context.isPartial) return new Text("", 0, 0);
    const text = firstLines(resultText(result), MAX_ERROR_LINES, context, theme);
    return new Drawn((width) => {
      const pad = " ".repeat(context.outputPad);
      return text.render(Math.max(1, width - 2 * context.outputPad)).map((line) => pad + line);
    });
  },
};

function headLine(args: Record<string, unknown> | undefined, theme: Theme, context: ToolRenderContext): string {
  const token = context.isError ? "error" : context.isPartial ? "toolTitle" : "success";
  const title = theme.fg(token, theme.bold("edit"));
  return `${title} ${pathArgument(args?.["path"], theme, context.cwd)}`;
}

function diffComponent(diff: string, { outputPad }: ToolRenderContext) {
  return new Drawn((width) => new Text(renderDiff(unhidden(diff)), outputPad, 0).render(width));
}

/** Finds out once what the edits would change. Edits that cannot be made are refused soon anyway. */
function askForPreview(args: Record<string, unknown> | undefined, context: ToolRenderContext): void {
  const state = context.state as EditState;
  if (state.isAsked || !context.argsComplete || !context.isPartial) return;
  state.isAsked = true;
  void import("./edit-preview.js")
    .then(({ previewEdit }) => previewEdit(args, context.cwd))
    .then((preview) => {
      state.preview = preview;
      context.invalidate();
    })
    .catch(() => undefined);
}
