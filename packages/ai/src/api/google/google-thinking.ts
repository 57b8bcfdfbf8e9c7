import { getSupportedThinkingLevels } from "../../models/thinking-levels.js";
import type { Model, SimpleStreamOptions, ThinkingLevel } from "../../types.js";
import type { SimpleBase } from "../simple-options.js";
import { takesThinkingLevel } from "./google-models.js";
import type {
  GoogleApiThinkingLevel,
  GoogleBudgets,
  GoogleOptions,
  ResolvedGoogleThinkingLevel,
} from "./google-options.js";

const LEVELS: Readonly<Record<ResolvedGoogleThinkingLevel, GoogleApiThinkingLevel>> = {
  minimal: "MINIMAL",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
};

/** Budgets in tokens, the first match by id; -1 lets the model decide. Source: llm-wire.md section 7. */
const BUDGETS: readonly { pattern: RegExp; budgets: Readonly<Record<ResolvedGoogleThinkingLevel, number>> }[] = [
  { pattern: /2\.5-pro/, budgets: { minimal: 128, low: 2048, medium: 8192, high: 32_768 } },
  { pattern: /2\.5-flash-lite/, budgets: { minimal: 512, low: 2048, medium: 8192, high: 24_576 } },
  { pattern: /2\.5-flash/, budgets: { minimal: 128, low: 2048, medium: 8192, high: 24_576 } },
];
const DYNAMIC_BUDGET = -1;

/** The own options of both of Google's APIs for the common ones. */
export function googleOwnOptions(
  base: SimpleBase,
  options: SimpleStreamOptions | undefined,
  model: Model,
): SimpleBase["options"] & Pick<GoogleOptions, "thinking" | "toolChoice"> {
  const thinking = thinkingOption(model, base.reasoning, options?.thinkingBudgets);
  return { ...base.options, thinking, toolChoice: options?.toolChoice };
}

/** The `thinking` option for a level of the common options; off without one. */
function thinkingOption(
  model: Model,
  level: ThinkingLevel | undefined,
  budgets: GoogleBudgets,
): NonNullable<GoogleOptions["thinking"]> {
  if (level === undefined) return { enabled: false };
  if (takesThinkingLevel(model.id)) return { enabled: true, level: apiLevel(model, level) };
  const key = named(level);
  const table = BUDGETS.find(({ pattern }) => pattern.test(model.id))?.budgets;
  return { enabled: true, budgetTokens: budgets?.[key] ?? table?.[key] ?? DYNAMIC_BUDGET };
}

/** The level as it is sent, for the record of the answer. */
export function googleThinkingLevel(thinking: GoogleOptions["thinking"]): string | undefined {
  return thinking?.enabled ? thinking.level : undefined;
}

/** The `thinkingConfig` of a request; undefined when nothing is to be said about thinking. */
export function thinkingConfig(model: Model, thinking: GoogleOptions["thinking"]): Record<string, unknown> | undefined {
  if (!model.reasoning) return undefined;
  if (thinking?.enabled) {
    const config: Record<string, unknown> = { includeThoughts: true };
    if (thinking.level !== undefined) config["thinkingLevel"] = thinking.level;
    else if (thinking.budgetTokens !== undefined) config["thinkingBudget"] = thinking.budgetTokens;
    return config;
  }
  if (model.thinkingLevelMap?.off !== null) return { thinkingBudget: 0 };
  // A model that cannot stop thinking is asked to think as little as it can.
  if (!takesThinkingLevel(model.id)) return undefined;
  const lowest = getSupportedThinkingLevels(model).find((level) => level !== "off");
  return lowest === undefined ? undefined : { thinkingLevel: apiLevel(model, lowest) };
}

/** The model's own word for a level where it is one of Google's, else the level's name; the highest for those above. */
function apiLevel(model: Model, level: ThinkingLevel): GoogleApiThinkingLevel {
  const mapped = model.thinkingLevelMap?.[level]?.toLowerCase();
  return isNamed(mapped) ? LEVELS[mapped] : LEVELS[named(level)];
}

function named(level: ThinkingLevel): ResolvedGoogleThinkingLevel {
  return level === "xhigh" || level === "max" ? "high" : level;
}

function isNamed(word: string | undefined): word is ResolvedGoogleThinkingLevel {
  return word !== undefined && Object.hasOwn(LEVELS, word);
}
