import type { AnthropicMessagesCompat, Model } from "../../types.js";

/** The flags of `anthropic-messages` with their defaults filled in. */
export type ResolvedAnthropicCompat = Required<
  Omit<AnthropicMessagesCompat, "allowedFallbackModels" | "supportsMessageThreads">
>;

/** The model's flags over what is detected by provider and address. Source: llm-wire.md section 11. */
export function anthropicCompat(model: Model): ResolvedAnthropicCompat {
  const isOpenRouter = model.provider === "openrouter" || model.baseUrl.includes("openrouter.ai");
  return {
    supportsEagerToolInputStreaming: true,
    supportsLongCacheRetention: true,
    supportsCacheControlOnTools: true,
    supportsTemperature: true,
    forceAdaptiveThinking: false,
    allowEmptySignature: false,
    supportsStrictTools: false,
    supportsMidConvoEffort: false,
    supportsMidConvoSystemMessages: false,
    supportsMidConvoToolChanges: false,
    sendSessionAffinityHeaders: isOpenRouter,
    sessionAffinityFormat: isOpenRouter ? "openrouter" : "openai",
    ...(model.compat as AnthropicMessagesCompat | undefined),
  };
}
