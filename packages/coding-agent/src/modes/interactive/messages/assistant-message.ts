import type { AssistantMessage } from "@earendil-works/pi-ai";
import {
  type Component,
  Container,
  Markdown,
  type MarkdownOptions,
  type MarkdownTheme,
  MouseRegion,
  Spacer,
  Text,
  type TuiMouseEvent,
  type TuiMouseEventResult,
} from "@earendil-works/pi-tui";
import type { MarkdownTransformer } from "../../../core/extensions/types/renderers.js";
import { Drawn } from "../screen/drawn.js";
import { getMarkdownTheme } from "../theme/component-themes.js";
import { currentTheme } from "../theme/current.js";
import { markdownTransform } from "./markdown-transform.js";
import { harmless } from "./plain-text.js";
import { stopText } from "./stop-text.js";

interface Block {
  readonly type: "text" | "thinking";
  readonly text: string;
}

/** An answer of the model: thinking and text; its tool calls have boxes of their own. */
export class AssistantMessageComponent extends Container {
  #message: AssistantMessage | undefined;
  #shown: { block: Block; component: Component }[] = [];
  #stop: string | undefined;
  /** What arrived is laid out when it is drawn: once for many deltas. */
  #isDirty = false;
  #isStreaming = false;
  /** Places of thinking blocks that were clicked: they are shown the other way round. */
  readonly #clicked = new Set<number>();

  constructor(
    message?: AssistantMessage,
    private hideThinking = false,
    private readonly markdownTheme: MarkdownTheme = getMarkdownTheme(),
    private hiddenThinkingLabel = "Thinking...",
    private outputPad = 1,
    private readonly transformers: readonly MarkdownTransformer[] = [],
    private readonly messageId?: string,
    private readonly timestamp?: string,
  ) {
    super();
    if (message) this.updateContent(message);
  }

  /** @param streaming more of it may come: the reason why it ended is not shown */
  updateContent(message: AssistantMessage, streaming = false): void {
    this.#message = message;
    // Transformers are told whether it is whole: what they made of a piece is not what stays.
    if (this.#isStreaming && !streaming && this.transformers.length > 0) this.invalidate();
    this.#isStreaming = streaming;
    this.#isDirty = true;
  }

  override render(width: number): readonly string[] {
    this.#update();
    return super.render(width);
  }

  setHideThinkingBlock(hide: boolean): void {
    this.hideThinking = hide;
    this.#clicked.clear();
    this.#rebuild();
  }

  setHiddenThinkingLabel(label: string): void {
    this.hiddenThinkingLabel = label;
    this.#rebuild();
  }

  setOutputPad(pad: number): void {
    this.outputPad = pad;
    this.#rebuild();
  }

  #rebuild(): void {
    this.#shown = [];
    this.clear();
    this.#stop = undefined;
    this.#isDirty = true;
  }

  #update(): void {
    const message = this.#message;
    if (!message || !this.#isDirty) return;
    this.#isDirty = false;
    const blocks = blocksOf(message);
    const known = this.#shown;
    const isGrown = known.length <= blocks.length && known.every(({ block }, at) => block.type === blocks[at]?.type);
    if (!isGrown) {
      this.#shown = [];
      this.clear();
      this.#stop = undefined;
    }
    for (const [at, block] of blocks.entries()) {
      const before = this.#shown[at];
      if (!before) this.#add(block);
      else if (before.block.text !== block.text) {
        if (before.component instanceof Markdown) before.component.setText(harmless(block.text));
        this.#shown[at] = { block, component: before.component };
      }
    }
    const stop = this.#isStreaming ? undefined : stopText(message);
    if (stop === this.#stop) return;
    this.#stop = stop;
    if (stop === undefined) return;
    this.addChild(new Spacer(1));
    this.addChild(new Drawn((width) => new Text(currentTheme().fg("error", stop), this.outputPad, 0).render(width)));
  }

  #add(block: Block): void {
    const at = this.#shown.length;
    const isHidden = block.type === "thinking" && this.hideThinking !== this.#clicked.has(at);
    const component = this.#component(block, isHidden);
    this.#shown.push({ block, component });
    if (isHidden && this.hiddenThinkingLabel.trim() === "") return;
    this.addChild(new Spacer(1));
    this.addChild(block.type === "text" ? component : new MouseRegion(component, (event) => this.#click(at, event)));
  }

  /** A click shows or hides this run of thinking alone. */
  #click(at: number, { type, button, clickCount }: TuiMouseEvent): TuiMouseEventResult | undefined {
    if (type !== "click" || button !== "left" || clickCount !== 1) return undefined;
    if (!this.#clicked.delete(at)) this.#clicked.add(at);
    this.#rebuild();
    return { handled: true };
  }

  #component({ type, text }: Block, isHidden: boolean): Component {
    if (type === "text") {
      const options = this.#options("assistant");
      return new Markdown(harmless(text), this.outputPad, 0, this.markdownTheme, undefined, options);
    }
    const color = (line: string) => currentTheme().fg("thinkingText", line);
    if (!isHidden) {
      const options = this.#options("assistant-thinking");
      return new Markdown(harmless(text), this.outputPad, 0, this.markdownTheme, { color, italic: true }, options);
    }
    const label = () => currentTheme().italic(color(this.hiddenThinkingLabel));
    return new Drawn((width) => new Text(label(), this.outputPad, 0).render(width));
  }

  #options(messageType: "assistant" | "assistant-thinking"): MarkdownOptions {
    const { messageId, timestamp } = this;
    const message = { messageType, messageId, timestamp };
    const transform = markdownTransform(this.transformers, message, () => this.#isStreaming);
    return transform ? { transform } : {};
  }
}

/** Texts and runs of thinking, without empty ones. */
function blocksOf({ content }: AssistantMessage): Block[] {
  const blocks: Block[] = [];
  for (const part of content) {
    if (part.type !== "text" && part.type !== "thinking") continue;
    const text = (part.type === "text" ? part.text : part.thinking).trim();
    if (text === "") continue;
    const last = blocks.at(-1);
    if (part.type === "thinking" && last?.type === "thinking") {
      blocks[blocks.length - 1] = { type: "thinking", text: `${last.text}\n\n${text}` };
    } else blocks.push({ type: part.type, text });
  }
  return blocks;
}
