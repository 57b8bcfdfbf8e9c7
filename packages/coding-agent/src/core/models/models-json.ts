/** `<agentDir>/models.json`: providers and models of the user. Source: llm.md section 12. */
import type { CompatFor, Model, ModelCost, ModelThinkingLevel, ThinkingLevelMap } from "@earendil-works/pi-ai";
import { getBuiltinModels } from "@earendil-works/pi-ai/providers/all";
import { jsonProblem, jsonProblemText } from "../storage/json-problem.js";
import { readTextIfExists } from "../storage/read-text.js";
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
  const plain = stripJsonComments(text);
  try {
    root = JSON.parse(plain);
  } catch (error) {
    // The engine's own words quote the file, where keys are.
    const problem = jsonProblem(plain);
    const reason = problem ? jsonProblemText(problem) : (error as Error).name;
    throw new Error(`Failed to parse models.json: ${reason}\n\nFile: ${path}`);
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

/** The models of a provider once its entry is laid over the built-in ones; overrides come later, on top of all. */
export function applyProviderEntry(id: string, entry: ProviderEntry, builtin: readonly Model[]): Model[] {
  const models = new Map<string, Model>();
  for (const model of repointed(builtin, entry)) models.set(model.id, model);
  for (const custom of entry.models ?? []) models.set(custom.id, customModel(id, custom, entry, builtin));
  return [...models.values()];
}

/** The models at the provider's own base URL and with its flags. */
export function repointed(
  models: readonly Model[],
  { baseUrl, compat }: Pick<ProviderEntry, "baseUrl" | "compat">,
): readonly Model[] {
  if (!baseUrl && !compat) return models;
  return models.map((model) => ({ ...model, ...(baseUrl && { baseUrl }), ...withCompat(model.compat, compat) }));
}

/** A model as users and extensions describe it, completed. Its headers are not on it: they are looked up per request. */
export function customModel(
  provider: string,
  entry: ModelEntry,
  config: Pick<ProviderEntry, "api" | "baseUrl" | "compat">,
  builtin: readonly Model[],
): Model {
  const fallback = fallbackModel(entry, config, builtin);
  const { id, headers: _headers, compat, cost, ...rest } = entry;
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
    ...withCompat(compat, config.compat),
  };
}

/** `api` and `baseUrl` of a custom model may come from a built-in one: same id, else same API, else the first. */
function fallbackModel(
  entry: ModelEntry,
  config: Pick<ProviderEntry, "api">,
  builtin: readonly Model[],
): Model | undefined {
  const api = entry.api ?? config.api;
  return (
    builtin.find((model) => model.id === entry.id) ??
    builtin.find((model) => model.api === api) ??
    builtin.find((model) => model.api === "openai-completions") ??
    builtin[0]
  );
}

/** Members that merge by key; the others replace. */
const MERGED = ["cost", "thinkingLevelMap", "promptCache", "samplingParams"] as const;
/** Members of `compat` that are objects of their own. */
const MERGED_COMPAT = ["openRouterRouting", "vercelGatewayRouting", "chatTemplateKwargs", "chatTemplateArgs"];

/** Lays overrides over the models that have one; ids without a model are ignored. */
export function applyOverrides(
  models: readonly Model[],
  overrides: Readonly<Record<string, ModelOverride>> | undefined,
): readonly Model[] {
  if (!overrides || Object.keys(overrides).length === 0) return models;
  return models.map((model) => {
    const override = Object.hasOwn(overrides, model.id) ? overrides[model.id] : undefined;
    return override ? applyOverride(model, override) : model;
  });
}

function applyOverride(model: Model, override: ModelOverride): Model {
  const { headers: _headers, compat, inputLimits, samplingParamsByThinkingLevel, ...plain } = override;
  const changed: Record<string, unknown> = { ...model, ...plain };
  for (const key of MERGED) if (plain[key]) changed[key] = { ...model[key], ...plain[key] };
  if (inputLimits) changed["inputLimits"] = mergeDeep(model.inputLimits, inputLimits);
  if (samplingParamsByThinkingLevel) {
    changed["samplingParamsByThinkingLevel"] = mergeDeep(
      model.samplingParamsByThinkingLevel,
      samplingParamsByThinkingLevel,
    );
  }
  if (compat) {
    const merged: Record<string, unknown> = { ...model.compat, ...compat };
    for (const key of MERGED_COMPAT) {
      if (isRecord(compat[key])) merged[key] = mergeDeep((model.compat as Record<string, unknown>)?.[key], compat[key]);
    }
    changed["compat"] = merged;
  }
  return changed as unknown as Model;
}

