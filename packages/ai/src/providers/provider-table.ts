import type { Api } from "../types.js";

/** What is known about a provider before any of its models is. */
export interface ProviderInfo {
  readonly id: string;
  readonly name: string;
  /** API of most of its models. */
  readonly api: Api;
  /** Base URL of most of its models; empty when it comes from the environment. */
  readonly baseUrl: string;
  /** Variables that hold its key; the first one set wins. */
  readonly env: readonly string[];
  /** Groups of variables of which a complete one stands for credentials that other software resolves. */
  readonly ambientEnv?: readonly (readonly string[])[];
  /** Model that is tried first; absent where there is none to chat with. */
  readonly defaultModel?: string;
}

const C = "openai-completions";
const R = "openai-responses";
const A = "anthropic-messages";

/**
 * The built-in providers, in the order in which a default model is looked for.
 * Sources: llm.md section 15 (rows), section 11.2 (variables).
 */
// biome-ignore format: a table reads best with one row per provider
const table = [
  { id: "amazon-bedrock", name: "Amazon Bedrock", api: "bedrock-converse-stream", baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com", env: [], ambientEnv: [["AWS_BEARER_TOKEN_BEDROCK"], ["AWS_PROFILE"], ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"], ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"], ["AWS_CONTAINER_CREDENTIALS_FULL_URI"], ["AWS_WEB_IDENTITY_TOKEN_FILE"]], defaultModel: "us.anthropic.claude-opus-5-5" },
  { id: "ant-ling", name: "Ant Ling", api: C, baseUrl: "https://api.ant-ling.com/v1", env: ["ANT_LING_API_KEY"], defaultModel: "Ring-2.6-1T" },
  { id: "anthropic", name: "Anthropic", api: A, baseUrl: "https://api.anthropic.com", env: ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_API_KEY"], defaultModel: "claude-opus-5-5" },
  { id: "openai", name: "OpenAI", api: R, baseUrl: "https://api.openai.com/v1", env: ["OPENAI_API_KEY"], defaultModel: "gpt-6.2-sol" },
  { id: "azure", name: "Azure", api: "azure-openai-responses", baseUrl: "", env: ["AZURE_OPENAI_API_KEY"], defaultModel: "gpt-6.2-sol" },
  { id: "openai-codex", name: "OpenAI Codex", api: "openai-codex-responses", baseUrl: "https://chatgpt.com/backend-api", env: [], defaultModel: "gpt-6.2-sol" },
  { id: "radius", name: "Radius", api: "pi-messages", baseUrl: "https://radius.pi.dev/v1", env: ["RADIUS_API_KEY"], defaultModel: "balanced" },
  { id: "nvidia", name: "NVIDIA", api: C, baseUrl: "https://integrate.api.nvidia.com/v1", env: ["NVIDIA_API_KEY"], defaultModel: "nvidia/nemotron-3.5-super-vl-120b-a12b" },
  { id: "deepseek", name: "DeepSeek", api: C, baseUrl: "https://api.deepseek.com", env: ["DEEPSEEK_API_KEY"], defaultModel: "deepseek-v4-pro" },
  { id: "google", name: "Google", api: "google-generative-ai", baseUrl: "https://generativelanguage.googleapis.com/v1beta", env: ["GEMINI_API_KEY"], defaultModel: "gemini-4-argon" },
  { id: "google-vertex", name: "Google Vertex AI", api: "google-vertex", baseUrl: "https://{location}-aiplatform.googleapis.com", env: ["GOOGLE_CLOUD_API_KEY"], ambientEnv: [["GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"], ["GOOGLE_APPLICATION_CREDENTIALS", "GCLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"]], defaultModel: "gemini-4-argon" },
  { id: "github-copilot", name: "GitHub Copilot", api: R, baseUrl: "https://api.individual.githubcopilot.com", env: ["COPILOT_GITHUB_TOKEN"], defaultModel: "gpt-6.1-sol" },
  { id: "openrouter", name: "OpenRouter", api: C, baseUrl: "https://openrouter.ai/api/v1", env: ["OPENROUTER_API_KEY"], defaultModel: "moonshotai/kimi-k2.7-code" },
  { id: "vercel-ai-gateway", name: "Vercel AI Gateway", api: A, baseUrl: "https://ai-gateway.vercel.sh", env: ["AI_GATEWAY_API_KEY"], defaultModel: "zai/glm-5.3" },
  { id: "xai", name: "xAI", api: R, baseUrl: "https://api.x.ai/v1", env: ["XAI_API_KEY"], defaultModel: "grok-4.7" },
  { id: "groq", name: "Groq", api: C, baseUrl: "https://api.groq.com/openai/v1", env: ["GROQ_API_KEY"], defaultModel: "openai/gpt-oss-120b" },
  { id: "cerebras", name: "Cerebras", api: C, baseUrl: "https://api.cerebras.ai/v1", env: ["CEREBRAS_API_KEY"], defaultModel: "gpt-oss-120b" },
  { id: "zai", name: "Z.AI", api: C, baseUrl: "https://api.z.ai/api/coding/paas/v4", env: ["ZAI_API_KEY"], defaultModel: "glm-5.3" },
  { id: "zai-coding-cn", name: "Z.AI Coding CN", api: C, baseUrl: "https://open.bigmodel.cn/api/coding/paas/v4", env: ["ZAI_CODING_CN_API_KEY"], defaultModel: "glm-5.3" },
  { id: "mistral", name: "Mistral", api: "mistral-conversations", baseUrl: "https://api.mistral.ai", env: ["MISTRAL_API_KEY"], defaultModel: "devstral-medium-latest" },
  { id: "minimax", name: "MiniMax", api: A, baseUrl: "https://api.minimax.io/anthropic", env: ["MINIMAX_API_KEY"], defaultModel: "MiniMax-M3" },
  { id: "minimax-cn", name: "MiniMax CN", api: A, baseUrl: "https://api.minimaxi.com/anthropic", env: ["MINIMAX_CN_API_KEY"], defaultModel: "MiniMax-M3" },
  { id: "moonshotai", name: "Moonshot AI", api: C, baseUrl: "https://api.moonshot.ai/v1", env: ["MOONSHOT_API_KEY"], defaultModel: "kimi-k2.7-code" },
  { id: "moonshotai-cn", name: "Moonshot AI CN", api: C, baseUrl: "https://api.moonshot.cn/v1", env: ["MOONSHOT_API_KEY"], defaultModel: "kimi-k2.7-code" },
  { id: "huggingface", name: "Hugging Face", api: C, baseUrl: "https://router.huggingface.co/v1", env: ["HF_TOKEN"], defaultModel: "moonshotai/Kimi-K2.7-Code" },
  { id: "fireworks", name: "Fireworks", api: A, baseUrl: "https://api.fireworks.ai/inference", env: ["FIREWORKS_API_KEY"], defaultModel: "accounts/fireworks/models/kimi-k3" },
  { id: "together", name: "Together", api: C, baseUrl: "https://api.together.ai/v1", env: ["TOGETHER_API_KEY"], defaultModel: "moonshotai/Kimi-K3" },
  { id: "baseten", name: "Baseten", api: C, baseUrl: "https://inference.baseten.co/v1", env: ["BASETEN_API_KEY"], defaultModel: "zai-org/GLM-5.3" },
  { id: "opencode", name: "OpenCode Zen", api: R, baseUrl: "https://opencode.ai/inference/openai/v1", env: ["OPENCODE_API_KEY"], defaultModel: "kimi-k2.7-code" },
  { id: "opencode-go", name: "OpenCode Go", api: C, baseUrl: "https://opencode.ai/inference/go/openai/v1", env: ["OPENCODE_API_KEY"], defaultModel: "kimi-k3.1-pro" },
  { id: "kimi-coding", name: "Kimi For Coding", api: C, baseUrl: "https://api.kimi.com/coding/v1", env: ["KIMI_API_KEY"], defaultModel: "kimi-for-coding" },
  { id: "meta", name: "Meta", api: R, baseUrl: "https://api.meta.ai/v1", env: ["META_API_KEY"], defaultModel: "muse-spark-1.3" },
  { id: "cloudflare-workers-ai", name: "Cloudflare Workers AI", api: C, baseUrl: "https://api.cloudflare.com/client/v4/accounts/{CLOUDFLARE_ACCOUNT_ID}/ai/v1", env: ["CLOUDFLARE_API_KEY"], defaultModel: "@cf/moonshotai/kimi-k2.7-code" },
  { id: "cloudflare-ai-gateway", name: "Cloudflare AI Gateway", api: R, baseUrl: "https://gateway.ai.cloudflare.com/v1/{CLOUDFLARE_ACCOUNT_ID}/{CLOUDFLARE_GATEWAY_ID}/openai", env: ["CLOUDFLARE_API_KEY"], defaultModel: "workers-ai/@cf/moonshotai/kimi-k2.7-code" },
  { id: "qwen-token-plan", name: "Qwen Token Plan Team", api: C, baseUrl: "https://token-plan.maas.qwencloudapi.com/compatible-mode/v1", env: ["QWEN_TOKEN_PLAN_TEAM_API_KEY", "QWEN_TOKEN_PLAN_API_KEY"], defaultModel: "qwen3.8-max" },
  { id: "qwen-token-plan-cn", name: "Qwen Token Plan Team CN", api: C, baseUrl: "https://token-plan.maas.qianwenaiapi.com/compatible-mode/v1", env: ["QWEN_TOKEN_PLAN_TEAM_CN_API_KEY", "QWEN_TOKEN_PLAN_CN_API_KEY"], defaultModel: "qwen3.8-max" },
  { id: "qwen-token-plan-individual", name: "Qwen Token Plan Individual", api: C, baseUrl: "https://token-plan.maas.qwencloudapi.com/compatible-mode/v1", env: ["QWEN_TOKEN_PLAN_INDIVIDUAL_API_KEY", "QWEN_TOKEN_PLAN_API_KEY"], defaultModel: "qwen3.8-max" },
  { id: "qwen-token-plan-individual-cn", name: "Qwen Token Plan Individual CN", api: C, baseUrl: "https://token-plan.maas.qianwenaiapi.com/compatible-mode/v1", env: ["QWEN_TOKEN_PLAN_INDIVIDUAL_CN_API_KEY", "QWEN_TOKEN_PLAN_CN_API_KEY"], defaultModel: "qwen3.8-max" },
  { id: "xiaomi", name: "Xiaomi", api: C, baseUrl: "https://api.xiaomimimo.com/v1", env: ["XIAOMI_API_KEY"], defaultModel: "mimo-v2.6-pro" },
  { id: "xiaomi-token-plan-cn", name: "Xiaomi Token Plan CN", api: C, baseUrl: "https://token-plan-cn.xiaomimimo.com/v1", env: ["XIAOMI_TOKEN_PLAN_CN_API_KEY"], defaultModel: "mimo-v2.6-pro" },
  { id: "xiaomi-token-plan-ams", name: "Xiaomi Token Plan AMS", api: C, baseUrl: "https://token-plan-ams.xiaomimimo.com/v1", env: ["XIAOMI_TOKEN_PLAN_AMS_API_KEY"], defaultModel: "mimo-v2.6-pro" },
  { id: "xiaomi-token-plan-sgp", name: "Xiaomi Token Plan SGP", api: C, baseUrl: "https://token-plan-sgp.xiaomimimo.com/v1", env: ["XIAOMI_TOKEN_PLAN_SGP_API_KEY"], defaultModel: "mimo-v2.6-pro" },
  { id: "typesafe", name: "TypeSafe", api: "typesafe-system-one", baseUrl: "https://api.typesafe.ai/v1/", env: ["TYPESAFE_API_KEY"] },
] as const satisfies readonly ProviderInfo[];

/** Id of a built-in provider. */
export type BuiltinProvider = (typeof table)[number]["id"];

/** The built-in providers, in the order in which a default model is looked for. */
export const providerTable: readonly ProviderInfo[] = table;

/** Ids that were renamed, and what they are called now. Source: llm.md section 18. */
const RENAMED: Readonly<Record<string, BuiltinProvider>> = { "azure-openai-responses": "azure" };

/** The row of a provider, also under an id it had before. */
export function findProviderInfo(id: string): ProviderInfo | undefined {
  const current = Object.hasOwn(RENAMED, id) ? RENAMED[id] : id;
  return providerTable.find((row) => row.id === current);
}
