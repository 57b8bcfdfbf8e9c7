import type { Token, Tokens } from "marked";
import { visibleWidth } from "../text/width.js";
import { wrapTextWithAnsi } from "../text/wrap.js";
import { type InlineContext, renderInline, renderMath, type StyleFunction, styled } from "./inline.js";
import type { MathToken } from "./lexer.js";
import { renderTable } from "./table.js";

const MAX_RULE = 80;
const NESTING = 4;

/** Lines of one block at a width; none for what shows nothing. */
export function renderBlock(token: Token, width: number, style: StyleFunction, context: InlineContext): string[] {
  const { theme } = context;
  const wrap = (text: string) => wrapTextWithAnsi(text, width);
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return wrap(heading(token as Tokens.Heading, context));
    case "paragraph":
    case "text":
      return wrap(renderInline("tokens" in token && token.tokens ? token.tokens : [token], style, context));
    case "code":
      return codeBlock(token as Tokens.Code, width, context);
    case "list":
      return list(token as Tokens.List, width, style, context);
    case "blockquote":
      return quote(token as Tokens.Blockquote, width, context);
    case "hr":
      return [theme.hr("─".repeat(Math.min(width, MAX_RULE)))];
    case "table": {
      const table = token as Tokens.Table;
      const cell = (one: Tokens.TableCell, header: boolean) =>
        renderInline(one.tokens, header ? (text) => theme.bold(style(text)) : style, context);
      return renderTable(table, width, cell) ?? wrap(styled(table.raw.trim(), style));
    }
    case "html": {
      const text = token.raw.replace(/<!--[\s\S]*?-->/g, "").trim();
      return text === "" ? [] : wrap(styled(text, style));
    }
    case "math":
      return wrap(renderMath(token as unknown as MathToken, style));
    default:
      return wrap(styled(token.raw.trimEnd(), style));
  }
}

/** Blocks below each other with an empty line between them. */
export function renderBlocks(
  tokens: readonly Token[],
  width: number,
  style: StyleFunction,
  context: InlineContext,
): string[] {
  const lines: string[] = [];
  for (const token of tokens) {
    const block = renderBlock(token, width, style, context);
    if (block.length === 0) continue;
    if (lines.length > 0) lines.push("");
    lines.push(...block);
  }
  return lines;
}

function heading(token: Tokens.Heading, context: InlineContext): string {
  const { theme } = context;
  const style: StyleFunction =
    token.depth === 1
      ? (text) => theme.underline(theme.bold(theme.heading(text)))
      : (text) => theme.bold(theme.heading(text));
  const prefix = token.depth > 2 ? style(`${"#".repeat(token.depth)} `) : "";
  return prefix + renderInline(token.tokens, style, context);
}

function codeBlock(token: Tokens.Code, width: number, { theme }: InlineContext): string[] {
  const indent = theme.codeBlockIndent ?? "  ";
  const room = width - visibleWidth(indent);
  // Indentation that leaves no room for the code goes.
  const margin = room >= 1 ? indent : "";
  const lang = token.lang?.trim().split(/\s+/, 1)[0];
  const lines = theme.highlightCode
    ? theme.highlightCode(token.text, lang || undefined)
    : token.text.split("\n").map((line) => (line === "" ? "" : theme.codeBlock(line)));
  const body = lines.flatMap((line) =>
    wrapTextWithAnsi(line, width - visibleWidth(margin)).map((part) => margin + part),
  );
  const border = (text: string) => wrapTextWithAnsi(theme.codeBlockBorder(text), width);
  return [...border(`\`\`\`${lang ?? ""}`), ...body, ...border("```")];
}

function quote(token: Tokens.Blockquote, width: number, context: InlineContext): string[] {
  const { theme } = context;
  const style: StyleFunction = (text) => theme.quote(theme.italic(text));
  if (width < 3) return renderBlocks(token.tokens, width, style, context);
  return renderBlocks(token.tokens, width - 2, style, context).map((line) => theme.quoteBorder("│ ") + line);
}

function list(token: Tokens.List, width: number, style: StyleFunction, context: InlineContext): string[] {
  const { theme, options } = context;
  const lines: string[] = [];
  for (const [at, item] of token.items.entries()) {
    const written = /^\s*(\d+[.)])/.exec(item.raw)?.[1];
    const number = options.preserveOrderedListMarkers && written ? written : `${Number(token.start || 1) + at}.`;
    const marker = `${token.ordered ? number : "-"} `;
    const task = item.task ? `[${item.checked ? "x" : " "}] ` : "";
    const indent = Math.min(visibleWidth(marker), Math.max(0, width - 1));
    const [first = "", ...rest] = listItem(item, width, indent, task, style, context);
    // A column that holds only the marker holds no text.
    const prefix = indent === visibleWidth(marker) ? theme.listBullet(marker) : "";
    lines.push(prefix + first, ...rest);
  }
  return lines;
}

function listItem(
  item: Tokens.ListItem,
  width: number,
  indent: number,
  task: string,
  style: StyleFunction,
  context: InlineContext,
): string[] {
  const lines: string[] = [];
  let mark = task;
  for (const token of item.tokens) {
    // Drawn as the mark of the first line.
    if ((token.type as string) === "checkbox") continue;
    if (token.type === "list") {
      const nesting = width > 2 * NESTING ? NESTING : 0;
      const nested = renderBlock(token, Math.max(1, width - nesting), style, context);
      if (lines.length === 0) lines.push("");
      lines.push(...nested.map((line) => " ".repeat(nesting) + line));
      continue;
    }
    const room = Math.max(1, width - indent);
    const block =
      mark !== "" && (token.type === "text" || token.type === "paragraph")
        ? wrapTextWithAnsi(style(mark) + renderInline(token.tokens ?? [token], style, context), room)
        : renderBlock(token, room, style, context);
    mark = "";
    for (const line of block) lines.push(lines.length === 0 ? line : " ".repeat(indent) + line);
  }
  return lines;
}
