import type { Token } from "marked";
import { renderBlock } from "../markdown/blocks.js";
import type { InlineContext, StyleFunction } from "../markdown/inline.js";
import { IncrementalLexer } from "../markdown/lexer.js";
import type { DefaultTextStyle, MarkdownOptions, MarkdownTheme } from "../markdown/types.js";
import { withNewlines } from "../text/escapes.js";
import { visibleWidth } from "../text/width.js";
import type { Component } from "../types.js";

/** Milliseconds without a change after which a text is taken to be whole. */
const SETTLE_MS = 5000;

/** Markdown. While it grows only its last blocks are laid out again. */
export class Markdown implements Component {
  private readonly context: InlineContext;
  private readonly style: StyleFunction;
  private readonly lexer: IncrementalLexer;
  private drawn: { width: number; lines: readonly string[] } | undefined;
  private blocks = new Map<Token, string[]>();
  private blocksWidth = 0;
  /** Set while the text grows: only then is it worth to keep what its blocks became. */
  private growing: NodeJS.Timeout | undefined;

  constructor(
    private text: string,
    private readonly paddingX: number,
    private readonly paddingY: number,
    theme: MarkdownTheme,
    private readonly defaultTextStyle: DefaultTextStyle = {},
    private readonly options: MarkdownOptions = {},
  ) {
    this.context = { theme, options };
    this.style = defaultStyle(defaultTextStyle, theme);
    this.lexer = new IncrementalLexer(options.renderLatex ?? true);
  }

  setText(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.drawn = undefined;
    this.growing ??= setTimeout(() => this.settle(), SETTLE_MS).unref();
    this.growing.refresh();
  }

  invalidate(): void {
    this.drawn = undefined;
    this.blocks.clear();
  }

  render(width: number): readonly string[] {
    if (this.drawn?.width !== width) this.drawn = { width, lines: this.draw(width) };
    return this.drawn.lines;
  }

  /** The text has stopped growing: its lines are all that is needed. */
  private settle(): void {
    this.growing = undefined;
    this.blocks.clear();
    this.lexer.forget();
  }

  private draw(width: number): string[] {
    if (this.text.trim() === "") return [];
    const padding = Math.max(0, Math.min(this.paddingX, Math.floor((width - 1) / 2)));
    const room = Math.max(1, width - 2 * padding);
    const source = this.options.transform?.(this.text, room) ?? this.text;
    const content = this.layOut(
      this.lexer.lex(withNewlines(source).replaceAll("\t", "   "), this.growing !== undefined),
      room,
    );
    const margin = " ".repeat(padding);
    const background = this.defaultTextStyle.bgColor;
    const fill = (line: string) => {
      const full = line + " ".repeat(Math.max(0, width - visibleWidth(line)));
      return background ? background(full) : full;
    };
    const empty = Array.from({ length: this.paddingY }, () => fill(""));
    return [...empty, ...content.map((line) => fill(margin + line)), ...empty];
  }

  private layOut(tokens: readonly Token[], width: number): string[] {
    const known = width === this.blocksWidth ? this.blocks : new Map<Token, string[]>();
    const next = new Map<Token, string[]>();
    const lines: string[] = [];
    for (const token of tokens) {
      const block = known.get(token) ?? renderBlock(token, width, this.style, this.context);
      next.set(token, block);
      if (block.length === 0) continue;
      if (lines.length > 0) lines.push("");
      for (const line of block) lines.push(line);
    }
    if (this.growing) {
      this.blocks = next;
      this.blocksWidth = width;
    }
    return lines;
  }
}

function defaultStyle(style: DefaultTextStyle, theme: MarkdownTheme): StyleFunction {
  const parts: StyleFunction[] = [];
  if (style.color) parts.push(style.color);
  if (style.bold) parts.push(theme.bold);
  if (style.italic) parts.push(theme.italic);
  if (style.strikethrough) parts.push(theme.strikethrough);
  if (style.underline) parts.push(theme.underline);
  return (text) => parts.reduce((styledText, part) => part(styledText), text);
}
