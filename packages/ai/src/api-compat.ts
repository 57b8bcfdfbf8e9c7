/**
 * What a model's endpoint does differently from the API it speaks: `compat` of models.json and of the catalogue, one type an
 * API. Absent members mean what the API's documentation says. Source: llm.md section 2.
 */
import type { ModelCost } from "./model-cost.js";

export type SessionAffinityFormat = "openai" | "openai-nosession" | "openrouter";
export type ThinkingTokenBudgetField = "thinking_budget" | "thinking_budget_tokens" | "thinking_token_budget";
export type ChatTemplateKwargValue =
  | string
  | number
  | boolean
  | null
  | { $var: "thinking.enabled" | "thinking.effort" | "thinking.budget"; omitWhenOff?: boolean };

export interface OpenRouterRouting {
  order?: string[];
  only?: string[];
  ignore?: string[];
  allow_fallbacks?: boolean;
  require_parameters?: boolean;
  data_collection?: string;
  zdr?: boolean;
  enforce_distillable_text?: boolean;
  quantizations?: string[];
  sort?: unknown;
  max_price?: Record<string, unknown>;
  preferred_min_throughput?: unknown;
  preferred_max_latency?: unknown;
}

export interface VercelGatewayRouting {
  only?: string[];
  order?: string[];
}

/** How a server deviates from OpenAI's Chat Completions. Meanings and detection: llm-wire.md section 11. */
export interface OpenAICompletionsCompat {
  supportsStore?: boolean;
  supportsDeveloperRole?: boolean;
  supportsReasoningEffort?: boolean;
  supportsUsageInStreaming?: boolean;
  supportsFinishReason?: boolean;
  maxTokensField?: "max_tokens" | "max_completion_tokens";
  requiresToolResultName?: boolean;
  requiresAssistantAfterToolResult?: boolean;
  requiresNonNullAssistantContent?: boolean;
  requiresToolsWithToolHistory?: boolean;
  requiresThinkingAsText?: boolean;
  requiresReasoningContentOnAssistantMessages?: boolean;
  thinkingFormat?:
    | "openai"
    | "openrouter"
    | "deepseek"
    | "zai"
    | "qwen"
    | "qwen-chat-template"
    | "chat-template"
    | "baseten"
    | "together"
    | "string-thinking"
    | "ant-ling";
  chatTemplateKwargs?: Record<string, ChatTemplateKwargValue>;
  chatTemplateArgs?: Record<string, ChatTemplateKwargValue>;
  openRouterRouting?: OpenRouterRouting;
  vercelGatewayRouting?: VercelGatewayRouting;
  zaiToolStream?: boolean;
  thinkingTokenBudgetField?: ThinkingTokenBudgetField;
  supportsThinkingTokenBudget?: boolean;
  supportsStrictMode?: boolean;
  supportsOpenAIGrammarTools?: boolean;
  supportsMidConvoSystemMessages?: boolean;
  supportsMidConvoToolAdditions?: boolean;
  cacheControlFormat?: "anthropic";
  sendSessionAffinityHeaders?: boolean;
  sessionAffinityFormat?: SessionAffinityFormat;
  promptCacheKeyMode?: "auto" | "enabled" | "disabled";
  supportsLongCacheRetention?: boolean;
  vllmPriority?: number;
}

export interface OpenAIResponsesCompat {
  supportsDeveloperRole?: boolean;
  sessionAffinityFormat?: SessionAffinityFormat;
  promptCacheKeyMode?: "auto" | "enabled" | "disabled";
  supportsLongCacheRetention?: boolean;
  supportsStrictMode?: boolean;
  supportsMaxOutputTokens?: boolean;
  supportsMidConvoSystemMessages?: boolean;
  supportsOpenAIGrammarTools?: boolean;
  supportsAdditionalTools?: boolean;
  supportsToolSearch?: boolean;
  supportsExplicitPromptCacheMode?: boolean;
  supportsMidConvoEffort?: boolean;
}

export interface AnthropicAllowedFallbackModel {
  provider: string;
  model: string;
  cost: ModelCost;
}

export interface AnthropicMessagesCompat {
  supportsEagerToolInputStreaming?: boolean;
  supportsLongCacheRetention?: boolean;
  supportsCacheControlOnTools?: boolean;
  supportsTemperature?: boolean;
  forceAdaptiveThinking?: boolean;
  allowEmptySignature?: boolean;
  supportsStrictTools?: boolean;
  supportsMidConvoEffort?: boolean;
  supportsMidConvoSystemMessages?: boolean;
  supportsMidConvoToolChanges?: boolean;
  sendSessionAffinityHeaders?: boolean;
  sessionAffinityFormat?: SessionAffinityFormat;
  supportsMessageThreads?: boolean;
  allowedFallbackModels?: AnthropicAllowedFallbackModel[];
}

export interface BedrockCompat {
  supportsStrictMode?: boolean;
}

export interface MistralConversationsCompat {
  supportsMidConvoSystemMessages?: boolean;
  supportsStrictMode?: boolean;
}
