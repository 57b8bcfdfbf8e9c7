import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { code } from "./code.js";
import { append, type Child, element } from "./dom.js";
import { inlinePicture, safeLink } from "./links.js";

/** More is shown as it is: nobody reads that much formatted, and the page stays quick. */
const MAX_FORMATTED = 200_000;
/** Nesting of quotes and lists that is followed; what is deeper shows as text. */
const MAX_DEPTH = 40;

/** Markdown as elements. HTML in it is shown as it was written. */
export function markdown(source: string): HTMLElement {
  const shown = element("div", "markdown");
  append(shown, source.length > MAX_FORMATTED ? [element("div", "raw", source)] : parsed(source));
  return shown;
}

function parsed(source: string): Child[] {
  try {
    return render(lexer(source), 0);
  } catch {
    // Texts can be nested deeper than the parser can follow.
    return [element("div", "raw", source)];
  }
}

function render(tokens: readonly Token[] | undefined, depth: number): Child[] {
  if (depth > MAX_DEPTH) return (tokens ?? []).map(({ raw }) => raw);
  return (tokens ?? []).flatMap((token) => renderToken(token as MarkedToken, depth + 1));
}

function renderToken(token: MarkedToken, depth: number): Child[] {
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return [element(headings[token.depth - 1] ?? "h6", "", ...render(token.tokens, depth))];
    case "paragraph":
      return [element("p", "", ...render(token.tokens, depth))];
    case "text":
      return token.tokens ? render(token.tokens, depth) : [withCharacters(token.text)];
    case "escape":
      return [token.text];
    case "html":
      return [element("span", "raw", token.text)];
    case "strong":
    case "em":
    case "del":
      return [element(token.type, "", ...render(token.tokens, depth))];
    case "codespan":
      return [element("code", "", token.text)];
    case "code":
      return [element("pre", "", code(token.text, token.lang?.match(/\S+/)?.[0] ?? ""))];
    case "blockquote":
      return [element("blockquote", "", ...render(token.tokens, depth))];
    case "list":
      return [listElement(token, depth)];
    case "list_item":
      return [element("li", "", ...render(token.tokens, depth))];
    case "checkbox":
      return [token.checked ? "\u2611 " : "\u2610 "];
    case "table":
      return [tableElement(token, depth)];
    case "link":
      return [linkElement(token, depth)];
    case "image":
      return [imageElement(token)];
    case "br":
      return [element("br")];
    case "hr":
      return [element("hr")];
    default:
      return [(token as Token).raw];
  }
}

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;

function listElement({ ordered, start, items }: Tokens.List, depth: number): HTMLElement {
  const rendered = items.map((item) => element("li", "", ...render(item.tokens, depth)));
  if (!ordered) return element("ul", "", ...rendered);
  const shown = element("ol", "", ...rendered);
  if (typeof start === "number") shown.start = start;
  return shown;
}

function tableElement({ header, rows }: Tokens.Table, depth: number): HTMLElement {
  const row = (tag: "th" | "td", cells: readonly Tokens.TableCell[]) =>
    element("tr", "", ...cells.map((cell) => element(tag, "", ...render(cell.tokens, depth))));
  return element("table", "", row("th", header), ...rows.map((cells) => row("td", cells)));
}

function linkElement({ href, tokens, raw }: Tokens.Link, depth: number): Child {
  const address = safeLink(withCharacters(href));
  if (address === undefined) return raw;
  const link = element("a", "", ...render(tokens, depth));
  link.href = address;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  return link;
}

/** Pictures from elsewhere would tell somebody that the page is read: they become links. */
function imageElement({ href, text, raw }: Tokens.Image): Child {
  const inline = inlinePicture(href);
  if (inline !== undefined) {
    const image = element("img", "picture");
    image.src = inline;
    image.alt = text;
    return image;
  }
  const address = safeLink(withCharacters(href));
  if (address === undefined) return raw;
  const link = element("a", "", `[image: ${text || address}]`);
  link.href = address;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  return link;
}

const named = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", "\u00a0"],
]);

/** Characters that were written as entities, as Markdown has them; the others stay as they were written. */
function withCharacters(source: string): string {
  return source.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,4}));/g, (entity, decimal, hex, name) => {
    if (name !== undefined) return named.get(name) ?? entity;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : entity;
  });
}
