import { Container, SettingsList } from "@earendil-works/pi-tui";
import type { Desk } from "../desk.js";
import { DynamicBorder } from "../screen/dynamic-border.js";
import { getSettingsListTheme } from "../theme/component-themes.js";
import { settingItems } from "./settings-items.js";

/** Rows of the list. */
export const SETTINGS_ROWS = 10;

/** The settings, in place of the editor. Changes hold at once. */
export function openSettings(desk: Desk): void {
  const settings = settingItems(desk);
  const list = new SettingsList(
    settings.map(({ item }) => item),
    SETTINGS_ROWS,
    getSettingsListTheme(),
    (id, value) => {
      const problem = settings.find(({ item }) => item.id === id)?.apply(value);
      if (problem !== undefined) desk.warning(problem);
      desk.applyDisplay();
      // A value that was refused, or that a project decides about, is still what it was.
      const now = settingItems(desk).find(({ item }) => item.id === id);
      if (now) list.updateValue(id, now.item.currentValue);
    },
    () => close(),
    { enableSearch: true },
  );
  const close = desk.slot.open(new SettingsDialog(list));
}

export class SettingsDialog extends Container {
  constructor(private readonly list: SettingsList) {
    super();
    this.addChild(new DynamicBorder());
    this.addChild(list);
    this.addChild(new DynamicBorder());
  }

  handleInput(data: string): void {
    this.list.handleInput(data);
  }
}
