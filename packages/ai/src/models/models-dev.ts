/** The public catalogue of models.dev, as models of ours. Pure. Used on request only: by a refresh and by the generator. */
import { isObject } from "../json/objects.js";
import type { Model } from "../types.js";

/** Where the catalogue is. */
export const MODELS_DEV_URL = "https://models.dev/api.json";

/** Provider ids that differ there. */
const NAMES: Readonly<Record<string, string>> = {
  together: "togetherai",
  fireworks: "fireworks-ai",
  "vercel-ai-gateway": "vercel",
  "kimi-coding": "kimi-for-coding",
};

/** What a provider's models have in common. */
export interface ProviderDefaults {
  id: string;
  api: string;
  baseUrl: string;
}

/**
 * The chat models that models.dev lists for a provider; what it leaves out has the defaults of models.json. Entries
 * that are not understood are left out.
 */
export function modelsFromModelsDev(catalogue: unknown, provider: ProviderDefaults): Model[] {
  const listed = isObject(catalogue) ? catalogue[NAMES[provider.id] ?? provider.id] : undefined;
  const models = isObject(listed) && isObject(listed["models"]) ? Object.values(listed["models"]) : [];
  return models.flatMap((model) => (isObject(model) ? (toModel(model, provider) ?? []) : []));
}

function toModel(model: Record<string, unknown>, { id: provider, api, baseUrl }: ProviderDefaults): Model | undefined {
  const { id, name, reasoning } = model;
  const modalities = record(model["modalities"]);
  const output = modalities["output"];
  // Speech, images and embeddings are other types of models.
  if (typeof id !== "string" || id === "" || (Array.isArray(output) && !output.includes("text"))) return undefined;
  const limit = record(model["limit"]);
  const input = modalities["input"];
  return {
    id,
    name: typeof name === "string" && name !== "" ? name : id,
    api,
    provider,
    baseUrl,
    type: "chat",
    reasoning: reasoning === true,
    input: Array.isArray(input) && input.includes("image") ? ["text", "image"] : ["text"],
    cost: costOf(record(model["cost"])),
    contextWindow: positive(limit["context"]) ?? 128_000,
    maxTokens: positive(limit["output"]) ?? 16_384,
  };
}

const LONG_CONTEXT_TOKENS = 200_000;

function costOf(cost: Record<string, unknown>): Model["cost"] {
  const rates = (from: Record<string, unknown>) => ({
    input: positive(from["input"]) ?? 0,
    output: positive(from["output"]) ?? 0,
    cacheRead: positive(from["cache_read"]) ?? 0,
    cacheWrite: positive(from["cache_write"]) ?? 0,
  });
  const above = cost["context_over_200k"];
  return {
    ...rates(cost),
    ...(isObject(above) && { tiers: [{ inputTokensAbove: LONG_CONTEXT_TOKENS, ...rates(above) }] }),
  };
}

function record(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}