/** Objects merge key by key, whatever else is given replaces. */
function mergeDeep(base: unknown, top: object): Record<string, unknown> {
  const merged: Record<string, unknown> = isRecord(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(top)) {
    if (value !== undefined) merged[key] = isRecord(value) ? mergeDeep(merged[key], value) : value;
  }
  return merged;
}

/** Compat flags of a model over those of its provider. */
function withCompat(
  own: object | undefined,
  provider: Record<string, unknown> | undefined,
): { compat?: CompatFor<string> } {
  return own || provider ? { compat: { ...provider, ...own } } : {};
}

/** What members of a model and an override must be. */
const MODEL_MEMBERS = {
  name: "string",
  api: "string",
  baseUrl: "string",
  reasoning: "boolean",
  contextWindow: "number",
  maxTokens: "number",
  input: "array",
  headers: "strings",
  cost: "object",
  compat: "object",
  thinkingLevelMap: "object",
  inputLimits: "object",
  promptCache: "object",
  samplingParams: "object",
  samplingParamsByThinkingLevel: "object",
} as const;
const PROVIDER_MEMBERS = {
  name: "string",
  baseUrl: "string",
  api: "string",
  apiKey: "string",
  authHeader: "boolean",
  headers: "strings",
  compat: "object",
  modelOverrides: "object",
  models: "array",
} as const;
const CACHE_TYPES = { short: "number", long: "number" } as const;
const LIMIT_TYPES = { maxRequestBytes: "number", images: "object" } as const;
const IMAGE_LIMIT_TYPES = { maxPerMessage: "number", maxPerRequest: "number", resize: "object" } as const;
const RESIZE_TYPES = { maxWidth: "number", maxHeight: "number", maxBytes: "number", jpegQuality: "number" } as const;
const COST_TYPES = {
  input: "number",
  output: "number",
  cacheRead: "number",
  cacheWrite: "number",
  tiers: "array",
} as const;
const TIER_TYPES = {
  inputTokensAbove: "number",
  input: "number",
  output: "number",
  cacheRead: "number",
  cacheWrite: "number",
} as const;
const COST_MEMBERS = ["input", "output", "cacheRead", "cacheWrite"];
type MemberType = "string" | "number" | "boolean" | "object" | "array" | "strings";

/** Shape errors with the path of the member, for people. Unknown members are none. */
function schemaProblems(root: unknown): string[] {
  if (!isRecord(root)) return ["root: expected an object"];
  if (!isRecord(root["providers"])) return ["providers: expected an object"];
  return Object.entries(root["providers"]).flatMap(([id, provider]) => providerShape(`providers.${id}`, provider));
}

function providerShape(at: string, provider: unknown): string[] {
  if (!isRecord(provider)) return [`${at}: expected an object`];
  const problems = memberProblems(at, provider, PROVIDER_MEMBERS);
  const { models, modelOverrides } = provider;
  if (Array.isArray(models)) {
    for (const [index, model] of models.entries()) problems.push(...modelShape(`${at}.models.${index}`, model));
  }
  if (isRecord(modelOverrides)) {
    for (const [id, override] of Object.entries(modelOverrides)) {
      const where = `${at}.modelOverrides.${id}`;
      problems.push(...(isRecord(override) ? describedShape(where, override) : [`${where}: expected an object`]));
    }
  }
  return problems;
}

function modelShape(at: string, model: unknown): string[] {
  if (!isRecord(model)) return [`${at}: expected an object`];
  const { id, cost } = model;
  if (typeof id !== "string" || id === "") return [`${at}.id: expected a non-empty string`];
  const problems = describedShape(at, model);
  if (isRecord(cost)) {
    // A model with some prices only would look cheaper than it is.
    for (const key of COST_MEMBERS) {
      if (cost[key] === undefined) problems.push(`${at}.cost.${key}: expected number, got undefined`);
    }
  }
  return problems;
}

