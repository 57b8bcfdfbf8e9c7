/** `<agentDir>/models.json`: providers and models of the user. Source: llm.md section 12. */
import type { CompatFor, Model, ModelCost, ModelThinkingLevel, ThinkingLevelMap } from "@earendil-works/pi-ai";
import { stripJsonComments } from "./json-with-comments.js";

export interface ModelEntry {
  id: string;
  name?: string;
  api?: string;
  baseUrl?: string;
  reasoning?: boolean;
  thinkingLevelMap?: ThinkingLevelMap;
  input?: ("text" | "image")[];
  inputLimits?: NonNullable<Model["inputLimits"]>;
  cost?: ModelCost;
  promptCache?: NonNullable<Model["promptCache"]>;
  contextWindow?: number;
  maxTokens?: number;
  samplingParams?: Record<string, unknown>;
  samplingParamsByThinkingLevel?: Partial<Record<ModelThinkingLevel, Record<string, unknown>>>;
  headers?: Record<string, string>;
  compat?: Record<string, unknown>;
}

export type ModelOverride = Partial<Omit<ModelEntry, "id" | "api" | "baseUrl">>;

export interface ProviderEntry {
  name?: string;
  baseUrl?: string;
  api?: string;
  apiKey?: string;
  headers?: Record<string, string>;
  authHeader?: boolean;
  compat?: Record<string, unknown>;
  models?: ModelEntry[];
  modelOverrides?: Record<string, ModelOverride>;
}

/** @throws `Failed to parse models.json: …` or `Invalid models.json schema: …`, both with the file's path */
export function parseModelsJson(text: string, path: string): Map<string, ProviderEntry> {
  let root: unknown;
  try {
    root = JSON.parse(stripJsonComments(text));
  } catch (error) {
    throw new Error(`Failed to parse models.json: ${(error as Error).message}\n\nFile: ${path}`);
  }
  const problems = schemaProblems(root);
  if (problems.length > 0) {
    throw new Error(`Invalid models.json schema:\n${problems.map((p) => `  - ${p}`).join("\n")}\n\nFile: ${path}`);
  }
  return new Map(Object.entries((root as { providers: Record<string, ProviderEntry> }).providers));
}

/** Reasons why a provider entry cannot be used as a whole; its built-in stays as it is then. */
export function providerProblems(id: string, entry: ProviderEntry, builtin: readonly Model[]): string[] {
  const useful = [entry.baseUrl, entry.headers, entry.compat, entry.modelOverrides, entry.models, entry.apiKey];
  if (useful.every((value) => value === undefined)) {
    return [`Provider ${id}: must specify "baseUrl", "headers", "compat", "modelOverrides", or "models".`];
  }
  const problems: string[] = [];
  for (const model of entry.models ?? []) {
    const fallback = fallbackModel(model, entry, builtin);
    if (!(model.api ?? entry.api ?? fallback?.api)) {
      problems.push(`Provider ${id}, model ${model.id}: no "api" specified. Set at provider or model level.`);
    } else if (!(model.baseUrl ?? entry.baseUrl ?? fallback?.baseUrl)) {
      problems.push(`Provider ${id}: "baseUrl" is required when defining custom models.`);
    }
  }
  return problems;
}

/** The models of a provider once its entry is laid over the built-in ones. */
export function applyProviderEntry(id: string, entry: ProviderEntry, builtin: readonly Model[]): Model[] {
  const models = new Map<string, Model>();
  for (const model of builtin) {
    models.set(model.id, {
      ...model,
      ...(entry.baseUrl && { baseUrl: entry.baseUrl }),
      ...withCompat(model.compat, entry.compat, "below"),
    });
  }
  for (const custom of entry.models ?? []) models.set(custom.id, customModel(id, custom, entry, builtin));
  for (const [modelId, override] of Object.entries(entry.modelOverrides ?? {})) {
    const model = models.get(modelId);
    if (model) models.set(modelId, applyOverride(model, override));
  }
  return [...models.values()];
}

