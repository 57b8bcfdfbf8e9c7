import type { Model, Usage } from "../../types.js";
import { record } from "../event-fields.js";

/**
 * OpenRouter reports what an answer cost: its figure replaces the computed total. With a key of the user's own, its
 * figure is only OpenRouter's fee, and the upstream provider's charge comes on top. Source: llm.md section 9.
 */
export function applyReportedCost(model: Model, usage: Usage, wire: Record<string, unknown>): void {
  if (model.provider !== "openrouter" && !model.baseUrl.includes("openrouter.ai")) return;
  const cost = amount(wire["cost"]);
  const ownKey = wire["is_byok"];
  if (cost === undefined || typeof ownKey !== "boolean") return;
  usage.cost.total = ownKey ? cost + upstreamCost(record(wire["cost_details"])) : cost;
  usage.cost.totalFromProvider = true;
}

function upstreamCost(details: Record<string, unknown>): number {
  const total = amount(details["upstream_inference_cost"]);
  if (total !== undefined) return total;
  const prompt = amount(details["upstream_inference_prompt_cost"]) ?? 0;
  return prompt + (amount(details["upstream_inference_completions_cost"]) ?? 0);
}

function amount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
