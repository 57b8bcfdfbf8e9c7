import type { Model } from "@earendil-works/pi-ai";
import { getKeybindings } from "@earendil-works/pi-tui";
import type { Desk } from "../desk.js";
import { keyText } from "../keys/key-hints.js";
import { currentTheme } from "../theme/current.js";
import { SearchList } from "./search-list.js";

const isSame = (a: Model | undefined, b: Model) => a?.provider === b.provider && a.id === b.id;

/** Lets the user choose a model; `persist` when it shall be the default from now on. */
export function selectModel(
  desk: Desk,
  models: readonly Model[],
  query: string | undefined,
): Promise<{ model: Model; persist: boolean } | undefined> {
  const { session, slot } = desk;
  const scope = session.scopedModels.map(({ model }) => model);
  const settings = session.settingsManager.getSettings();
  const isDefault = ({ provider, id }: Model) => settings.defaultProvider === provider && settings.defaultModel === id;
  let isScoped = scope.length > 0;
  const ordered = () => currentFirst(isScoped ? scope : models, session.model);
  return new Promise((resolve) => {
    const finish = (chosen: { model: Model; persist: boolean } | undefined) => {
      close();
      resolve(chosen);
    };
    const list = new SearchList<Model>({
      items: ordered(),
      title: () => {
        const theme = currentTheme();
        const title = theme.style("Select model", { fg: "accent", bold: true });
        if (scope.length === 0) return title;
        const side = (text: string, isOn: boolean) => (isOn ? theme.fg("accent", text) : theme.fg("muted", text));
        return `${title}  ${side("all", !isScoped)}${theme.fg("muted", " | ")}${side("scoped", isScoped)}`;
      },
      searchText: ({ provider, id, name }) => `${provider}/${id} ${name}`,
      query,
      selected: (model) => isSame(session.model, model),
      row: (model, isSelected) => modelRow(model, isSelected, isSame(session.model, model), isDefault(model)),
      emptyText: "No matching models",
      hints: () => [
        [keyText("app.models.save"), "set as default"],
        ...(scope.length > 0 ? [[keyText("tui.input.tab"), "all/scoped"] as [string, string]] : []),
      ],
      onSelect: (model) => finish({ model, persist: false }),
      onCancel: () => finish(undefined),
      onKey: (data, model, shown) => {
        const keys = getKeybindings();
        if (keys.matches(data, "app.models.save") && model) {
          finish({ model, persist: true });
          return true;
        }
        if (!keys.matches(data, "tui.input.tab") || scope.length === 0) return false;
        isScoped = !isScoped;
        shown.setItems(ordered());
        return true;
      },
    });
    const close = slot.open(list);
  });
}

export function modelRow(
  { id, name, provider }: Model,
  isSelected: boolean,
  isCurrent: boolean,
  isDefault: boolean,
): string {
  const theme = currentTheme();
  const head = `${isSelected ? "→ " : "  "}${isCurrent ? "✓ " : "  "}`;
  const label = isSelected ? theme.style(head + id, { fg: "accent", bold: true }) : head + id;
  const title = name && name !== id ? theme.fg("muted", ` (${name})`) : "";
  return `${label}${title} ${theme.fg("muted", `[${provider}]`)}${isDefault ? theme.fg("dim", " · default") : ""}`;
}

function currentFirst(models: readonly Model[], current: Model | undefined): Model[] {
  const first = models.filter((model) => isSame(current, model));
  return [...first, ...models.filter((model) => !isSame(current, model))];
}
