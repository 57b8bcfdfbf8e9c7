/** Which model a session starts with. Source: llm.md section 13, cli-and-config.md section 1.4. */
import type { Model, ModelThinkingLevel } from "@earendil-works/pi-ai";
import type { Settings } from "../settings/settings.js";
import { type ModelPool, resolveModel, splitProvider, splitThinkingSuffix } from "./resolution.js";
import { thinkingLevels } from "./thinking-levels.js";

export interface ResolveCliModelOptions {
  /** `--provider`. */
  cliProvider?: string | undefined;
  /** `--model`. */
  cliModel?: string | undefined;
  /** `--thinking`: a level in the name stays part of it then. */
  cliThinking?: ModelThinkingLevel | undefined;
  /** `--api-key`: says nothing about which provider is meant. */
  inlineApiKey?: string | undefined;
  modelRuntime: ModelPool;
}

export interface ResolveCliModelResult {
  model: Model | undefined;
  thinkingLevel?: ModelThinkingLevel;
  warning: string | undefined;
  error: string | undefined;
}

/** The model of `--provider` and `--model`. Every known model counts, with or without a key. */
export function resolveCliModel(options: ResolveCliModelOptions): ResolveCliModelResult {
  const { cliProvider, cliModel: text, cliThinking, inlineApiKey, modelRuntime } = options;
  const fail = (error: string): ResolveCliModelResult => ({ model: undefined, warning: undefined, error });
  if (text === undefined) return { model: undefined, warning: undefined, error: undefined };
  const pool = inlineApiKey === undefined ? modelRuntime : nobodyUsable(modelRuntime);
  const known = cliProvider && pool.providers.find((id) => id.toLowerCase() === cliProvider.toLowerCase());
  if (cliProvider && !known) {
    return fail(`Unknown provider "${cliProvider}". Use --list-models to see available providers/models.`);
  }
  const match = resolveModel(text, pool, known || undefined);
  if (match.kind === "found") {
    const { model, thinkingLevel } = match;
    return { model, ...(thinkingLevel && { thinkingLevel }), warning: undefined, error: undefined };
  }
  if (match.kind === "ambiguous") return fail(ambiguousText(text, match.models, pool, inlineApiKey !== undefined));
  return (
    cloneDefault(text, known || undefined, cliThinking, pool) ??
    fail(`Model "${text}" not found. Use --list-models to see available models.`)
  );
}

/** The model when none was asked for. */
export interface StartModel {
  model: Model | undefined;
  /** A default of the user's that could not be used: the setting and its value, and why. */
  unusable?: { key: "defaultProvider" | "defaultModel"; value: string; reason: string };
}

/**
 * The user's default, else the default of the user's provider, else that of the first provider that can be used.
 * @throws JsonFileError when there is none and the credentials cannot be understood
 */
export function defaultModel(settings: Settings, pool: ModelPool): StartModel {
  const { defaultProvider: provider, defaultModel: id } = settings;
  const usable = pool.providers.filter((candidate) => pool.usable(candidate));
  const found = id === undefined ? undefined : ownDefault(id, provider, usable, pool);
  if (found) return { model: found };
  const unusable = whyUnusable(settings, pool);
  const preferred = provider !== undefined && pool.usable(provider) ? [provider] : [];
  const model = firstModel(preferred, pool) ?? firstModel(usable, pool);
  if (!model) pool.explainNoModel?.();
  return { model, ...(unusable && { unusable }) };
}

/** Where no provider is named, the id alone or behind its provider's name is enough. */
function ownDefault(
  id: string,
  provider: string | undefined,
  usable: readonly string[],
  pool: ModelPool,
): Model | undefined {
  const candidates = provider === undefined ? usable : pool.usable(provider) ? [provider] : [];
  const models = candidates.flatMap((candidate) => pool.models(candidate));
  const isMeant = (model: Model) =>
    model.id === id || (provider === undefined && `${model.provider}/${model.id}` === id);
  return models.find(isMeant);
}

function whyUnusable(
  { defaultProvider: provider, defaultModel: id }: Settings,
  pool: ModelPool,
): StartModel["unusable"] {
  if (provider === undefined) {
    return id === undefined
      ? undefined
      : { key: "defaultModel", value: id, reason: "no provider that can be used has such a model" };
  }
  const key = "defaultProvider";
  const isKnown = pool.providers.includes(provider) || pool.models(provider).length > 0;
  if (!isKnown) return { key, value: provider, reason: "there is no such provider" };
  if (!pool.usable(provider)) return { key, value: provider, reason: "there is neither a key nor a sign-in for it" };
  return id === undefined ? undefined : { key: "defaultModel", value: id, reason: `${provider} has no such model` };
}

/** Defaults of providers come before their other models. */
function firstModel(providers: readonly string[], pool: ModelPool): Model | undefined {
  for (const provider of providers) {
    const defaultId = pool.defaultModelId(provider);
    const model = pool.models(provider).find((candidate) => candidate.id === defaultId);
    if (model && pool.speaks(model.api)) return model;
  }
  for (const provider of providers) {
    const model = pool.models(provider).find((candidate) => pool.speaks(candidate.api));
    if (model) return model;
  }
  return undefined;
}

/** The level for a model before clamping: what the user set for it, else the general default. */
export function defaultThinkingLevel(settings: Settings, model: Model | undefined): ModelThinkingLevel {
  const level = model && settings.modelThinkingLevels?.[`${model.provider}/${model.id}`];
  return [level, settings.defaultThinkingLevel].find((candidate) => isThinkingLevel(candidate)) ?? "medium";
}

export function isThinkingLevel(value: unknown): value is ModelThinkingLevel {
  return thinkingLevels.some((level) => level === value);
}

function nobodyUsable(pool: ModelPool): ModelPool {
  return {
    providers: pool.providers,
    models: (provider) => pool.models(provider),
    usable: () => false,
    speaks: (api) => pool.speaks(api),
    defaultModelId: (provider) => pool.defaultModelId(provider),
  };
}

/** A model the catalogue does not know yet: the provider's default under the new name. */
function cloneDefault(
  text: string,
  provider: string | undefined,
  thinking: ModelThinkingLevel | undefined,
  pool: ModelPool,
): ResolveCliModelResult | undefined {
  const split = provider ? { provider, rest: text } : splitProvider(text, pool.providers);
  if (!split) return undefined;
  const models = pool.models(split.provider);
  const defaultId = pool.defaultModelId(split.provider);
  const template = models.find((model) => model.id === defaultId) ?? models[0];
  if (!template) return undefined;
  const { base, level } = thinking === undefined ? splitThinkingSuffix(split.rest) : { base: split.rest };
  return {
    model: { ...template, id: base, name: base, ...(level && level !== "off" && { reasoning: true }) },
    ...(level && { thinkingLevel: level }),
    warning: `Model "${base}" not found for provider "${split.provider}". Using custom model id.`,
    error: undefined,
  };
}

function ambiguousText(text: string, models: readonly Model[], pool: ModelPool, hasInlineKey: boolean): string {
  const names = models.map((model) => `${model.provider}/${model.id}`).join(", ");
  const reason = hasInlineKey
    ? "--api-key does not choose a provider."
    : models.some((model) => pool.usable(model.provider))
      ? "More than one matching provider is authenticated."
      : "No matching provider is authenticated.";
  return `Model "${text}" is ambiguous across providers: ${names}. ${reason} Use --provider or provider/model.`;
}
