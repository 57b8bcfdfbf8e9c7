/** Patterns of `--models` and of the setting `enabledModels`, to models. Source: llm.md section 13 (Patterns). */
import type { Model, ModelThinkingLevel } from "@earendil-works/pi-ai";
import { modelGlob } from "./model-glob.js";
import { type ModelMatch, type ModelPool, resolveModel, splitThinkingSuffix } from "./resolution.js";

/** A model to start with and to cycle through; without a level, the model's usual one. */
export interface ScopedModel {
  model: Model;
  thinkingLevel?: ModelThinkingLevel;
}

export interface ModelScopeDiagnostic {
  type: "warning";
  code: "no-match" | "invalid-thinking-level" | "ambiguous";
  message: string;
  pattern: string;
}

export interface ResolveModelScopeResult {
  scopedModels: ScopedModel[];
  diagnostics: ModelScopeDiagnostic[];
}

/** What patterns choose from. */
export interface AvailableModels {
  getAvailable(provider?: string, options?: { signal?: AbortSignal | undefined }): Promise<readonly Model[]>;
}

/** The models of the patterns, in the order of the patterns, each once, among those that can be used. */
export async function resolveModelScopeWithDiagnostics(
  patterns: readonly string[],
  modelRuntime: AvailableModels,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<ResolveModelScopeResult> {
  return resolvePatterns(patterns, await modelRuntime.getAvailable(undefined, { signal }));
}

/** As above, over a given list. Pure. */
export function resolvePatterns(patterns: readonly string[], available: readonly Model[]): ResolveModelScopeResult {
  const chosen = new Map<string, ScopedModel>();
  const diagnostics: ModelScopeDiagnostic[] = [];
  const pool = poolOf(available);
  for (const pattern of patterns) {
    const warn = (code: ModelScopeDiagnostic["code"], message: string) =>
      diagnostics.push({ type: "warning", code, message, pattern });
    const { models, level, badLevel, isAmbiguous } = /[*?[]/.test(pattern)
      ? byGlob(pattern, available)
      : byName(pattern, pool);
    if (models.length === 0) {
      warn("no-match", `No models match pattern "${pattern}"`);
      continue;
    }
    if (badLevel !== undefined) {
      warn(
        "invalid-thinking-level",
        `Invalid thinking level "${badLevel}" in pattern "${pattern}". Using default instead.`,
      );
    }
    if (isAmbiguous) {
      const providers = [...new Set(models.map(({ provider }) => provider))].join(", ");
      warn("ambiguous", `Pattern "${pattern}" matches several providers: ${providers}. Use provider/id to choose one.`);
    }
    for (const model of models) {
      const key = JSON.stringify([model.provider, model.id]);
      if (!chosen.has(key)) chosen.set(key, { model, ...(level !== undefined && { thinkingLevel: level }) });
    }
  }
  return { scopedModels: [...chosen.values()], diagnostics };
}

interface PatternMatch {
  models: readonly Model[];
  level?: ModelThinkingLevel | undefined;
  badLevel?: string | undefined;
  isAmbiguous?: boolean;
}

/** A suffix is a level first; an id may look like a pattern. */
function byGlob(pattern: string, available: readonly Model[]): PatternMatch {
  const { base, level } = splitThinkingSuffix(pattern);
  const names = (model: Model) => [`${model.provider}/${model.id}`, model.id];
  const exact = available.filter((model) => names(model).some((name) => name.toLowerCase() === base.toLowerCase()));
  if (exact.length > 0) return { models: exact, level };
  let glob: RegExp;
  try {
    glob = modelGlob(base);
  } catch {
    return { models: [] };
  }
  return { models: available.filter((model) => names(model).some((name) => glob.test(name))), level };
}

/** As `--model`, but a suffix that is no level is dropped. */
function byName(pattern: string, pool: ModelPool): PatternMatch {
  const match = resolveModel(pattern, pool);
  if (match.kind !== "none") return { ...modelsOf(match), level: match.thinkingLevel };
  const at = pattern.lastIndexOf(":");
  if (at <= 0) return { models: [] };
  return { ...modelsOf(resolveModel(pattern.slice(0, at), pool)), badLevel: pattern.slice(at + 1) };
}

function modelsOf(match: ModelMatch): Pick<PatternMatch, "models" | "isAmbiguous"> {
  if (match.kind === "found") return { models: [match.model] };
  return match.kind === "ambiguous" ? { models: match.models, isAmbiguous: true } : { models: [] };
}

/** The list by provider. Everything in it can be used. */
function poolOf(available: readonly Model[]): ModelPool {
  const byProvider = new Map<string, Model[]>();
  for (const model of available) {
    const models = byProvider.get(model.provider);
    if (models) models.push(model);
    else byProvider.set(model.provider, [model]);
  }
  return {
    providers: [...byProvider.keys()],
    models: (provider) => byProvider.get(provider) ?? [],
    usable: () => true,
    speaks: () => true,
    defaultModelId: () => undefined,
  };
}
