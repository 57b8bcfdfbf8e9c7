import { stripTerminalSequences, visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { terminalInk } from "../../../core/themes/terminal-ink.js";
import { Theme } from "../../../core/themes/theme.js";
import { DARK_PALETTE, deriveColors } from "../theme/derive.js";
import { type FooterFacts, footerLines } from "./footer-text.js";
import { tokenText } from "./token-text.js";

const theme = new Theme(deriveColors(DARK_PALETTE), terminalInk("truecolor"));
const facts: FooterFacts = {
  cwd: "~/proj",
  branch: "main",
  sessionName: "session name",
  tokens: { input: 12_000, output: 560, cacheRead: 3100, cacheWrite: 1000 },
  cacheHit: 85,
  cost: 0.013,
  isSubscription: false,
  context: { percent: 0.7, window: 200_000 },
  autoCompaction: true,
  model: { id: "model", provider: "prov", reasons: true },
  thinkingLevel: "medium",
  providerCount: 2,
  statuses: [],
};
const plain = (more: Partial<FooterFacts>, width = 80) =>
  footerLines({ ...facts, ...more }, width, theme).map((line) => stripTerminalSequences(line).trimEnd());

describe("the footer", () => {
  it("says where, how much and which model", () => {
    expect(plain({})).toEqual([
      "~/proj (main) • session name",
      "↑12k ↓560 R3.1k W1k CH85.0% $0.013 0.7%/200k (auto)        (prov) model • medium",
    ]);
  });

  it.each<[Partial<FooterFacts>, number, string]>([
    [{ model: undefined }, 80, "↑12k ↓560 R3.1k W1k CH85.0% $0.013 0.7%/200k (auto)                     no-model"],
    [
      { thinkingLevel: "off", providerCount: 1 },
      70,
      "↑12k ↓560 R3.1k W1k CH85.0% $0.013 0.7%/200k (auto)  model • thinking",
    ],
    [
      { context: { percent: null, window: 1_200_000 }, autoCompaction: false, cost: 0, isSubscription: true },
      68,
      "↑12k ↓560 R3.1k W1k CH85.0% $0.000 (sub) ?/1.2M       model • medium",
    ],
    [{}, 40, "↑12k ↓560 R3.1k W1k CH85.0% $0.013 0...."],
  ])("%#", (more, width, line) => {
    expect(plain(more, width)[1]).toBe(line);
  });

  it("warns before the context is full", () => {
    const shown = (percent: number) => footerLines({ ...facts, context: { percent, window: 1000 } }, 80, theme)[1];
    expect(shown(70)).not.toContain(theme.getFgAnsi("warning"));
    expect(shown(70.1)).toContain(`${theme.getFgAnsi("warning")}70.1%`);
    expect(shown(90.1)).toContain(`${theme.getFgAnsi("error")}90.1%`);
  });

  it("has a line for what extensions say", () => {
    expect(plain({ statuses: ["a\n b", "c".repeat(100)] }, 20)[2]).toBe(`a b ${"c".repeat(13)}...`);
  });

  it("never is wider than the terminal", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 120 }),
        fc.string(),
        fc.integer({ min: 0, max: 2_000_000 }),
        (width, cwd, input) => {
          const lines = footerLines(
            { ...facts, cwd: cwd.replace(/\p{Cc}/gu, ""), tokens: { ...facts.tokens, input } },
            width,
            theme,
          );
          for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

it.each([
  [999, "999"],
  [1200, "1.2k"],
  [12_345, "12k"],
  [1_234_567, "1.2M"],
  [12_345_678, "12M"],
])("%i tokens are %s", (count, text) => {
  expect(tokenText(count)).toBe(text);
});
