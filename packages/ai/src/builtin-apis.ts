import { lazyApi } from "./lazy.js";
import type { ProviderStreams } from "./provider-streams.js";
import type { Api } from "./types.js";

/** The implemented wire formats; each is loaded with its first request. */
const loaders = {
  "anthropic-messages": () => import("./api/anthropic-messages.js"),
  "azure-openai-responses": () => import("./api/azure-openai-responses.js"),
  "bedrock-converse-stream": () => import("./api/bedrock-converse-stream.js"),
  "google-generative-ai": () => import("./api/google-generative-ai.js"),
  "google-vertex": () => import("./api/google-vertex.js"),
  "mistral-conversations": () => import("./api/mistral-conversations.js"),
  "openai-codex-responses": () => import("./api/openai-codex-responses.js"),
  "openai-completions": () => import("./api/openai-completions.js"),
  "openai-responses": () => import("./api/openai-responses.js"),
} satisfies Record<string, () => Promise<ProviderStreams>>;

type BuiltinApi = keyof typeof loaders;

const made = new Map<BuiltinApi, ProviderStreams>();

/** Ids of the implemented APIs. */
export function builtinApiIds(): Api[] {
  return Object.keys(loaders);
}

/** The lazy implementation of an API; always the same one. */
export function builtinApi(api: BuiltinApi): ProviderStreams {
  let streams = made.get(api);
  if (!streams) {
    streams = lazyApi(loaders[api]);
    made.set(api, streams);
  }
  return streams;
}

/** The lazy implementation of an API, if there is one. */
export function findBuiltinApi(api: Api): ProviderStreams | undefined {
  return Object.hasOwn(loaders, api) ? builtinApi(api as BuiltinApi) : undefined;
}

/** Anthropic's Messages API. */
export const anthropicMessagesApi = (): ProviderStreams => builtinApi("anthropic-messages");
/** OpenAI's Chat Completions API and the many servers that speak it. */
export const openAICompletionsApi = (): ProviderStreams => builtinApi("openai-completions");
/** OpenAI's Responses API. */
export const openAIResponsesApi = (): ProviderStreams => builtinApi("openai-responses");
/** The Responses API of Azure OpenAI. */
export const azureOpenAIResponsesApi = (): ProviderStreams => builtinApi("azure-openai-responses");
/** The Responses API of ChatGPT's backend. */
export const openAICodexResponsesApi = (): ProviderStreams => builtinApi("openai-codex-responses");
/** Google's Generative Language API. */
export const googleGenerativeAIApi = (): ProviderStreams => builtinApi("google-generative-ai");
/** Gemini on Vertex AI. */
export const googleVertexApi = (): ProviderStreams => builtinApi("google-vertex");
/** Mistral's chat API. */
export const mistralConversationsApi = (): ProviderStreams => builtinApi("mistral-conversations");
/** ConverseStream of Amazon Bedrock. */
export const bedrockConverseStreamApi = (): ProviderStreams => builtinApi("bedrock-converse-stream");
/** The API of pi's own gateways, which this version does not speak: every request is answered by an error. */
export const piMessagesApi = (): ProviderStreams =>
  lazyApi(() => Promise.reject(new Error("The API pi-messages is not available in this version.")));
