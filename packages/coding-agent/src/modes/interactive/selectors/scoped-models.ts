import type { Model } from "@earendil-works/pi-ai";
import { getKeybindings } from "@earendil-works/pi-tui";
import type { ScopedModel } from "../../../core/models/model-scope.js";
import type { Desk } from "../desk.js";
import { keyText } from "../keys/key-hints.js";
import { currentTheme } from "../theme/current.js";
import { SearchList } from "./search-list.js";

const nameOf = ({ provider, id }: Model) => `${provider}/${id}`;

/** The checklist of models to cycle through, in their order. Changes hold at once, and for good when they are saved. */
export function selectScopedModels(desk: Desk, models: readonly Model[]): Promise<void> {
  const { session, slot } = desk;
  const levels = new Map(session.scopedModels.map(({ model, thinkingLevel }) => [nameOf(model), thinkingLevel]));
  let chosen = session.scopedModels.map(({ model }) => nameOf(model));
  const byName = new Map(models.map((model) => [nameOf(model), model]));
  const ordered = () => {
    const first = chosen.flatMap((name) => byName.get(name) ?? []);
    return [...first, ...models.filter((model) => !chosen.includes(nameOf(model)))];
  };
  const apply = () =>
    session.setScopedModels(
      chosen.flatMap((name): ScopedModel[] => {
        const model = byName.get(name);
        const thinkingLevel = levels.get(name);
        return model ? [{ model, ...(thinkingLevel !== undefined && { thinkingLevel }) }] : [];
      }),
    );
  return new Promise((resolve) => {
    const list: SearchList<Model> = new SearchList<Model>({
      items: ordered(),
      title: () => {
        const theme = currentTheme();
        const count = chosen.length === 0 ? "all models" : `${chosen.length} of ${models.length} models`;
        return `${theme.style("Models to cycle through", { fg: "accent", bold: true })} ${theme.fg("muted", `(${count})`)}`;
      },
      searchText: (model) => `${nameOf(model)} ${model.name}`,
      row: (model, isSelected) => {
        const theme = currentTheme();
        const text = `${isSelected ? "→ " : "  "}${chosen.includes(nameOf(model)) ? "[x]" : "[ ]"} ${model.id}`;
        const label = isSelected ? theme.style(text, { fg: "accent", bold: true }) : text;
        return `${label} ${theme.fg("muted", `[${model.provider}]`)}`;
      },
      hints: () => [
        [keyText("app.models.enableAll"), "all"],
        [keyText("app.models.clearAll"), "none"],
        [keyText("app.models.toggleProvider"), "provider"],
        [`${keyText("app.models.reorderUp")} ${keyText("app.models.reorderDown")}`, "order"],
        [keyText("app.models.save"), "save"],
      ],
      onSelect: (model) => change(toggled(chosen, [nameOf(model)]), model),
      onCancel: () => {
        close();
        resolve();
      },
      onKey: (data, model) => onKey(data, model),
    });
    const change = (names: string[], model: Model | undefined) => {
      chosen = names;
      apply();
      list.setItems(ordered(), (one) => one === model);
    };
    const move = (model: Model, step: number) => {
      const at = chosen.indexOf(nameOf(model));
      const target = at + step;
      if (at < 0 || target < 0 || target >= chosen.length) return;
      const names = chosen.filter((name) => name !== nameOf(model));
      names.splice(target, 0, nameOf(model));
      change(names, model);
    };
    const onKey = (data: string, model: Model | undefined): boolean => {
      const is = (id: Parameters<ReturnType<typeof getKeybindings>["matches"]>[1]) =>
        getKeybindings().matches(data, id);
      if (is("app.models.enableAll")) change(models.map(nameOf), model);
      else if (is("app.models.clearAll")) change([], model);
      else if (is("app.models.toggleProvider") && model) {
        change(toggled(chosen, models.filter(({ provider }) => provider === model.provider).map(nameOf)), model);
      } else if (is("app.models.reorderUp") && model) move(model, -1);
      else if (is("app.models.reorderDown") && model) move(model, 1);
      else if (is("app.models.save")) {
        session.settingsManager.setEnabledModels(chosen.length === 0 ? undefined : chosen);
        desk.status("Model selection saved to settings");
        close();
        resolve();
      } else return false;
      return true;
    };
    const close = slot.open(list);
  });
}

/** All of these are in afterwards, or, when they were, none of them. */
function toggled(chosen: readonly string[], names: readonly string[]): string[] {
  const rest = chosen.filter((name) => !names.includes(name));
  return names.every((name) => chosen.includes(name)) ? rest : [...rest, ...names];
}
