import { dollars, thousands } from "./format.js";
import type { RequestFigures } from "./totals.js";

const WIDTH = 860;
const HEIGHT = 120;
const TOP = 16;
const BARS = 300;

/** Tokens of each request as bars, the cost so far as a line. Undefined when no request says what it used. */
export function chart(requests: readonly RequestFigures[]): SVGSVGElement | undefined {
  const last = requests.at(-1);
  if (!last) return undefined;
  const bars = grouped(requests);
  const most = Math.max(...bars.map(({ tokens }) => tokens), 1);
  const cost = Math.max(last.costSoFar, 0);
  const step = WIDTH / bars.length;
  const height = (share: number) => (HEIGHT - TOP) * Math.min(1, Math.max(0, share));
  const root = svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  const said = `Tokens of ${requests.length} requests, at most ${thousands(most)}; cost so far, in the end ${dollars(cost)}`;
  root.setAttribute("aria-label", said);
  const title = svg("title", {});
  title.textContent = said;
  root.append(title);
  for (const [at, { tokens }] of bars.entries()) {
    const bar = height(tokens / most);
    root.append(
      svg("rect", { class: "tokens", x: at * step, y: HEIGHT - bar, width: Math.max(step * 0.85, 0.5), height: bar }),
    );
  }
  if (cost > 0) {
    const points = bars.map(({ costSoFar }, at) => `${(at + 0.5) * step},${HEIGHT - height(costSoFar / cost)}`);
    root.append(svg("polyline", { class: "cost", points: points.join(" ") }));
  }
  root.append(svg("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT }));
  root.append(caption(0, "start", "", `tokens per request, at most ${thousands(most)}`));
  root.append(caption(WIDTH, "end", "cost-text", `cost so far, ${dollars(cost)}`));
  return root;
}

/** As many bars as can be told apart: each the largest of its requests. */
function grouped(requests: readonly RequestFigures[]): RequestFigures[] {
  const size = Math.ceil(requests.length / BARS);
  const bars: RequestFigures[] = [];
  for (let at = 0; at < requests.length; at += size) {
    const group = requests.slice(at, at + size);
    const costSoFar = group.at(-1)?.costSoFar ?? 0;
    bars.push({ tokens: Math.max(...group.map(({ tokens }) => tokens)), costSoFar });
  }
  return bars;
}

function caption(x: number, anchor: string, classes: string, said: string): SVGTextElement {
  const text = svg("text", { x, y: 11, "text-anchor": anchor, class: classes });
  text.textContent = said;
  return text;
}

function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
