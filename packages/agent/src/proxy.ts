import type {
  AssistantMessageEventStream,
  ClientIdentity,
  Model,
  SimpleStreamOptions,
  TranscriptContext,
} from "@earendil-works/pi-ai";

/** How an agent presents itself to providers when nothing else is said. */
export const DEFAULT_AGENT_IDENTITY: ClientIdentity = { userAgent: "detailed" };

export interface ProxyStreamOptions extends SimpleStreamOptions {
  authToken: string;
  proxyUrl: string;
}

/**
 * Part of the exported contract; requests through a stream proxy are not offered yet.
 * @throws always
 */
export function streamProxy(
  _model: Model,
  _context: TranscriptContext,
  _options: ProxyStreamOptions,
): AssistantMessageEventStream {
  throw new Error("streamProxy is not available in this release. Use a provider's base URL to go through a gateway.");
}
