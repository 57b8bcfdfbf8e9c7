import type { Model, OpenAICompletionsCompat } from "../../types.js";

/** Servers that deviate from OpenAI's, by provider id or a part of the base URL. Source: llm-wire.md section 11. */
const KNOWN_SERVERS = {
  zai: { ids: ["zai", "zai-coding-cn"], hosts: ["api.z.ai", "open.bigmodel.cn"] },
  together: { ids: ["together"], hosts: ["api.together.ai", "api.together.xyz"] },
  moonshot: { ids: ["moonshotai", "moonshotai-cn"], hosts: ["api.moonshot."] },
  openrouter: { ids: ["openrouter"], hosts: ["openrouter.ai"] },
  workers: { ids: ["cloudflare-workers-ai"], hosts: ["api.cloudflare.com"] },
  gateway: { ids: ["cloudflare-ai-gateway"], hosts: ["gateway.ai.cloudflare.com"] },
  nvidia: { ids: ["nvidia"], hosts: ["integrate.api.nvidia.com"] },
  antLing: { ids: ["ant-ling"], hosts: ["api.ant-ling.com"] },
  cerebras: { ids: ["cerebras"], hosts: ["cerebras.ai"] },
  deepseek: { ids: ["deepseek"], hosts: ["deepseek.com"] },
  xai: { ids: ["xai"], hosts: ["api.x.ai"] },
  chutes: { ids: ["chutes"], hosts: ["chutes.ai"] },
  opencode: { ids: ["opencode", "opencode-go"], hosts: ["opencode.ai"] },
  openai: { ids: ["openai"], hosts: ["api.openai.com"] },
} as const;

type ServerKind = keyof typeof KNOWN_SERVERS;

/** Flags that stay unset unless a model has them. */
type OptionalFlag =
  | "chatTemplateKwargs"
  | "chatTemplateArgs"
  | "openRouterRouting"
  | "vercelGatewayRouting"
  | "thinkingTokenBudgetField"
  | "cacheControlFormat"
  | "vllmPriority";

/** The flags of `openai-completions` with their defaults filled in. */
export type ResolvedCompletionsCompat = Required<Omit<OpenAICompletionsCompat, OptionalFlag>> &
  Pick<OpenAICompletionsCompat, OptionalFlag>;

/** The model's flags over what is detected by provider and address. */
export function completionsCompat(model: Model): ResolvedCompletionsCompat {
  const is = (...kinds: ServerKind[]): boolean => kinds.some((kind) => isServer(model, kind));
  const isOpenRouter = is("openrouter");
  const detected: ResolvedCompletionsCompat = {
    supportsStore: !is(
      "nvidia",
      "cerebras",
      "xai",
      "together",
      "chutes",
      "deepseek",
      "zai",
      "moonshot",
      "opencode",
      "workers",
      "gateway",
      "antLing",
    ),
    supportsDeveloperRole: is("openai"),
    supportsReasoningEffort: !is("xai", "zai", "moonshot", "together", "gateway", "nvidia", "antLing"),
    supportsUsageInStreaming: true,
    supportsFinishReason: true,
    maxTokensField: is("chutes", "deepseek", "moonshot", "gateway", "together", "nvidia", "antLing", "zai")
      ? "max_tokens"
      : "max_completion_tokens",
    requiresToolResultName: false,
    requiresAssistantAfterToolResult: false,
    requiresNonNullAssistantContent: false,
    requiresToolsWithToolHistory: false,
    requiresThinkingAsText: false,
    requiresReasoningContentOnAssistantMessages: is("deepseek"),
    thinkingFormat: detectedThinkingFormat(is),
    zaiToolStream: false,
    supportsThinkingTokenBudget: false,
    supportsStrictMode: false,
    supportsOpenAIGrammarTools: false,
    supportsMidConvoSystemMessages: false,
    supportsMidConvoToolAdditions: false,
    sendSessionAffinityHeaders: isOpenRouter,
    sessionAffinityFormat: isOpenRouter ? "openrouter" : "openai",
    promptCacheKeyMode: "auto",
    supportsLongCacheRetention: !is("together", "workers", "gateway", "nvidia", "antLing"),
  };
  if (model.provider === "openrouter" && model.id.startsWith("anthropic/")) detected.cacheControlFormat = "anthropic";
  return { ...detected, ...(model.compat as OpenAICompletionsCompat | undefined) };
}

function detectedThinkingFormat(
  is: (kind: ServerKind) => boolean,
): NonNullable<OpenAICompletionsCompat["thinkingFormat"]> {
  if (is("deepseek")) return "deepseek";
  if (is("zai")) return "zai";
  if (is("together")) return "together";
  if (is("antLing")) return "ant-ling";
  return is("openrouter") ? "openrouter" : "openai";
}

function isServer(model: Model, kind: ServerKind): boolean {
  const { ids, hosts }: { ids: readonly string[]; hosts: readonly string[] } = KNOWN_SERVERS[kind];
  return ids.includes(model.provider) || hosts.some((host) => model.baseUrl.includes(host));
}
