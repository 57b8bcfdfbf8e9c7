/**
 * Names of the contract whose work is not done yet: they exist, so that imports resolve, and say so when they are used.
 * Source: exports.md section 1.2 ([L]).
 */
import type { CacheWarmingDecision, CacheWarmingPhase } from "./models/other-model-types.js";
import type { Model, SimpleStreamOptions } from "./types.js";

/** Longest time an idle cache is kept warm, in ms. */
export const CACHE_WARMING_MAX_IDLE_AGE_MS = 30 * 60_000;
/** Longest time a cache is kept warm at all, in ms. */
export const CACHE_WARMING_MAX_AGE_MS = 60 * 60_000;
/** Smallest expected saving, in US dollars, that is worth a warming request. */
export const CACHE_WARMING_MINIMUM_EXPECTED_SAVINGS = 0.05;
/** Assumed probability that an idle conversation goes on. */
export const CACHE_WARMING_IDLE_CONTINUATION_PROBABILITY = 0.15;
/** Names of telemetry fields: none, because nothing is sent. */
export const AI_TELEMETRY_SCHEMA: Readonly<Record<string, never>> = Object.freeze({});

function notYet(name: string): never {
  throw new Error(`${name} is not available in this release.`);
}

export function getPromptCacheTtlMs(_model: Model, _options?: SimpleStreamOptions): number | undefined {
  return notYet("getPromptCacheTtlMs");
}

export function getCacheWarmingDelayMs(_ttlMs: number): number | undefined {
  return notYet("getCacheWarmingDelayMs");
}

export function isCacheWarmingReplayable(_model: Model, _options?: SimpleStreamOptions): boolean {
  return notYet("isCacheWarmingReplayable");
}

export function getCacheWarmingRequestOptions(
  _options: SimpleStreamOptions,
  _signal: AbortSignal,
): SimpleStreamOptions {
  return notYet("getCacheWarmingRequestOptions");
}

export function evaluateCacheWarming(
  _model: Model,
  _promptTokens: number,
  _phase: CacheWarmingPhase,
): CacheWarmingDecision {
  return notYet("evaluateCacheWarming");
}
