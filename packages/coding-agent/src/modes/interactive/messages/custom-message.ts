import { Box, type Component, Container, Markdown, type MarkdownTheme, Spacer, Text } from "@earendil-works/pi-tui";
import { givenComponent } from "../../../core/extensions/running/given.js";
import type { MarkdownTransformer } from "../../../core/extensions/types/renderers.js";
import type { CustomMessage } from "../../../core/messages.js";
import { Drawn } from "../screen/drawn.js";
import { getMarkdownTheme } from "../theme/component-themes.js";
import { currentTheme } from "../theme/current.js";
import { markdownTransform } from "./markdown-transform.js";
import { harmless, textOf } from "./plain-text.js";

/** Draws a message of an extension its own way; undefined leaves it to the usual way. */
export type CustomMessageRenderer = (message: CustomMessage, expanded: boolean) => Component | undefined;

/** A message of an extension. */
export class CustomMessageComponent extends Container {
  #expanded = false;

  constructor(
    private readonly message: CustomMessage,
    private readonly renderer?: CustomMessageRenderer,
    private readonly markdownTheme: MarkdownTheme = getMarkdownTheme(),
    private outputPad = 1,
    private readonly transformers: readonly MarkdownTransformer[] = [],
    private readonly messageId?: string,
    private readonly timestamp?: string,
  ) {
    super();
    this.#build();
  }

  setExpanded(expanded: boolean): void {
    this.#expanded = expanded;
    this.#build();
  }

  setOutputPad(pad: number): void {
    this.outputPad = pad;
    this.#build();
  }

  #build(): void {
    this.clear();
    this.addChild(new Spacer(1));
    this.addChild(this.#own() ?? this.#usual());
  }

  #own(): Component | undefined {
    try {
      const own = this.renderer?.(this.message, this.#expanded);
      return own && givenComponent(own, "What a renderer gave");
    } catch {
      // The message is worth more than its looks.
      return undefined;
    }
  }

  #usual(): Component {
    const box = new Box(this.outputPad, 1, (text) => currentTheme().bg("customMessageBg", text));
    const label = () => {
      const theme = currentTheme();
      return theme.fg("customMessageLabel", theme.bold(`[${this.message.customType}]`));
    };
    const color = (text: string) => currentTheme().fg("customMessageText", text);
    box.addChild(new Drawn((width) => new Text(label(), 0, 0).render(width)));
    const { messageId, timestamp } = this;
    const transform = markdownTransform(this.transformers, { messageType: "custom", messageId, timestamp });
    const text = `\n${harmless(textOf(this.message.content))}`;
    box.addChild(new Markdown(text, 0, 0, this.markdownTheme, { color }, { ...(transform && { transform }) }));
    return box;
  }
}
