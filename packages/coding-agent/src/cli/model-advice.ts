/** What to do about a model or a provider that nobody knows. */
import { type ModelPool, resolveModel, splitThinkingSuffix } from "../core/models/resolution.js";
import { thinkingLevels } from "../core/models/thinking-levels.js";
import { closest } from "./suggest.js";

interface Wanted {
  provider?: string | undefined;
  model?: string | undefined;
}

/** One line. */
export function modelAdvice(wanted: Wanted, pool: ModelPool): string {
  const near = nearModel(wanted, pool);
  if (near !== undefined) return `Did you mean ${near}?`;
  const { provider } = wanted;
  return provider === undefined || findProvider(provider, pool)
    ? "Part of an id or a name is enough: pi --list-models <search>"
    : `Providers: ${pool.providers.join(", ")}`;
}

/** `provider/id` of what may have been meant, with its thinking level. */
export function nearModel({ provider, model = "" }: Wanted, pool: ModelPool): string | undefined {
  const { base, level } = splitNearLevel(model);
  const near = level === undefined ? undefined : nearName({ provider, model: base }, pool);
  return near === undefined ? nearName({ provider, model }, pool) : `${near}:${level}`;
}

/** One line for a pattern of models that fits none of those that can be used. */
export function patternAdvice(pattern: string, pool: ModelPool): string {
  const usable: ModelPool = {
    providers: pool.providers.filter((id) => pool.usable(id)),
    models: (provider) => pool.models(provider),
    usable: () => true,
    speaks: (api) => pool.speaks(api),
    defaultModelId: (provider) => pool.defaultModelId(provider),
  };
  return modelAdvice({ model: pattern }, usable);
}

/** `name:level`, also when the level is nearly one. */
function splitNearLevel(text: string): { base: string; level?: string | undefined } {
  const exact = splitThinkingSuffix(text);
  const at = text.lastIndexOf(":");
  if (exact.level !== undefined || at <= 0) return exact;
  return { base: text.slice(0, at), level: closest(text.slice(at + 1), thinkingLevels) };
}

function nearName({ provider, model = "" }: Wanted, pool: ModelPool): string | undefined {
  const slash = model.indexOf("/");
  const given = provider ?? (slash > 0 ? model.slice(0, slash) : undefined);
  const id = provider === undefined ? model.slice(slash + 1) : model;
  const known = given === undefined ? undefined : findProvider(given, pool);
  const nearProvider = given === undefined || known ? undefined : closest(given, pool.providers);
  if (nearProvider !== undefined) return `${nearProvider}/${id}`;
  if (provider !== undefined && !known) return undefined;
  const exact = resolveModel(model, pool, known);
  if (exact.kind === "found") return `${exact.model.provider}/${exact.model.id}`;
  const names = new Map<string, string>();
  // What can be used comes first: of equally near ones it is meant.
  for (const each of known ? [known] : usableFirst(pool)) {
    for (const candidate of pool.models(each)) {
      const full = `${each}/${candidate.id}`;
      for (const name of [candidate.id, full]) if (!names.has(name)) names.set(name, full);
    }
  }
  const near = closest(known ? id : model, names.keys());
  return near === undefined ? undefined : names.get(near);
}

function findProvider(word: string, { providers }: ModelPool): string | undefined {
  return providers.find((id) => id.toLowerCase() === word.toLowerCase());
}

function usableFirst(pool: ModelPool): string[] {
  const usable = pool.providers.filter((id) => pool.usable(id));
  return [...usable, ...pool.providers.filter((id) => !usable.includes(id))];
}
