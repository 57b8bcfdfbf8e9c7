import type { ThinkingLevel } from "@earendil-works/pi-agent-core";
import { clampThinkingLevel, getSupportedThinkingLevels, type Model } from "@earendil-works/pi-ai";
import type { ModelSelectSource } from "../extensions/types.js";
import type { ScopedModel } from "../models/model-scope.js";
import type { SessionCore } from "./session-core.js";

export interface PersistOptions {
  /** Also make it the default of new sessions. Default false. */
  persist?: boolean | undefined;
}

export interface ModelCycleResult {
  model: Model;
  thinkingLevel: ThinkingLevel;
  /** The models came from `--models` or `enabledModels`. */
  isScoped: boolean;
}

/** Which model answers and how hard it thinks. A change holds from the next request on. */
export class ModelControl {
  readonly #core: SessionCore;
  #scope: readonly ScopedModel[];
  #hasModel: boolean;

  constructor(core: SessionCore, scope: readonly ScopedModel[], hasModel: boolean) {
    this.#core = core;
    this.#scope = scope;
    this.#hasModel = hasModel;
  }

  get model(): Model | undefined {
    return this.#hasModel ? this.#core.agent.state.model : undefined;
  }

  get scope(): readonly ScopedModel[] {
    return this.#scope;
  }

  setScope(scope: readonly ScopedModel[]): void {
    this.#scope = scope;
  }

  /** @throws `No API key for <provider>/<id>` */
  async set(
    model: Model,
    { persist }: PersistOptions = {},
    level?: ThinkingLevel,
    source: ModelSelectSource = "set",
  ): Promise<void> {
    const { agent, sessionManager, services } = this.#core;
    if (!services.modelRuntime.hasConfiguredAuth(model.provider)) {
      throw new Error(`No API key for ${model.provider}/${model.id}`);
    }
    this.#core.claim();
    const { settingsManager } = services;
    const wanted =
      level ??
      settingsManager.getSettings().modelThinkingLevels?.[`${model.provider}/${model.id}`] ??
      agent.state.thinkingLevel;
    const previousModel = this.model;
    agent.state.model = model;
    this.#hasModel = true;
    sessionManager.appendModelChange(model.provider, model.id);
    if (persist) settingsManager.setDefaultModelAndProvider(model.provider, model.id);
    this.setThinkingLevel(wanted);
    const { extensions } = this.#core;
    if (!extensions.hasHandlers("model_select")) return;
    await extensions.emit<"model_select">({ type: "model_select", model, previousModel, source });
  }

  /** A provider has changed: its models may be others now, under the same names. */
  refresh(): void {
    const { agent, services } = this.#core;
    const { model } = this;
    if (model) agent.state.model = services.modelRuntime.getModel(model.provider, model.id) ?? model;
  }

  /** Goes to the next or the previous model of the scope, else of all that can be used; undefined when there is one. */
  async cycle(direction: "forward" | "backward", options: PersistOptions = {}): Promise<ModelCycleResult | undefined> {
    const isScoped = this.#scope.length > 0;
    const { modelRuntime } = this.#core.services;
    const candidates: readonly ScopedModel[] = isScoped
      ? this.#scope.filter(({ model }) => modelRuntime.hasConfiguredAuth(model.provider))
      : (await modelRuntime.getAvailable()).map((model) => ({ model }));
    if (candidates.length < 2) return undefined;
    const current = this.model;
    const at = candidates.findIndex(({ model }) => model.provider === current?.provider && model.id === current.id);
    const step = direction === "forward" ? 1 : -1;
    // From a model outside the list the first step leads to its first or last one.
    const next =
      candidates[at < 0 ? (step > 0 ? 0 : candidates.length - 1) : (at + step + candidates.length) % candidates.length];
    if (!next) return undefined;
    await this.set(next.model, options, next.thinkingLevel, "cycle");
    return { model: next.model, thinkingLevel: this.#core.agent.state.thinkingLevel, isScoped };
  }

  /** Takes the nearest level the model has: the next higher one, else the next lower. */
  setThinkingLevel(level: ThinkingLevel, { persist }: PersistOptions = {}): void {
    const { agent, sessionManager, services } = this.#core;
    const model = this.model;
    const clamped = model ? clampThinkingLevel(model, level) : "off";
    if (clamped !== agent.state.thinkingLevel) this.#core.claim();
    if (persist) services.settingsManager.setDefaultThinkingLevel(clamped);
    if (clamped === agent.state.thinkingLevel) return;
    const previousLevel = agent.state.thinkingLevel;
    agent.state.thinkingLevel = clamped;
    sessionManager.appendThinkingLevelChange(clamped);
    this.#core.extensions.tell<"thinking_level_select">({
      type: "thinking_level_select",
      level: clamped,
      previousLevel,
    });
    this.#core.emit({ type: "thinking_level_changed", level: clamped });
  }

  /** The next level of the model, around; undefined for one that does not reason. */
  cycleThinkingLevel(): ThinkingLevel | undefined {
    if (!this.supportsThinking) return undefined;
    const levels = this.availableThinkingLevels;
    const next = levels[(levels.indexOf(this.#core.agent.state.thinkingLevel) + 1) % levels.length];
    if (next === undefined) return undefined;
    this.setThinkingLevel(next);
    return next;
  }

  get availableThinkingLevels(): ThinkingLevel[] {
    return this.model ? getSupportedThinkingLevels(this.model) : ["off"];
  }

  get supportsThinking(): boolean {
    return this.model?.reasoning === true;
  }
}
