import { Box, Container, Markdown, type MarkdownTheme, Spacer } from "@earendil-works/pi-tui";
import { getMarkdownTheme } from "../theme/component-themes.js";
import { currentTheme } from "../theme/current.js";
import { PromptMarks } from "./marked-rows.js";
import { harmless } from "./plain-text.js";

/** What the user said. */
export class UserMessageComponent extends Container {
  readonly #box: Box;

  constructor(text: string, markdownTheme: MarkdownTheme = getMarkdownTheme(), outputPad = 1) {
    super();
    this.#box = new Box(outputPad, 1, (line) => currentTheme().bg("userMessageBg", line));
    const color = (line: string) => currentTheme().fg("userMessageText", line);
    const options = { preserveOrderedListMarkers: true, preserveBackslashEscapes: true, renderLatex: false };
    this.#box.addChild(new Markdown(harmless(text), 0, 0, markdownTheme, { color }, options));
    this.addChild(new Spacer(1));
    this.addChild(new PromptMarks(this.#box));
  }

  setOutputPad(pad: number): void {
    this.#box.setPaddingX(pad);
  }
}
