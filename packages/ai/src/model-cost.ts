/** What a model costs. Source: llm.md section 2. */

/** US dollars per million tokens. */
export interface ModelCostRates {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** Rates that replace all others once a request's input (cache included) is above the limit. */
export type ModelCostTier = ModelCostRates & { inputTokensAbove: number };
export type ModelCost = ModelCostRates & { tiers?: ModelCostTier[] };
