import { basename, dirname } from "node:path";
import { matchesKey, ProcessTerminal, setKeybindings, type Terminal, TuiMainScreen } from "@earendil-works/pi-tui";
import type { ConfigScope, ConfigurableResource, ResourceConfig } from "../../../core/packages/resource-config.js";
import { AppKeybindings } from "../keys/keybindings-file.js";
import { currentTheme } from "../theme/current.js";
import { ThemeLoader, userThemes } from "../theme/theme-loader.js";
import { shortPath } from "../tools/paths.js";
import { SearchList } from "./search-list.js";

export interface ResourceConfigScreen {
  config: ResourceConfig;
  /** Those that can be changed; the first is shown first. */
  scopes: readonly ConfigScope[];
  agentDir: string;
  /** Setting. */
  theme: string;
  /** Default: the process's own. */
  terminal?: Terminal | undefined;
}

const titles: Record<ConfigScope, string> = { user: "User", project: "Project" };

/** The checklist of `pi config`, until the user leaves it. Changes go into the settings at once. */
export function runResourceConfig({ config, scopes, agentDir, theme, terminal }: ResourceConfigScreen): Promise<void> {
  setKeybindings(new AppKeybindings(agentDir));
  new ThemeLoader(() => userThemes(agentDir)).use(theme);
  const tui = new TuiMainScreen(terminal ?? new ProcessTerminal(), false, agentDir);
  let scope = scopes[0] ?? "user";
  return new Promise((resolve) => {
    const leave = () => {
      tui.stop();
      resolve();
    };
    const toggle = (item: ConfigurableResource) => {
      config.toggle(scope, item);
      list.setItems(config.list(scope), isSame(item));
      tui.requestRender();
    };
    const list: SearchList<ConfigurableResource> = new SearchList<ConfigurableResource>({
      items: config.list(scope),
      title: () => titleOf(scope, scopes),
      searchText: (item) => `${nameOf(item)} ${item.kind} ${item.packageSource ?? ""}`,
      row,
      detail: ({ path }) => currentTheme().fg("muted", ` ${shortPath(path)}`),
      emptyText: "Nothing can be switched here",
      hints: () => (scopes.length > 1 ? [["tab", "other scope"]] : []),
      onSelect: toggle,
      onCancel: leave,
      onKey: (data, item) => {
        if (matchesKey(data, "tab") && scopes.length > 1) {
          scope = scopes[(scopes.indexOf(scope) + 1) % scopes.length] ?? scope;
          list.setItems(config.list(scope));
          tui.requestRender();
          return true;
        }
        // A space is a part of what is searched for once something is.
        if (!matchesKey(data, "space") || list.query !== "" || !item) return false;
        toggle(item);
        return true;
      },
    });
    tui.addChild(list);
    tui.start();
    tui.setFocus(list);
  });
}

function titleOf(scope: ConfigScope, scopes: readonly ConfigScope[]): string {
  const theme = currentTheme();
  const tabs = scopes.map((one) =>
    one === scope ? theme.style(titles[one], { fg: "accent", underline: true }) : theme.fg("muted", titles[one]),
  );
  return `${theme.style("Resources", { fg: "accent", bold: true })}  ${tabs.join("  ")}`;
}

function row(item: ConfigurableResource, isSelected: boolean): string {
  const theme = currentTheme();
  const text = `${isSelected ? "→ " : "  "}${item.enabled ? "[x]" : "[ ]"} ${nameOf(item)}`;
  const label = isSelected ? theme.style(text, { fg: "accent", bold: true }) : text;
  const origin = item.packageSource === undefined ? "" : ` ${item.packageSource}`;
  return `${label} ${theme.fg("muted", `[${item.kind}]${origin}`)}`;
}

/** A skill, and an extension with a folder of its own, are called as their folders. */
function nameOf({ path }: ConfigurableResource): string {
  const isOwnFolder = /^(SKILL\.md|index\.[jt]s)$/.test(basename(path));
  return isOwnFolder ? basename(dirname(path)) : basename(path);
}

function isSame(item: ConfigurableResource): (other: ConfigurableResource) => boolean {
  return (other) => other.path === item.path && other.kind === item.kind && other.packageSource === item.packageSource;
}
