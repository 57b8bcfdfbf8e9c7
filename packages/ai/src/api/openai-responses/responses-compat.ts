import type { Model, OpenAIResponsesCompat } from "../../types.js";

/** The flags of the Responses APIs with their defaults filled in. */
export type ResolvedResponsesCompat = Required<OpenAIResponsesCompat>;

/**
 * The model's flags over what is detected by provider and address. Source: llm-wire.md section 11.
 * @param defaults of a relative of the API
 */
export function responsesCompat(model: Model, defaults: Partial<OpenAIResponsesCompat> = {}): ResolvedResponsesCompat {
  const isOpenRouter = model.provider === "openrouter" || model.baseUrl.includes("openrouter.ai");
  return {
    supportsDeveloperRole: true,
    sessionAffinityFormat: isOpenRouter ? "openrouter" : "openai",
    promptCacheKeyMode: "auto",
    supportsLongCacheRetention: true,
    supportsStrictMode: false,
    supportsMaxOutputTokens: true,
    supportsMidConvoSystemMessages: false,
    supportsOpenAIGrammarTools: false,
    supportsAdditionalTools: false,
    supportsToolSearch: false,
    supportsExplicitPromptCacheMode: false,
    supportsMidConvoEffort: false,
    ...defaults,
    ...(model.compat as OpenAIResponsesCompat | undefined),
  };
}
