/** The lines at the bottom, from what they say. Pure. Source: tui.md section B1 (footer). */
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { Theme } from "../../../core/themes/theme.js";
import { tokenText } from "./token-text.js";

export interface FooterFacts {
  /** Home shortened. */
  cwd: string;
  branch?: string | undefined;
  sessionName?: string | undefined;
  tokens: { input: number; output: number; cacheRead: number; cacheWrite: number };
  /** Share of the last request's input that came from the cache, 0 to 100. */
  cacheHit?: number | undefined;
  cost: number;
  isSubscription: boolean;
  /** Undefined: no window is known. Tokens null: not known until the next answer. */
  context?: { percent: number | null; window: number } | undefined;
  autoCompaction: boolean;
  /** Undefined: there is none. */
  model?: { id: string; provider: string; reasons: boolean } | undefined;
  thinkingLevel: string;
  providerCount: number;
  /** A word about the session, such as `read-only`. */
  notice?: string | undefined;
  statuses: readonly string[];
}

export function footerLines(facts: FooterFacts, width: number, theme: Theme): string[] {
  const dim = (text: string) => theme.fg("dim", text);
  const name = facts.sessionName === undefined ? "" : ` • ${facts.sessionName}`;
  const notice = facts.notice === undefined ? "" : ` • ${facts.notice}`;
  const place = `${facts.cwd}${facts.branch === undefined ? "" : ` (${facts.branch})`}${name}${notice}`;
  const lines = [dim(truncateToWidth(place, width, "...")), secondLine(facts, width, theme)];
  if (facts.statuses.length > 0) {
    const text = facts.statuses.map((status) => status.replace(/\s+/g, " ").trim()).join(" ");
    lines.push(truncateToWidth(dim(text), width, dim("...")));
  }
  return lines;
}

function secondLine(facts: FooterFacts, width: number, theme: Theme): string {
  const dim = (text: string) => theme.fg("dim", text);
  const left = leftParts(facts, theme);
  const leftText = left.map(({ text }) => text).join(" ");
  if (visibleWidth(leftText) > width) return dim(truncateToWidth(leftText, width, "..."));
  const styled = left.map(({ text, style }) => (style ?? dim)(text)).join(dim(" "));
  const room = width - visibleWidth(leftText) - (leftText === "" ? 0 : 2);
  const [plain, withProvider] = rightTexts(facts);
  const right = withProvider !== undefined && visibleWidth(withProvider) <= room ? withProvider : plain;
  const shown = room > 0 ? truncateToWidth(right, room, "") : "";
  const gap = width - visibleWidth(leftText) - visibleWidth(shown);
  return styled + dim(" ".repeat(Math.max(0, gap)) + shown);
}

interface Part {
  text: string;
  style?: (text: string) => string;
}

function leftParts(facts: FooterFacts, theme: Theme): Part[] {
  const { input, output, cacheRead, cacheWrite } = facts.tokens;
  const parts: Part[] = [];
  const add = (sign: string, count: number) => count > 0 && parts.push({ text: sign + tokenText(count) });
  add("↑", input);
  add("↓", output);
  add("R", cacheRead);
  add("W", cacheWrite);
  if (facts.cacheHit !== undefined && cacheRead + cacheWrite > 0) {
    parts.push({ text: `CH${facts.cacheHit.toFixed(1)}%` });
  }
  if (facts.cost > 0 || facts.isSubscription) {
    parts.push({ text: `$${facts.cost.toFixed(3)}${facts.isSubscription ? " (sub)" : ""}` });
  }
  if (facts.context) {
    const { percent, window } = facts.context;
    const share = percent === null ? "?" : `${percent.toFixed(1)}%`;
    const auto = facts.autoCompaction ? " (auto)" : "";
    const text = `${share}/${tokenText(window)}${auto}`;
    if (percent !== null && percent > 90) parts.push({ text, style: (shown) => theme.fg("error", shown) });
    else if (percent !== null && percent > 70) parts.push({ text, style: (shown) => theme.fg("warning", shown) });
    else parts.push({ text });
  }
  return parts;
}

/** The model without and with its provider, which is only worth a word when there are several. */
function rightTexts({ model, thinkingLevel, providerCount }: FooterFacts): [string, string | undefined] {
  if (!model) return ["no-model", undefined];
  const thinking = thinkingLevel === "off" ? "thinking off" : thinkingLevel;
  const plain = model.id + (model.reasons ? ` • ${thinking}` : "");
  return [plain, providerCount > 1 ? `(${model.provider}) ${plain}` : undefined];
}
