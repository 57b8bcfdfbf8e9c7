import type {
  AssistantMessageEvent,
  AssistantMessageEventStream,
  ClientIdentity,
  Model,
  SimpleStreamOptions,
  TranscriptContext,
} from "@earendil-works/pi-ai";

/** How an agent presents itself to providers when nothing else is said. */
export const DEFAULT_AGENT_IDENTITY: ClientIdentity = { userAgent: "detailed" };

/** What a proxy streams: the events of the model layer, without the message so far. Source: exports.md section 2, [L]. */
export type ProxyAssistantMessageEvent = WithoutPartial<AssistantMessageEvent>;
type WithoutPartial<Event> = Event extends unknown ? Omit<Event, "partial"> : never;

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
