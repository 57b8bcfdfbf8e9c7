import type { Model, ModelThinkingLevel, ThinkingBudgets, ThinkingLevel } from "../types.js";

/** All levels, lowest first. */
export const THINKING_LEVELS: readonly ModelThinkingLevel[] = [
  "off",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
];

/** Levels a reasoning model has only when its map names them. Source: llm.md section 9. */
const OPT_IN_LEVELS: ReadonlySet<ModelThinkingLevel> = new Set(["xhigh", "max"]);

type LeveledModel = Pick<Model, "reasoning" | "thinkingLevelMap">;

/** The levels the model can be set to, lowest first; `["off"]` for a model without reasoning. */
export function getSupportedThinkingLevels(model: LeveledModel): ModelThinkingLevel[] {
  if (!model.reasoning) return ["off"];
  const map = model.thinkingLevelMap ?? {};
  return THINKING_LEVELS.filter((level) => {
    const mapped = map[level];
    return OPT_IN_LEVELS.has(level) ? mapped !== undefined && mapped !== null : mapped !== null;
  });
}

/** The level itself when supported, else the next higher supported one, else the next lower one. */
export function clampThinkingLevel(model: LeveledModel, level: ModelThinkingLevel): ModelThinkingLevel {
  const supported = getSupportedThinkingLevels(model);
  if (supported.includes(level)) return level;
  const wanted = THINKING_LEVELS.indexOf(level);
  const higher = supported.find((candidate) => THINKING_LEVELS.indexOf(candidate) > wanted);
  return higher ?? supported.at(-1) ?? "off";
}

/** Thinking budgets in tokens. Source: llm.md section 9. */
const DEFAULT_BUDGETS = { minimal: 1024, low: 2048, medium: 8192, high: 16384 } as const;

/** Tokens always left for the answer itself. */
export const MIN_ANSWER_TOKENS = 1024;

/** The budget in tokens of a level; `xhigh` and `max` use that of `high`. */
export function thinkingBudget(level: ThinkingLevel, budgets: ThinkingBudgets | undefined): number {
  const key = level === "xhigh" || level === "max" ? "high" : level;
  return budgets?.[key] ?? DEFAULT_BUDGETS[key];
}
