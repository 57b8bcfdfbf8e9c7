type StyleFunction = (text: string) => string;

export interface MarkdownTheme {
  heading: StyleFunction;
  link: StyleFunction;
  linkUrl: StyleFunction;
  code: StyleFunction;
  codeBlock: StyleFunction;
  codeBlockBorder: StyleFunction;
  quote: StyleFunction;
  quoteBorder: StyleFunction;
  hr: StyleFunction;
  listBullet: StyleFunction;
  bold: StyleFunction;
  italic: StyleFunction;
  strikethrough: StyleFunction;
  underline: StyleFunction;
  /** Lines of a code block with colours. */
  highlightCode?: (code: string, lang?: string) => string[];
  /** Default two spaces. */
  codeBlockIndent?: string;
}

/** The style of what has none of its own. */
export interface DefaultTextStyle {
  color?: StyleFunction;
  bgColor?: StyleFunction;
  bold?: boolean;
  italic?: boolean;
  strikethrough?: boolean;
  underline?: boolean;
}

export interface MarkdownOptions {
  /** Numbers as they were written instead of counted. */
  preserveOrderedListMarkers?: boolean;
  /** `\*` stays `\*`. */
  preserveBackslashEscapes?: boolean;
  /** Changes the source before it is read. */
  transform?: (markdown: string, availableWidth: number) => string;
  /** Formulas in Unicode; default true. */
  renderLatex?: boolean;
}