function customModel(provider: string, entry: ModelEntry, config: ProviderEntry, builtin: readonly Model[]): Model {
  const fallback = fallbackModel(entry, config, builtin);
  const { id, headers, compat, cost, ...rest } = entry;
  const { name = id, reasoning = false, input = ["text"], contextWindow = 128_000, maxTokens = 16_384 } = rest;
  return {
    ...rest,
    id,
    name,
    api: entry.api ?? config.api ?? fallback?.api ?? "",
    provider,
    baseUrl: entry.baseUrl ?? config.baseUrl ?? fallback?.baseUrl ?? "",
    reasoning,
    input,
    contextWindow,
    maxTokens,
    cost: cost ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    ...withCompat(compat, config.compat, "below"),
  };
}

/** `api` and `baseUrl` of a custom model may come from a built-in one: same id, else same API, else the first. */
function fallbackModel(entry: ModelEntry, config: ProviderEntry, builtin: readonly Model[]): Model | undefined {
  const api = entry.api ?? config.api;
  return (
    builtin.find((model) => model.id === entry.id) ??
    builtin.find((model) => model.api === (api ?? "openai-completions")) ??
    builtin[0]
  );
}

function applyOverride(model: Model, override: ModelOverride): Model {
  const { cost, thinkingLevelMap, promptCache, samplingParams, compat, headers: _headers, ...plain } = override;
  return {
    ...model,
    ...plain,
    ...(cost && { cost: { ...model.cost, ...cost } }),
    ...(thinkingLevelMap && { thinkingLevelMap: { ...model.thinkingLevelMap, ...thinkingLevelMap } }),
    ...(promptCache && { promptCache: { ...model.promptCache, ...promptCache } }),
    ...(samplingParams && { samplingParams: { ...model.samplingParams, ...samplingParams } }),
    ...withCompat(model.compat, compat, "above"),
  };
}

/** Merges compat flags of a provider below, or of an override above, those of a model. */
function withCompat(
  own: object | undefined,
  other: Record<string, unknown> | undefined,
  where: "above" | "below",
): { compat?: CompatFor<string> } {
  if (!own && !other) return {};
  const merged: Record<string, unknown> = where === "below" ? { ...other, ...own } : { ...own, ...other };
  return { compat: merged };
}

/** Shape errors with the path of the member, for people. */
function schemaProblems(root: unknown): string[] {
  if (!isRecord(root)) return ["root: expected an object"];
  if (!isRecord(root["providers"])) return ["providers: expected an object"];
  const problems: string[] = [];
  const expect = (where: string, value: unknown, type: "string" | "number" | "boolean" | "object") => {
    const actual = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
    if (value !== undefined && actual !== type) problems.push(`${where}: expected ${type}, got ${actual}`);
  };
  for (const [id, provider] of Object.entries(root["providers"])) {
    const at = `providers.${id}`;
    if (!isRecord(provider)) {
      problems.push(`${at}: expected an object`);
      continue;
    }
    for (const key of ["name", "baseUrl", "api", "apiKey"]) expect(`${at}.${key}`, provider[key], "string");
    for (const key of ["headers", "compat", "modelOverrides"]) expect(`${at}.${key}`, provider[key], "object");
    expect(`${at}.authHeader`, provider["authHeader"], "boolean");
    const { models } = provider as { models?: unknown };
    if (models === undefined) continue;
    if (!Array.isArray(models)) {
      problems.push(`${at}.models: expected an array`);
      continue;
    }
    for (const [index, model] of models.entries()) {
      const where = `${at}.models.${index}`;
      if (!isRecord(model)) problems.push(`${where}: expected an object`);
      else if (typeof model["id"] !== "string" || model["id"] === "")
        problems.push(`${where}.id: expected a non-empty string`);
      else {
        for (const key of ["name", "api", "baseUrl"]) expect(`${where}.${key}`, model[key], "string");
        for (const key of ["contextWindow", "maxTokens"]) expect(`${where}.${key}`, model[key], "number");
        expect(`${where}.reasoning`, model["reasoning"], "boolean");
        for (const key of ["headers", "compat", "cost"]) expect(`${where}.${key}`, model[key], "object");
        if (model["input"] !== undefined && !Array.isArray(model["input"]))
          problems.push(`${where}.input: expected an array`);
      }
    }
  }
  return problems;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
