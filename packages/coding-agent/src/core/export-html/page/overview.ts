import { chart } from "./chart.js";
import { append, button, type Child, element, folded } from "./dom.js";
import { text } from "./fields.js";
import { dollars, moment, thousands } from "./format.js";
import type { Session } from "./session.js";
import { toolList } from "./system-view.js";
import { totalsOf } from "./totals.js";

/** What the buttons of the overview do; keys do the same. */
export interface Actions {
  thinking(): void;
  output(): void;
  hidden(): void;
  reset(): void;
  download(): void;
}

/** What the session is, what it used, and what can be done. */
export function overview(session: Session, actions: Actions): HTMLElement {
  const totals = totalsOf(session.entries);
  const { header } = session;
  const facts: [string, string][] = [
    ["Session", text(header["id"])],
    ["Started", moment(header["timestamp"])],
    ["Directory", text(header["cwd"])],
    ["Models", totals.models.join(", ")],
    ["Messages", `${totals.user} user, ${totals.assistant} assistant, ${totals.toolResults} tool results`],
    [
      "Tokens",
      `${thousands(totals.input)} input, ${thousands(totals.output)} output, ${thousands(totals.cacheRead)} cache read, ` +
        `${thousands(totals.cacheWrite)} cache write`,
    ],
    ["Cost", dollars(totals.cost)],
  ];
  const box = element("section", "overview", element("h1", "", session.name || "Session"));
  const shown = facts.filter(([, value]) => value !== "");
  box.append(
    element("dl", "facts", ...shown.flatMap(([name, value]) => [element("dt", "", name), element("dd", "", value)])),
  );
  append(box, [...notices(session), chart(totals.requests), ...declared(session)]);
  box.append(
    element(
      "div",
      "buttons",
      button("Thinking", actions.thinking, "Key T"),
      button("Tool output", actions.output, "Key O"),
      button("Hidden messages", actions.hidden, "Key H"),
      button("Reset", actions.reset, "Key Esc"),
      button("Download JSONL", actions.download),
    ),
    keys(),
  );
  return box;
}

function notices({ leftOutImages, skippedLines }: Session): Child[] {
  return [
    leftOutImages === 0
      ? undefined
      : element("p", "notice", `${leftOutImages} large image${plural(leftOutImages)} left out of this page.`),
    skippedLines === 0
      ? undefined
      : element(
          "p",
          "notice",
          `${skippedLines} line${plural(skippedLines)} of the session file left out: broken, or without an id of ${skippedLines === 1 ? "its" : "their"} own.`,
        ),
  ];
}

/** Prompt and tools of the session when it was exported, where its entries do not tell them. */
function declared({ systemPrompt, tools, entries }: Session): Child[] {
  if (entries.some(({ role }) => role === "system")) return [];
  return [
    systemPrompt === "" ? undefined : folded("", "System prompt", element("pre", "", systemPrompt)),
    tools.length === 0 ? undefined : toolList(tools),
  ];
}

function keys(): HTMLElement {
  const key = (name: string) => element("kbd", "", name);
  return element(
    "p",
    "keys",
    ...[key("T"), " thinking, ", key("O"), " tool output, ", key("H"), " hidden messages, ", key("/"), " search, "],
    ...[key("\u2191"), key("\u2193"), " and ", key("Enter"), " in the tree, ", key("Esc"), " reset"],
  );
}

function plural(count: number): string {
  return count === 1 ? "" : "s";
}
