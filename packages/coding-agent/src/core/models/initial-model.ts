/** Which model a session starts with. Source: llm.md section 13, cli-and-config.md section 1.4. */
import type { Model, ModelThinkingLevel } from "@earendil-works/pi-ai";
import type { Settings } from "../settings/settings.js";
import { type ModelPool, resolveModel, splitProvider, splitThinkingSuffix, thinkingLevels } from "./resolution.js";

export interface CliModelChoice {
  provider?: string | undefined;
  model?: string | undefined;
  /** Given with `--thinking`. */
  thinking?: ModelThinkingLevel | undefined;
}

export interface ResolvedCliModel {
  model?: Model;
  thinkingLevel?: ModelThinkingLevel;
  warning?: string;
  error?: string;
}

/** The model of `--provider` and `--model`. Every known model counts, with or without a key. */
export function resolveCliModel(
  { provider, model: text, thinking }: CliModelChoice,
  pool: ModelPool,
): ResolvedCliModel {
  if (text === undefined) return {};
  const known = provider && pool.providers.find((id) => id.toLowerCase() === provider.toLowerCase());
  if (provider && !known) {
    return { error: `Unknown provider "${provider}". Use --list-models to see available providers/models.` };
  }
  const match = resolveModel(text, pool, known || undefined);
  if (match.kind === "found") {
    return { model: match.model, ...(match.thinkingLevel && { thinkingLevel: match.thinkingLevel }) };
  }
  if (match.kind === "ambiguous") return { error: ambiguousText(text, match.models, pool) };
  return (
    cloneDefault(text, known || undefined, thinking, pool) ?? {
      error: `Model "${text}" not found. Use --list-models to see available models.`,
    }
  );
}

/** The model when none was asked for: the user's default, else the first provider that can be used. */
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

/** A model the catalogue does not know yet: the provider's default under the new name. */
function cloneDefault(
  text: string,
  provider: string | undefined,
  thinking: ModelThinkingLevel | undefined,
  pool: ModelPool,
): ResolvedCliModel | undefined {
  const split = provider ? { provider, rest: text } : splitProvider(text, pool.providers);
  if (!split) return undefined;
  const models = pool.models(split.provider);
  const defaultId = pool.defaultModelId(split.provider);
  const template = models.find((model) => model.id === defaultId) ?? models[0];
  if (!template) return undefined;
  const { base, level } = thinking === undefined ? splitThinkingSuffix(split.rest) : { base: split.rest };
  return {
    model: {
      ...template,
      id: base,
      name: base,
      ...(level && level !== "off" && { reasoning: true }),
    },
    ...(level && { thinkingLevel: level }),
    warning: `Model "${base}" not found for provider "${split.provider}". Using custom model id.`,
  };
}

function ambiguousText(text: string, models: readonly Model[], pool: ModelPool): string {
  const names = models.map((model) => `${model.provider}/${model.id}`).join(", ");
  const reason = models.some((model) => pool.usable(model.provider))
    ? "More than one matching provider is authenticated."
    : "No matching provider is authenticated.";
  return `Model "${text}" is ambiguous across providers: ${names}. ${reason} Use --provider or provider/model.`;
}
