import { Box, Container, Markdown, type MarkdownTheme, Spacer } from "@earendil-works/pi-tui";
import type { MarkdownTransformer } from "../../../core/extensions/types/renderers.js";
import { getMarkdownTheme } from "../theme/component-themes.js";
import { currentTheme } from "../theme/current.js";
import { markdownTransform } from "./markdown-transform.js";
import { PromptMarks } from "./marked-rows.js";
import { harmless } from "./plain-text.js";

/** What the user said. */
export class UserMessageComponent extends Container {
  readonly #box: Box;

  constructor(
    text: string,
    markdownTheme: MarkdownTheme = getMarkdownTheme(),
    outputPad = 1,
    transformers: readonly MarkdownTransformer[] = [],
    messageId?: string,
    timestamp?: string,
  ) {
    super();
    this.#box = new Box(outputPad, 1, (line) => currentTheme().bg("userMessageBg", line));
    const color = (line: string) => currentTheme().fg("userMessageText", line);
    const transform = markdownTransform(transformers, { messageType: "user", messageId, timestamp });
    const options = {
      preserveOrderedListMarkers: true,
      preserveBackslashEscapes: true,
      renderLatex: false,
      ...(transform && { transform }),
    };
    this.#box.addChild(new Markdown(harmless(text), 0, 0, markdownTheme, { color }, options));
    this.addChild(new Spacer(1));
    this.addChild(new PromptMarks(this.#box));
  }

  setOutputPad(pad: number): void {
    this.#box.setPaddingX(pad);
  }
}
