import { projectTrustChoices, projectTrustQuestion } from "../../../core/trust/trust-choices.js";
import { ProjectTrustStore } from "../../../core/trust-manager.js";
import type { Desk } from "../desk.js";
import { shownKey } from "../keys/key-hints.js";
import { choose, chooseOption, optionRow } from "../selectors/choose.js";
import { openSettings } from "../selectors/settings-selector.js";
import { currentTheme } from "../theme/current.js";
import type { BuiltinCommand } from "./types.js";

export const settingsCommands: readonly BuiltinCommand[] = [
  { name: "settings", description: "Change settings", run: (_args, desk) => openSettings(desk) },
  {
    name: "theme",
    description: "Choose colours",
    isHidden: true,
    run: (args, desk) => chooseTheme(desk, args),
  },
  {
    name: "trust",
    description: "Trust the project, or not, from the next start on",
    run: (_args, desk) => chooseTrust(desk),
  },
  {
    name: "hotkeys",
    description: "All keys",
    run(_args, desk) {
      desk.transcript.addItem({
        role: "custom",
        customType: "keys",
        content: keysMarkdown(desk),
        display: true,
        timestamp: Date.now(),
      });
      desk.tui.requestRender();
    },
  },
];

async function chooseTrust(desk: Desk): Promise<void> {
  const { cwd, services } = desk.runtime;
  const choices = projectTrustChoices(cwd, { withSession: false });
  const options = choices.map(({ label }) => ({ value: label, label }));
  const chosen = await chooseOption(desk.slot, projectTrustQuestion(cwd), options);
  const choice = choices.find(({ label }) => label === chosen);
  if (!choice) return;
  await new ProjectTrustStore(services.agentDir).setMany(choice.updates);
  desk.status(`Saved: ${choice.label}. It holds from the next start on.`);
}

async function chooseTheme(desk: Desk, wanted: string): Promise<void> {
  const before = desk.themes.setting;
  const items = desk.themes.names().map((name) => ({ value: name, label: name }));
  const chosen =
    wanted !== ""
      ? { value: wanted }
      : await choose(desk.slot, {
          items,
          title: () => currentTheme().style("Theme", { fg: "accent", bold: true }),
          row: optionRow,
          selected: ({ value }) => value === before,
          onMove: ({ value }) => void desk.themes.use(value),
        });
  const problem = desk.themes.use(chosen?.value ?? before);
  if (problem !== undefined) desk.warning(problem);
  else if (chosen) {
    desk.session.settingsManager.setTheme(chosen.value);
    desk.status(`Theme: ${chosen.value}`);
  }
  desk.changed();
}

const GROUPS: readonly [title: string, prefix: string][] = [
  ["Application", "app."],
  ["Editor", "tui.editor."],
  ["Input", "tui.input."],
  ["Lists", "tui.select."],
  ["Scrolling (fullscreen)", "tui.altScreen."],
];

/** Every action that has a key, as tables. */
export function keysMarkdown({ keybindings }: Pick<Desk, "keybindings">): string {
  const actions = keybindings.actions().filter(({ keys }) => keys.length > 0);
  return GROUPS.map(([title, prefix]) => {
    const rows = actions
      .filter(({ id }) => id.startsWith(prefix))
      .map(({ keys, description }) => `| \`${keys.map(shownKey).join("` `")}\` | ${description} |`);
    return `**${title}**\n\n| Key | What it does |\n|---|---|\n${rows.join("\n")}`;
  }).join("\n\n");
}
