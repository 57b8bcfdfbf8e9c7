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

/**
 * The model when none was asked for: the user's default, else the first provider that can be used.
 * @throws JsonFileError when there is none and the credentials cannot be understood
 */
export function defaultModel(settings: Settings, pool: ModelPool): Model | undefined {
  const { defaultProvider, defaultModel: id } = settings;
  if (defaultProvider && id && pool.usable(defaultProvider)) {
    const model = pool.models(defaultProvider).find((candidate) => candidate.id === id);
    if (model) return model;
  }
  const usable = pool.providers.filter((provider) => pool.usable(provider));
  for (const provider of usable) {
    const defaultId = pool.defaultModelId(provider);
    const model = pool.models(provider).find((candidate) => candidate.id === defaultId);
    if (model && pool.speaks(model.api)) return model;
  }
  for (const provider of usable) {
    const model = pool.models(provider).find((candidate) => pool.speaks(candidate.api));
    if (model) return model;
  }
  pool.explainNoModel?.();
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
