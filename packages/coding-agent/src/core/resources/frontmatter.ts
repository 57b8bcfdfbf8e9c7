/** YAML before a Markdown text. Source: extensions.md section 9.2. */
import { createRequire } from "node:module";
import type * as Yaml from "yaml";

export interface ParsedFrontmatter {
  /** Empty when there is none, or when it is no mapping. */
  frontmatter: Record<string, unknown>;
  /** The text behind it; line ends are `\n`. */
  body: string;
}

const FENCED = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/;
/** What nearly all texts have: words on one line, plain or in quotes without escapes. Anything else is for the parser. */
const SIMPLE_LINE = /^([A-Za-z][\w-]*):[ ]+(?:"([^"\\]*)"|'([^']*)'|([A-Za-z/](?:[^:#]|:(?!\s|$)|(?<!\s)#)*))$/;
/** Plain words that YAML reads as something else. */
const OTHER_VALUES: Readonly<Record<string, unknown>> = { true: true, false: false };
const AMBIGUOUS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/**
 * Splits a text that may begin with `---`, YAML and `---`. A byte order mark is dropped.
 *
 * @throws the YAML parser's error
 */
export function parseFrontmatter(text: string): ParsedFrontmatter {
  const normal = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const fenced = FENCED.exec(normal);
  if (!fenced) return { frontmatter: {}, body: normal };
  const yaml = fenced[1] ?? "";
  return { frontmatter: parseSimply(yaml) ?? parseWithLibrary(yaml), body: normal.slice(fenced[0].length) };
}

/** The text without what `parseFrontmatter` splits off. */
export function stripFrontmatter(text: string): string {
  return parseFrontmatter(text).body;
}

/** Undefined for what is not simple. */
function parseSimply(yaml: string): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  for (const line of yaml.split("\n")) {
    if (line.trim() === "") continue;
    const match = SIMPLE_LINE.exec(line.trimEnd());
    const key = match?.[1];
    if (!match || key === undefined || Object.hasOwn(values, key) || AMBIGUOUS.test(key)) return undefined;
    const quoted = match[2] ?? match[3];
    const plain = match[4] ?? "";
    if (quoted !== undefined) values[key] = quoted;
    else if (Object.hasOwn(OTHER_VALUES, plain)) values[key] = OTHER_VALUES[plain];
    else if (AMBIGUOUS.test(plain)) return undefined;
    else values[key] = plain;
  }
  return values;
}

/** Loaded when first needed, at once because callers cannot wait: it takes longer than all the rest of a start. */
function parseWithLibrary(yaml: string): Record<string, unknown> {
  const { parse } = createRequire(import.meta.url)("yaml") as typeof Yaml;
  const value: unknown = parse(yaml, { prettyErrors: true, logLevel: "error" });
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
