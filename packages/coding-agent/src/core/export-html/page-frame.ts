/** The page round the data: template, style and script in one file. */
import { createHash } from "node:crypto";
import colours from "./page/colours.css?raw";
import content from "./page/content.css?raw";
import entries from "./page/entries.css?raw";
import layout from "./page/layout.css?raw";
import script from "./page/main.ts?browser";
import template from "./page/page.html?raw";

const style = [colours, layout, entries, content].join("\n");

/** What comes before and behind the base64 of the session. */
export interface PageFrame {
  before: string;
  after: string;
}

/**
 * @param title plain text
 */
export function pageFrame(title: string): PageFrame {
  const parts = new Map([
    ["policy", policy()],
    ["title", escapeHtml(title)],
    ["style", style],
    ["script", script],
  ]);
  const [before = "", after = ""] = template.split("{{data}}");
  // A function as replacement: `$&` in a part means nothing.
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => parts.get(name) ?? "");
  return { before: fill(before), after: fill(after) };
}

/**
 * Nothing is loaded from anywhere, and only the page's own script and style count, known by their hashes. Markup that
 * is made from text is refused by the browser as well.
 */
function policy(): string {
  return [
    "default-src 'none'",
    `script-src '${hash(script)}'`,
    `style-src '${hash(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
