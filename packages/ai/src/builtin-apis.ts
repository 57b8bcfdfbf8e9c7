import { lazyApi } from "./lazy.js";
import type { ProviderStreams } from "./provider-streams.js";
import type { Api } from "./types.js";

/** The implemented wire formats; each is loaded with its first request. */
const loaders = {
  "anthropic-messages": () => import("./api/anthropic-messages.js"),
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
