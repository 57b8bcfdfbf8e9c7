import type { Model } from "@earendil-works/pi-ai";
import { getKeybindings, type TUI } from "@earendil-works/pi-tui";
import type { ModelRuntime } from "../../../core/models/model-runtime.js";
import type { ScopedModel } from "../../../core/models/model-scope.js";
import type { Desk } from "../desk.js";
import { keyText } from "../keys/key-hints.js";
import { currentTheme } from "../theme/current.js";
import { SearchList, type SearchListOptions } from "./search-list.js";

const isSame = (a: Model | undefined, b: Model) => a?.provider === b.provider && a.id === b.id;

interface ModelListOptions {
  models: readonly Model[];
  current: Model | undefined;
  /** Models to cycle through: the list begins with them, and a key shows all. */
  scope: readonly Model[];
  query: string | undefined;
  isDefault: (model: Model) => boolean;
  onSelect: (model: Model) => void;
  /** Without it no model can be made the default here. */
  onSelectAsDefault?: ((model: Model) => void) | undefined;
  onCancel: () => void;
}

function modelList(options: ModelListOptions): SearchListOptions<Model> {
  const { models, current, scope, query, isDefault, onSelect, onSelectAsDefault, onCancel } = options;
  let isScoped = scope.length > 0;
  const ordered = () => currentFirst(isScoped ? scope : models, current);
  return {
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
    selected: (model) => isSame(current, model),
    row: (model, isSelected) => modelRow(model, isSelected, isSame(current, model), isDefault(model)),
    emptyText: "No matching models",
    hints: () => [
      ...(onSelectAsDefault ? [[keyText("app.models.save"), "set as default"] as [string, string]] : []),
      ...(scope.length > 0 ? [[keyText("tui.input.tab"), "all/scoped"] as [string, string]] : []),
    ],
    onSelect,
    onCancel,
    onKey: (data, model, shown) => {
      const keys = getKeybindings();
      if (onSelectAsDefault && model && keys.matches(data, "app.models.save")) {
        onSelectAsDefault(model);
        return true;
      }
      if (!keys.matches(data, "tui.input.tab") || scope.length === 0) return false;
      isScoped = !isScoped;
      shown.setItems(ordered());
      return true;
    },
  };
}

/** The list of models that can be used, for extensions and hosts. Source: exports.md section 4.5. */
export class ModelSelectorComponent extends SearchList<Model> {
  constructor(
    _tui: TUI,
    current: Model | undefined,
    modelRuntime: Pick<ModelRuntime, "getAvailableSnapshot">,
    scopedModels: readonly ScopedModel[],
    onSelect: (model: Model) => void,
    onCancel: () => void,
    search?: string,
    onSelectAsDefault?: (model: Model) => void,
    defaultModel?: { provider: string; id: string },
  ) {
    super(
      modelList({
        models: modelRuntime.getAvailableSnapshot(),
        current,
        scope: scopedModels.map(({ model }) => model),
        query: search,
        isDefault: ({ provider, id }) => provider === defaultModel?.provider && id === defaultModel.id,
        onSelect,
        onSelectAsDefault,
        onCancel,
      }),
    );
  }
}

/** Lets the user choose a model; `persist` when it shall be the default from now on. */
export function selectModel(
  desk: Desk,
  models: readonly Model[],
  query: string | undefined,
): Promise<{ model: Model; persist: boolean } | undefined> {
  const { session, slot } = desk;
  const settings = session.settingsManager.getSettings();
  return new Promise((resolve) => {
    const finish = (chosen: { model: Model; persist: boolean } | undefined) => {
      close();
      resolve(chosen);
    };
    const list = new SearchList<Model>(
      modelList({
        models,
        current: session.model,
        scope: session.scopedModels.map(({ model }) => model),
        query,
        isDefault: ({ provider, id }) => settings.defaultProvider === provider && settings.defaultModel === id,
        onSelect: (model) => finish({ model, persist: false }),
        onSelectAsDefault: (model) => finish({ model, persist: true }),
        onCancel: () => finish(undefined),
      }),
    );
    const close = slot.open(list);
  });
}

function modelRow({ id, name, provider }: Model, isSelected: boolean, isCurrent: boolean, isDefault: boolean): string {
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
