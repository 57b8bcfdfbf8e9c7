import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { renderLatex } from "../markdown/latex.js";
import type { MarkdownTheme } from "../markdown/types.js";
import { resetCapabilitiesCache, setCapabilities } from "../terminal/capabilities.js";
import { visibleWidth } from "../text/width.js";
import { Markdown } from "./markdown.js";

beforeEach(() => setCapabilities({ images: null, trueColor: true, hyperlinks: false }));
afterEach(resetCapabilitiesCache);

const tag = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
const plain = (text: string) => text;
const theme: MarkdownTheme = {
  heading: plain,
  link: plain,
  linkUrl: plain,
  code: tag("code"),
  codeBlock: plain,
  codeBlockBorder: plain,
  quote: plain,
  quoteBorder: plain,
  hr: plain,
  listBullet: plain,
  bold: tag("b"),
  italic: tag("i"),
  strikethrough: tag("s"),
  underline: tag("u"),
};
const unstyled: MarkdownTheme = {
  ...theme,
  code: plain,
  bold: plain,
  italic: plain,
  strikethrough: plain,
  underline: plain,
};

const lines = (text: string, width = 60, one = theme, options = {}) =>
  new Markdown(text, 0, 0, one, {}, options).render(width).map((line) => line.trimEnd());

it.each(["\r", "\r\n"])("takes %j for a line break, wherever it is", (end) => {
  expect(lines(`FIRST half${end}${end}SECOND half`, 60, unstyled)).toEqual(["FIRST half", "", "SECOND half"]);
  expect(lines(`\`\`\`${end}touch a #${end}echo b${end}\`\`\``, 60, unstyled).join("\n")).toMatch(
    /touch a #\n.*echo b/,
  );
});

describe("Markdown", () => {
  it.each<[string, string[]]>([
    ["# One\n## Two\n### Three", ["<u><b>One</b></u>", "", "<b>Two</b>", "", "<b>### </b><b>Three</b>"]],
    ["a **b _c_** `d` ~~e~~ ~5", ["a <b>b </b><b><i>c</i></b> <code>d</code> <s>e</s> ~5"]],
    ["one\n\n\ntwo", ["one", "", "two"]],
    ["- a\n- b\n  - c\n    1. d", ["- a", "- b", "    - c", "        1. d"]],
    ["3. a\n4. b", ["3. a", "4. b"]],
    ["- [x] done\n- [ ] open", ["- [x] done", "- [ ] open"]],
    ["> quote\n> more", ["│ <i>quote</i>", "│ <i>more</i>"]],
    ["```ts\nlet a;\n\n  b\n```", ["```ts", "  let a;", "", "    b", "```"]],
    ["```\nopen", ["```", "  open", "```"]],
    ["---", ["─".repeat(60)]],
    ["[text](https://x.y)", ["<u>text</u> (https://x.y)"]],
    ["<https://x.y> me@x.y", ["<u>https://x.y</u> <u>me@x.y</u>"]],
    ["![alt](a.png)", ["alt"]],
    ["<b>x</b><!-- gone -->", ["<b>x</b>"]],
    ["a < b &amp; c", ["a < b & c"]],
    [
      "|a|b|\n|-|-:|\n|1|22|",
      ["┌─────┬─────┐", "│ <b>a</b>   │   <b>b</b> │", "├─────┼─────┤", "│ 1   │  22 │", "└─────┴─────┘"],
    ],
    ["$x^2 + \\alpha_1$ costs $5 and $6", ["x² + α₁ costs $5 and $6"]],
    ["$$\\frac{a+b}{2}$$", ["(a+b)/2"]],
    ["open $\\frac{a", ["open $\\frac{a"]],
  ])("%j", (text, expected) => {
    const table = text.startsWith("|") ? expected.map((line) => line.replaceAll(/<\/?b>/g, "")) : expected;
    expect(lines(text, 60, text.startsWith("|") ? unstyled : theme)).toEqual(table);
  });

  it("uses hyperlinks where the terminal has them", () => {
    setCapabilities({ images: null, trueColor: true, hyperlinks: true });
    expect(lines("[a](https://x.y)", 60, unstyled)[0]).toBe("\x1b]8;;https://x.y\x1b\\a\x1b]8;;\x1b\\");
  });

  it("keeps numbers and backslashes when asked", () => {
    expect(lines("1. a\n1. b", 60, theme, { preserveOrderedListMarkers: true })).toEqual(["1. a", "1. b"]);
    expect(lines("\\*a", 60, theme, { preserveBackslashEscapes: true })).toEqual(["\\*a"]);
  });

  it("shows a text that grew as it shows it at once, at any width", () => {
    const part = fc.constantFrom(
      ...[
        "# head\n",
        "text **bold",
        "**",
        "\n\n",
        "- item\n",
        "  - nested\n",
        "1. one\n",
        "```js\n",
        "code\n",
        "```\n",
        "> quote\n",
      ],
      ...[
        "|a|b|\n|-|-|\n|中文|d|\n",
        "[x]: https://x.y\n",
        "[x] ",
        "`c`",
        "$x$",
        "👍 ",
        "long words here ",
        "\n",
        "---\n",
        "<div>\n",
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 25 }), fc.integer({ min: 1, max: 40 }), (parts, width) => {
        const grown = new Markdown("", 1, 0, unstyled);
        let text = "";
        for (const one of parts) {
          text += one;
          grown.setText(text);
          grown.render(width);
        }
        const whole = new Markdown(text, 1, 0, unstyled).render(width);
        expect(grown.render(width)).toEqual(whole);
        for (const line of whole) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe("renderLatex", () => {
  it.each([
    ["\\sum_{i=0}^{n} x_i", "∑ᵢ₌₀ⁿ xᵢ"],
    ["\\sqrt{x} \\leq \\mathbb{R}", "√x ≤ ℝ"],
    ["\\left( \\text{if } a \\right)", "( if a )"],
    ["e^{\\pi}", "e^π"],
    ["\\unknown{x}", undefined],
    ["\\frac{a}{b", undefined],
    ["a}", undefined],
  ])("%s", (source, expected) => {
    expect(renderLatex(source)).toBe(expected);
  });
});
