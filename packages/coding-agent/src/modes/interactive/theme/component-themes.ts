import type { EditorTheme, MarkdownTheme, SelectListTheme, SettingsListTheme } from "@earendil-works/pi-tui";
import type { ThemeColor } from "../../../core/themes/tokens.js";
import { currentTheme } from "./current.js";
import { highlightCode } from "./highlight.js";

/** Asks for the theme at each use: what was made with an earlier one draws with the new one. */
const color = (token: ThemeColor) => (text: string) => currentTheme().fg(token, text);

let codeBlockIndent = "  ";

/** How Markdown looks in the theme in force. */
export function getMarkdownTheme(): MarkdownTheme {
  return {
    heading: color("mdHeading"),
    link: color("mdLink"),
    linkUrl: color("mdLinkUrl"),
    code: color("mdCode"),
    codeBlock: color("mdCodeBlock"),
    codeBlockBorder: color("mdCodeBlockBorder"),
    quote: color("mdQuote"),
    quoteBorder: color("mdQuoteBorder"),
    hr: color("mdHr"),
    listBullet: color("mdListBullet"),
    bold: (text) => currentTheme().bold(text),
    italic: (text) => currentTheme().italic(text),
    strikethrough: (text) => currentTheme().strikethrough(text),
    underline: (text) => currentTheme().underline(text),
    highlightCode,
    codeBlockIndent,
  };
}

/** What stands before each line of a code block. */
export function setCodeBlockIndent(indent: string): void {
  codeBlockIndent = indent;
}

export function getSelectListTheme(): SelectListTheme {
  return {
    selectedPrefix: color("accent"),
    selectedText: (text) => currentTheme().style(text, { fg: "accent", bold: true }),
    description: color("muted"),
    scrollInfo: color("muted"),
    noMatch: color("muted"),
  };
}

export function getSettingsListTheme(): SettingsListTheme {
  return {
    label: (text, selected) => (selected ? currentTheme().style(text, { fg: "accent", bold: true }) : text),
    value: (text, selected) => currentTheme().fg(selected ? "accent" : "muted", text),
    description: color("dim"),
    cursor: "→ ",
    hint: color("dim"),
  };
}

export function getEditorTheme(): EditorTheme {
  return { borderColor: color("borderMuted"), selectList: getSelectListTheme() };
}
