import { Box, Markdown, type MarkdownTheme, Text } from "@earendil-works/pi-tui";
import type { MarkdownTransformer } from "../../../core/extensions/types/renderers.js";
import { keyText } from "../keys/key-hints.js";
import { Drawn } from "../screen/drawn.js";
import { getMarkdownTheme } from "../theme/component-themes.js";
import { currentTheme } from "../theme/current.js";
import { markdownTransform, type TransformedMessage } from "./markdown-transform.js";
import { harmless } from "./plain-text.js";

/** A message that is one line until somebody wants to read it: summaries and skills. */
export abstract class FoldableMessage extends Box {
  #expanded = false;

  protected constructor(
    private readonly label: string,
    private readonly short: string,
    private readonly full: string,
    private readonly markdownTheme: MarkdownTheme = getMarkdownTheme(),
    outputPad = 1,
    private readonly transformers: readonly MarkdownTransformer[] = [],
    private readonly message: TransformedMessage = { messageType: "summary" },
  ) {
    super(outputPad, 1, (text) => currentTheme().bg("customMessageBg", text));
    this.#build();
  }

  setExpanded(expanded: boolean): void {
    if (expanded === this.#expanded) return;
    this.#expanded = expanded;
    this.#build();
  }

  setOutputPad(pad: number): void {
    this.setPaddingX(pad);
  }

  #build(): void {
    this.clear();
    this.addChild(new Drawn((width) => new Text(this.#headLine(), 0, 0).render(width)));
    if (!this.#expanded) return;
    const color = (text: string) => currentTheme().fg("customMessageText", text);
    const transform = markdownTransform(this.transformers, this.message);
    const text = `\n${harmless(this.full)}`;
    this.addChild(new Markdown(text, 0, 0, this.markdownTheme, { color }, { ...(transform && { transform }) }));
  }

  #headLine(): string {
    const theme = currentTheme();
    const label = theme.fg("customMessageLabel", theme.bold(`[${this.label}]`));
    const hint = this.#expanded ? "" : theme.fg("dim", ` (${keyText("app.tools.expand")} to expand)`);
    return `${label} ${theme.fg("customMessageText", this.short)}${hint}`;
  }
}