/** What models and overrides have in common. */
function describedShape(at: string, value: Record<string, unknown>): string[] {
  const problems = memberProblems(at, value, MODEL_MEMBERS);
  const { cost, input, thinkingLevelMap, samplingParamsByThinkingLevel, inputLimits, promptCache } = value;
  if (isRecord(cost)) {
    problems.push(...memberProblems(`${at}.cost`, cost, COST_TYPES));
    for (const [index, tier] of (Array.isArray(cost["tiers"]) ? cost["tiers"] : []).entries()) {
      const where = `${at}.cost.tiers.${index}`;
      problems.push(...(isRecord(tier) ? memberProblems(where, tier, TIER_TYPES) : [`${where}: expected an object`]));
    }
  }
  if (Array.isArray(input)) {
    for (const [index, item] of input.entries()) {
      if (item !== "text" && item !== "image") problems.push(`${at}.input.${index}: expected "text" or "image"`);
    }
  }
  if (isRecord(thinkingLevelMap)) {
    for (const [level, name] of Object.entries(thinkingLevelMap)) {
      if (name !== null && typeof name !== "string") {
        problems.push(`${at}.thinkingLevelMap.${level}: expected string or null, got ${kindOf(name)}`);
      }
    }
  }
  if (isRecord(samplingParamsByThinkingLevel)) {
    for (const [level, params] of Object.entries(samplingParamsByThinkingLevel)) {
      const where = `${at}.samplingParamsByThinkingLevel.${level}`;
      if (!isRecord(params)) problems.push(`${where}: expected object, got ${kindOf(params)}`);
    }
  }
  if (isRecord(inputLimits)) {
    problems.push(...memberProblems(`${at}.inputLimits`, inputLimits, LIMIT_TYPES));
    const { images } = inputLimits;
    if (isRecord(images)) {
      problems.push(...memberProblems(`${at}.inputLimits.images`, images, IMAGE_LIMIT_TYPES));
      const { resize } = images;
      if (isRecord(resize)) problems.push(...memberProblems(`${at}.inputLimits.images.resize`, resize, RESIZE_TYPES));
    }
  }
  if (isRecord(promptCache)) problems.push(...memberProblems(`${at}.promptCache`, promptCache, CACHE_TYPES));
  return problems;
}

function memberProblems(at: string, value: Record<string, unknown>, types: Readonly<Record<string, MemberType>>) {
  const problems: string[] = [];
  for (const [key, type] of Object.entries(types)) {
    const member = value[key];
    if (member === undefined) continue;
    const wanted = type === "strings" ? "object" : type;
    if (kindOf(member) !== wanted) problems.push(`${at}.${key}: expected ${wanted}, got ${kindOf(member)}`);
    else if (type === "strings") {
      for (const [name, text] of Object.entries(member as object)) {
        if (typeof text !== "string") problems.push(`${at}.${key}.${name}: expected string, got ${kindOf(text)}`);
      }
    }
  }
  return problems;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads the file. One with errors configures nothing, one provider with errors not itself; the built-in models remain. */
export function readModelsJson(path: string): { entries: Map<string, ProviderEntry>; error?: string } {
  let entries: Map<string, ProviderEntry>;
  try {
    const text = readTextIfExists(path);
    if (text === undefined) return { entries: new Map() };
    entries = parseModelsJson(text, path);
  } catch (error) {
    return { entries: new Map(), error: (error as Error).message };
  }
  const problems: string[] = [];
  for (const [id, entry] of entries) {
    // Only custom models need built-in ones to lean on: their list is not read for anything else.
    const own = providerProblems(id, entry, entry.models ? getBuiltinModels(id) : []);
    if (own.length === 0) continue;
    entries.delete(id);
    problems.push(...own.map((problem) => `Provider "${id}": ${problem}`));
  }
  return { entries, ...(problems.length > 0 && { error: `${problems.join("\n")}\n\nFile: ${path}` }) };
}
