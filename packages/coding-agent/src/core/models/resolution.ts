/** From what a user types to a model. Pure. Source: llm.md section 13. */
import type { Model, ModelThinkingLevel } from "@earendil-works/pi-ai";
import { thinkingLevels } from "./thinking-levels.js";

/** The models there are. Reading a provider's list may load it, so resolution asks for as few as it can. */
export interface ModelPool {
  readonly providers: readonly string[];
  models(provider: string): readonly Model[];
  /** Whether requests to the provider can be authenticated. */
  usable(provider: string): boolean;
  /** Whether requests of this API kind can be made. */
  speaks(api: string): boolean;
  /** Id of the provider's default model. */
  defaultModelId(provider: string): string | undefined;
  /** Throws what may be the reason when no model can be used. */
  explainNoModel?(): void;
}

export type ModelMatch =
  | { kind: "found"; model: Model; thinkingLevel?: ModelThinkingLevel }
  | { kind: "ambiguous"; models: Model[]; thinkingLevel?: ModelThinkingLevel }
  | { kind: "none" };

/**
 * Finds the model for a text (strict: a suffix that is no thinking level is part of the name).
 *
 * @param provider limits the search to one provider
 */
export function resolveModel(text: string, pool: ModelPool, provider?: string): ModelMatch {
  const direct = resolveText(text, pool, provider);
  if (direct.kind !== "none") return direct;
  const { base, level } = splitThinkingSuffix(text);
  if (level === undefined) return { kind: "none" };
  const match = resolveText(base, pool, provider);
  return match.kind === "none" ? match : { ...match, thinkingLevel: level };
}

/** Splits `name:level` at the last colon when the suffix is a thinking level. */
export function splitThinkingSuffix(text: string): { base: string; level?: ModelThinkingLevel } {
  const at = text.lastIndexOf(":");
  const level = thinkingLevels.find((candidate) => candidate === text.slice(at + 1).toLowerCase());
  return at > 0 && level !== undefined ? { base: text.slice(0, at), level } : { base: text };
}

/** Splits `provider/rest` by the longest known provider id; ids may contain slashes themselves. */
export function splitProvider(
  text: string,
  providers: readonly string[],
): { provider: string; rest: string } | undefined {
  const lower = text.toLowerCase();
  const provider = providers
    .filter((id) => lower.startsWith(`${id.toLowerCase()}/`))
    .sort((a, b) => b.length - a.length)[0];
  return provider === undefined ? undefined : { provider, rest: text.slice(provider.length + 1) };
}

function resolveText(text: string, pool: ModelPool, provider: string | undefined): ModelMatch {
  const providers = provider === undefined ? pool.providers : [provider];
  const reference = resolveReference(text, pool, providers);
  return reference.kind === "none" ? resolveFuzzily(text, pool, providers) : reference;
}

function resolveReference(text: string, pool: ModelPool, providers: readonly string[]): ModelMatch {
  const split = splitProvider(text, providers);
  let named: Model | undefined;
  if (split) {
    const models = pool.models(split.provider);
    const exact = byId(models, split.rest) ?? byId(models, text);
    named = exact ?? bestOf(models.filter((model) => matches(model, split.rest)));
    // An exact name of a provider that can be used needs no look at all the others.
    if (exact && pool.usable(split.provider)) return { kind: "found", model: exact };
  }
  const raw = providers.flatMap((id) => pool.models(id).filter((model) => same(model.id, text)));
  const candidates = [...new Set(named ? [named, ...raw] : raw)];
  const [only] = candidates;
  if (!only) return { kind: "none" };
  if (new Set(candidates.map((model) => model.provider)).size === 1) return { kind: "found", model: only };
  if (named && pool.usable(named.provider)) return { kind: "found", model: named };
  const usableRaw = raw.filter((model) => pool.usable(model.provider));
  const [usable] = usableRaw;
  if (usable && usableRaw.length === 1) return { kind: "found", model: usable };
  if (named && usableRaw.length === 0) return { kind: "found", model: named };
  return { kind: "ambiguous", models: candidates };
}

function resolveFuzzily(text: string, pool: ModelPool, providers: readonly string[]): ModelMatch {
  const all = providers.flatMap((id) => pool.models(id).filter((model) => matches(model, text)));
  const usable = all.filter((model) => pool.usable(model.provider));
  const candidates = usable.length > 0 ? usable : all;
  const best = bestOf(candidates);
  if (!best) return { kind: "none" };
  const twins = candidates.filter((model) => same(model.id, best.id));
  return twins.length > 1 ? { kind: "ambiguous", models: twins } : { kind: "found", model: best };
}

/** Names without a date come before dated ones, then the highest id: the newest of a family. */
function bestOf(models: readonly Model[]): Model | undefined {
  const isAlias = (model: Model) => model.id.endsWith("-latest") || !/-\d{8}$/.test(model.id);
  return [...models].sort((a, b) => Number(isAlias(b)) - Number(isAlias(a)) || b.id.localeCompare(a.id))[0];
}

function byId(models: readonly Model[], id: string): Model | undefined {
  return models.find((model) => same(model.id, id));
}

function matches(model: Model, text: string): boolean {
  const needle = text.toLowerCase();
  return model.id.toLowerCase().includes(needle) || model.name.toLowerCase().includes(needle);
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
