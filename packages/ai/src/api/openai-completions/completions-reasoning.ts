import { MIN_ANSWER_TOKENS, thinkingBudget } from "../../models/thinking-levels.js";
import type { ChatTemplateKwargValue, Model, ThinkingLevel } from "../../types.js";
import type { ResolvedCompletionsCompat } from "./completions-compat.js";
import type { OpenAICompletionsOptions } from "./completions-options.js";

type Fields = Record<string, unknown>;

/** The word the provider has for a level. */
export function providerEffort(model: Model, level: ThinkingLevel): string {
  return model.thinkingLevelMap?.[level] ?? level;
}

/** The fields that switch thinking on or off, in the dialect of the server. Table: llm-wire.md section 2. */
export function reasoningFields(
  model: Model,
  compat: ResolvedCompletionsCompat,
  options: OpenAICompletionsOptions,
  maxTokens: number,
): Fields {
  if (!model.reasoning) return {};
  const level = options.reasoningEffort;
  const budget = level === undefined ? undefined : budgetTokens(level, options, maxTokens);
  const fields = level === undefined ? offFields(model, compat) : onFields(model, compat, level, budget);
  const field = compat.thinkingTokenBudgetField ?? (compat.supportsThinkingTokenBudget ? "thinking_token_budget" : "");
  return field && budget !== undefined ? { ...fields, [field]: budget } : fields;
}

/** Undefined when the output limit leaves no room for thinking. */
function budgetTokens(level: ThinkingLevel, options: OpenAICompletionsOptions, maxTokens: number): number | undefined {
  const budget = Math.min(thinkingBudget(level, options.thinkingBudgets), maxTokens - MIN_ANSWER_TOKENS);
  return budget > 0 ? budget : undefined;
}

function onFields(
  model: Model,
  compat: ResolvedCompletionsCompat,
  level: ThinkingLevel,
  budget: number | undefined,
): Fields {
  const effort = providerEffort(model, level);
  const withEffort: Fields = compat.supportsReasoningEffort ? { reasoning_effort: effort } : {};
  switch (compat.thinkingFormat) {
    case "openai":
      return withEffort;
    case "openrouter":
      return { reasoning: { effort } };
    case "deepseek":
      return { thinking: { type: "enabled" }, ...withEffort };
    case "zai": {
      const thinking = { type: "enabled", clear_thinking: false };
      return model.thinkingLevelMap?.[level] === null ? { thinking } : { thinking, ...withEffort };
    }
    case "qwen":
      return { enable_thinking: true, ...withEffort };
    case "qwen-chat-template":
      return { chat_template_kwargs: { enable_thinking: true, preserve_thinking: true } };
    case "chat-template":
      return { chat_template_kwargs: templateValues(compat.chatTemplateKwargs, { effort, budget }) };
    case "baseten":
      return { chat_template_args: templateValues(compat.chatTemplateArgs, { effort, budget }), ...withEffort };
    case "together":
      return { reasoning: { enabled: true }, ...withEffort };
    case "string-thinking":
      return { thinking: effort };
    case "ant-ling":
      return typeof model.thinkingLevelMap?.[level] === "string" ? { reasoning: { effort } } : {};
  }
}

function offFields(model: Model, compat: ResolvedCompletionsCompat): Fields {
  const off = model.thinkingLevelMap?.off;
  const withEffort: Fields = compat.supportsReasoningEffort && typeof off === "string" ? { reasoning_effort: off } : {};
  switch (compat.thinkingFormat) {
    case "openai":
      return withEffort;
    case "openrouter":
      return off === null ? {} : { reasoning: { effort: off ?? "none" } };
    case "deepseek":
      return off === null ? {} : { thinking: { type: "disabled" } };
    case "zai":
      return { thinking: { type: "disabled" } };
    case "qwen":
      return { enable_thinking: false };
    case "qwen-chat-template":
      return { chat_template_kwargs: { enable_thinking: false, preserve_thinking: true } };
    case "chat-template":
      return { chat_template_kwargs: templateValues(compat.chatTemplateKwargs, undefined) };
    case "baseten":
      return { chat_template_args: templateValues(compat.chatTemplateArgs, undefined), ...withEffort };
    case "together":
      return { reasoning: { enabled: false } };
    case "string-thinking":
      return off === null ? {} : { thinking: off ?? "none" };
    case "ant-ling":
      return {};
  }
}

/** Fills the variables of a template map; what has no value is left out. `thinking` is undefined when off. */
function templateValues(
  map: Record<string, ChatTemplateKwargValue> | undefined,
  thinking: { effort: string; budget: number | undefined } | undefined,
): Fields {
  const result: Fields = {};
  for (const [name, value] of Object.entries(map ?? {})) {
    const filled = typeof value === "object" && value !== null ? templateVariable(value, thinking) : value;
    if (filled !== undefined) result[name] = filled;
  }
  return result;
}

function templateVariable(
  variable: Extract<ChatTemplateKwargValue, object>,
  thinking: { effort: string; budget: number | undefined } | undefined,
): unknown {
  if (!thinking && variable.omitWhenOff) return undefined;
  switch (variable.$var) {
    case "thinking.enabled":
      return thinking !== undefined;
    case "thinking.effort":
      return thinking?.effort;
    case "thinking.budget":
      return thinking?.budget;
  }
}
