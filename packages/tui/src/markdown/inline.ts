import type { Token, Tokens } from "marked";
import { getCapabilities } from "../terminal/capabilities.js";
import { hyperlink } from "../text/links.js";
import { renderLatex } from "./latex.js";
import type { MathToken } from "./lexer.js";
import type { MarkdownOptions, MarkdownTheme } from "./types.js";

export type StyleFunction = (text: string) => string;

/** Styles text line by line and in one piece, so that no style of the inside ends one of the outside. */
export function styled(text: string, style: StyleFunction): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : style(line)))
    .join("\n");
}

export interface InlineContext {
  readonly theme: MarkdownTheme;
  readonly options: MarkdownOptions;
}

/** Inline Markdown as styled text; `style` is what surrounds it. */
export function renderInline(tokens: readonly Token[], style: StyleFunction, context: InlineContext): string {
  return tokens.map((token) => renderToken(token as Tokens.Generic & Token, style, context)).join("");
}

function renderToken(token: Token, style: StyleFunction, context: InlineContext): string {
  const { theme, options } = context;
  const inner = (added: StyleFunction) =>
    renderInline("tokens" in token ? (token.tokens ?? []) : [], (text) => style(added(text)), context);
  switch (token.type) {
    case "text":
      return "tokens" in token && token.tokens
        ? renderInline(token.tokens, style, context)
        : styled(unescapeHtml(token["text"]), style);
    case "escape":
      return styled(options.preserveBackslashEscapes ? token.raw : token["text"], style);
    case "strong":
      return inner(theme.bold);
    case "em":
      return inner(theme.italic);
    case "del":
      // One tilde is an approximate number, not a deletion.
      return token.raw.startsWith("~~") ? inner(theme.strikethrough) : styled(token.raw, style);
    case "codespan":
      return styled(token["text"], (text) => style(theme.code(text)));
    case "br":
      return "\n";
    case "link":
      return renderLink(token as Tokens.Link, style, context);
    case "image":
      return styled(token["text"] || "image", style);
    case "html":
      return styled(token.raw.replace(/<!--[\s\S]*?-->/g, ""), style);
    case "math":
      return renderMath(token as unknown as MathToken, style);
    default:
      return styled(token.raw, style);
  }
}

function renderLink(token: Tokens.Link, style: StyleFunction, context: InlineContext): string {
  const { theme } = context;
  const text = renderInline(token.tokens, (part) => style(theme.underline(theme.link(part))), context);
  if (getCapabilities().hyperlinks) return hyperlink(text, token.href);
  const address = token.href.replace(/^mailto:/, "");
  return token.text === token.href || token.text === address ? text : text + theme.linkUrl(` (${token.href})`);
}

/** A formula; what cannot be shown stays as it was written. */
export function renderMath(token: MathToken, style: StyleFunction): string {
  return styled(renderLatex(token.source, { display: token.display }) ?? token.raw.trim(), style);
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

function unescapeHtml(text: string): string {
  return text.includes("&") ? text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name) => entities[name] ?? "") : text;
}
