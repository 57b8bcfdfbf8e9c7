import type { ThemeColor } from "../../../core/themes/tokens.js";
import { currentTheme } from "./current.js";

interface Highlighter {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

/** Longer code is shown without colours: finding them takes longer than anybody waits. */
const MAX_HIGHLIGHTED = 60_000;

let loaded: Highlighter | undefined;
let loading: Promise<void> | undefined;

/** Loads the languages, once. Until then code has one colour. */
export function loadHighlighter(): Promise<void> {
  // Not as one literal: the package's types ask for those of browsers, which this program must not see.
  const highlighter: Promise<{ default: Highlighter }> = import("highlight.js" + "/lib/common");
  loading ??= highlighter.then((module) => {
    loaded = module.default;
  });
  return loading;
}

export function isHighlighterLoaded(): boolean {
  return loaded !== undefined;
}

/** Lines of code in colours; in one colour for an unknown language. */
export function highlightCode(code: string, lang?: string): string[] {
  const theme = currentTheme();
  const plain = () => code.split("\n").map((line) => theme.fg("mdCodeBlock", line));
  if (!loaded || lang === undefined || code.length > MAX_HIGHLIGHTED || !loaded.getLanguage(lang)) return plain();
  try {
    return colored(loaded.highlight(code, { language: lang, ignoreIllegals: true }).value);
  } catch {
    // A grammar that cannot cope with this text: it is shown all the same.
    return plain();
  }
}

const TOKEN = /<span class="([\w -]*)">|<\/span>|&(amp|lt|gt|quot|#x27);|\n/g;
const CHARACTERS: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** The highlighter writes spans and five entities; they become colours, each opened anew on every line. */
function colored(markup: string): string[] {
  const theme = currentTheme();
  const lines: string[] = [];
  const open: (ThemeColor | undefined)[] = [];
  let line = "";
  let text = "";
  const flush = () => {
    const token = open.findLast((one) => one !== undefined);
    if (text !== "") line += token === undefined ? text : theme.fg(token, text);
    text = "";
  };
  let from = 0;
  for (const match of markup.matchAll(TOKEN)) {
    const [whole, classes, entity] = match;
    text += markup.slice(from, match.index);
    from = match.index + whole.length;
    if (entity !== undefined) {
      text += CHARACTERS[entity] ?? "";
      continue;
    }
    flush();
    if (whole === "\n") {
      lines.push(line);
      line = "";
    } else if (classes === undefined) open.pop();
    else open.push(tokenOf(classes));
  }
  text += markup.slice(from);
  flush();
  lines.push(line);
  return lines;
}

const BY_CLASS: Record<string, ThemeColor> = {
  comment: "syntaxComment",
  quote: "syntaxComment",
  meta: "syntaxComment",
  keyword: "syntaxKeyword",
  literal: "syntaxKeyword",
  "selector-tag": "syntaxKeyword",
  name: "syntaxKeyword",
  section: "syntaxKeyword",
  title: "syntaxFunction",
  function_: "syntaxFunction",
  variable: "syntaxVariable",
  attr: "syntaxVariable",
  property: "syntaxVariable",
  params: "syntaxVariable",
  string: "syntaxString",
  regexp: "syntaxString",
  addition: "toolDiffAdded",
  deletion: "toolDiffRemoved",
  number: "syntaxNumber",
  symbol: "syntaxNumber",
  type: "syntaxType",
  class_: "syntaxType",
  built_in: "syntaxType",
  attribute: "syntaxType",
  operator: "syntaxOperator",
  punctuation: "syntaxPunctuation",
};

function tokenOf(classes: string): ThemeColor | undefined {
  for (const name of classes.split(" ").toReversed()) {
    const token = BY_CLASS[name.replace(/^hljs-/, "")];
    if (token) return token;
  }
  return undefined;
}

const BY_FILE_NAME: Record<string, string> = { makefile: "makefile", dockerfile: "bash", ".bashrc": "bash" };
const BY_ENDING: Record<string, string> = {
  ...{ js: "javascript", mjs: "javascript", cjs: "javascript", jsx: "javascript" },
  ...{ ts: "typescript", mts: "typescript", cts: "typescript", tsx: "typescript" },
  ...{ py: "python", rb: "ruby", rs: "rust", go: "go", java: "java", kt: "kotlin", swift: "swift", cs: "csharp" },
  ...{ c: "c", h: "c", cc: "cpp", cpp: "cpp", hpp: "cpp", m: "objectivec", php: "php", pl: "perl", lua: "lua" },
  ...{ r: "r", sh: "bash", bash: "bash", zsh: "bash", sql: "sql", json: "json", yml: "yaml", yaml: "yaml" },
  ...{ toml: "ini", ini: "ini", xml: "xml", html: "xml", svg: "xml", css: "css", scss: "scss", less: "less" },
  ...{ md: "markdown", markdown: "markdown", diff: "diff", patch: "diff", graphql: "graphql", vb: "vbnet" },
};

/** Language of a file by its name; undefined for one that is not known. */
export function getLanguageFromPath(path: string): string | undefined {
  const name = (path.split(/[/\\]/).at(-1) ?? "").toLowerCase();
  const ending = name.includes(".") ? (name.split(".").at(-1) ?? "") : "";
  return BY_FILE_NAME[name] ?? BY_ENDING[ending];
}
