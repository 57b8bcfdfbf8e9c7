import type { Model, ModelCost, ModelCostRates, Usage } from "../types.js";

const TOKENS_PER_RATE = 1_000_000;
/** One-hour cache writes are billed at this multiple of the input rate. Source: llm.md section 9. */
const LONG_CACHE_WRITE_FACTOR = 2;

/**
 * Computes the cost of an answer in US dollars, stores it in `usage.cost` and returns it.
 * The highest tier whose limit the request's input (cache included) exceeds replaces all rates.
 */
export function calculateCost(model: Pick<Model, "cost">, usage: Usage): Usage["cost"] {
  const rates = applicableRates(model.cost, usage.input + usage.cacheRead + usage.cacheWrite);
  const longWrites = Math.min(usage.cacheWrite1h ?? 0, usage.cacheWrite);
  const { cost } = usage;
  cost.input = price(rates.input, usage.input);
  cost.output = price(rates.output, usage.output);
  cost.cacheRead = price(rates.cacheRead, usage.cacheRead);
  cost.cacheWrite =
    price(rates.cacheWrite, usage.cacheWrite - longWrites) + price(rates.input * LONG_CACHE_WRITE_FACTOR, longWrites);
  cost.total = cost.input + cost.output + cost.cacheRead + cost.cacheWrite;
  cost.totalFromProvider = false;
  return cost;
}

/** Multiplies all parts of a cost, as service tiers do. */
export function scaleCost(cost: Usage["cost"], factor: number): void {
  cost.input *= factor;
  cost.output *= factor;
  cost.cacheRead *= factor;
  cost.cacheWrite *= factor;
  cost.total *= factor;
}

/** A usage of nothing. */
export function emptyUsage(): Usage {
  return {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
}

function applicableRates(cost: ModelCost, inputTokens: number): ModelCostRates {
  let rates: ModelCostRates = cost;
  let limit = -1;
  for (const tier of cost.tiers ?? []) {
    if (inputTokens > tier.inputTokensAbove && tier.inputTokensAbove > limit) {
      rates = tier;
      limit = tier.inputTokensAbove;
    }
  }
  return rates;
}

function price(ratePerMillion: number, tokens: number): number {
  return (ratePerMillion / TOKENS_PER_RATE) * tokens;
}
