import type { ScriptedServer, ServedApi } from "@pi/testkit";
import type { Model } from "../src/types.js";

/** What tests over all APIs share. */

export const ALL_APIS: readonly ServedApi[] = [
  "anthropic-messages",
  "openai-completions",
  "openai-responses",
  "azure-openai-responses",
  "openai-codex-responses",
  "google-generative-ai",
  "google-vertex",
  "mistral-conversations",
  "bedrock-converse-stream",
];

/** Ids that bring out what an API does only for some models. */
const IDS: Partial<Record<string, string>> = {
  "anthropic-messages": "claude-opus-4-5",
  "google-generative-ai": "gemini-3-pro",
  "google-vertex": "gemini-2.5-pro",
  "bedrock-converse-stream": "anthropic.claude-sonnet-4-5-20250929-v1:0",
};

/** Where provider ids decide about the form of call ids, the real ones. */
const PROVIDERS: Partial<Record<string, string>> = {
  "openai-completions": "openai",
  "openai-responses": "openai",
  "openai-codex-responses": "openai-codex",
  "azure-openai-responses": "azure",
};

export function modelOn(server: ScriptedServer, api: ServedApi, overrides: Partial<Model> = {}): Model {
  return {
    id: IDS[api] ?? "model-1",
    name: "Model",
    api,
    provider: PROVIDERS[api] ?? `provider-${api}`,
    baseUrl: server.baseUrl(api),
    reasoning: true,
    input: ["text", "image"],
    cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 },
    contextWindow: 200_000,
    maxTokens: 32_768,
    ...overrides,
  };
}

const claims = { "https://api.openai.com/auth": { chatgpt_account_id: "acc_1" } };
const token = `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.sig`;

/** A key as the API wants it: Codex reads the account out of its token. */
export const keyFor = (api: string): string => (api === "openai-codex-responses" ? token : "key");
