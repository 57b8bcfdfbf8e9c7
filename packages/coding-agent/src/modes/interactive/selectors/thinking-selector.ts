import type { ThinkingLevel } from "@earendil-works/pi-agent-core";
import { getKeybindings } from "@earendil-works/pi-tui";
import type { Desk } from "../desk.js";
import { keyText } from "../keys/key-hints.js";
import { currentTheme } from "../theme/current.js";
import { optionRow } from "./choose.js";
import { SearchList } from "./search-list.js";

export const THINKING_DESCRIPTIONS: Record<ThinkingLevel, string> = {
  off: "No reasoning",
  minimal: "Barely any reasoning",
  low: "A little reasoning",
  medium: "Some reasoning",
  high: "Much reasoning",
  xhigh: "Very much reasoning",
  max: "As much reasoning as the model can",
};

/** Lets the user choose a thinking level. */
export function selectThinkingLevel(desk: Desk): Promise<{ level: ThinkingLevel; persist: boolean } | undefined> {
  const { session, slot } = desk;
  return new Promise((resolve) => {
    const finish = (chosen: { level: ThinkingLevel; persist: boolean } | undefined) => {
      close();
      resolve(chosen);
    };
    const list = new SearchList<ThinkingLevel>({
      items: session.getAvailableThinkingLevels(),
      title: () => currentTheme().style("Thinking level", { fg: "accent", bold: true }),
      selected: (level) => level === session.thinkingLevel,
      row: (level, isSelected) =>
        optionRow({ value: level, label: level.padEnd(8), description: THINKING_DESCRIPTIONS[level] }, isSelected),
      hints: () => [[keyText("app.thinking.save"), "set as default"]],
      onSelect: (level) => finish({ level, persist: false }),
      onCancel: () => finish(undefined),
      onKey: (data, level) => {
        if (level === undefined || !getKeybindings().matches(data, "app.thinking.save")) return false;
        finish({ level, persist: true });
        return true;
      },
    });
    const close = slot.open(list);
  });
}
