import { thrownText } from "./errors/cause.js";
import { AssistantMessageEventStream } from "./event-stream.js";
import { emptyUsage } from "./models/cost.js";
import type { ProviderStreams } from "./provider-streams.js";
import type { AssistantMessage, AssistantMessageEvent, Model } from "./types.js";

/** Watches a lazy stream. */
export interface LazyStreamObserver {
  onEvent?: (event: AssistantMessageEvent) => void;
  /** After the end; undefined when the stream ended without a final event. */
  onResult?: (message: AssistantMessage | undefined) => void;
}

/** Abilities of an API that a lazy wrapper has to know before the API is loaded. None exist yet. */
export type LazyApiCapabilities = Record<never, never>;

/** The final message of a request that failed before it had a stream. */
export function failedAssistantMessage(
  model: Model,
  reason: "error" | "aborted",
  errorMessage: string,
): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: emptyUsage(),
    stopReason: reason,
    errorMessage,
    timestamp: Date.now(),
  };
}

/** A stream that consists of one `error` event. */
export function failedStream(
  model: Model,
  errorMessage: string,
  reason: "error" | "aborted" = "error",
): AssistantMessageEventStream {
  const stream = new AssistantMessageEventStream();
  stream.push({ type: "error", reason, error: failedAssistantMessage(model, reason, errorMessage) });
  return stream;
}

/**
 * A stream whose source is found asynchronously. Whatever fails in `setup` or in the source ends it with an `error`
 * event, and so does a source that ends without a final event.
 */
export function lazyStream(
  model: Model,
  setup: () => Promise<AsyncIterable<AssistantMessageEvent>>,
  observer?: LazyStreamObserver,
  signal?: AbortSignal,
): AssistantMessageEventStream {
  const stream = new AssistantMessageEventStream();
  let partial: AssistantMessage | undefined;
  let final: AssistantMessage | undefined;
  const pass = (event: AssistantMessageEvent): void => {
    if (event.type === "done") final = event.message;
    else if (event.type === "error") final = event.error;
    else partial = event.partial;
    observer?.onEvent?.(event);
    stream.push(event);
  };
  const fail = (errorMessage: string): void => {
    const reason = signal?.aborted ? "aborted" : "error";
    const message = failedAssistantMessage(model, reason, reason === "aborted" ? "Request was aborted" : errorMessage);
    pass({
      type: "error",
      reason,
      error: partial ? { ...partial, stopReason: reason, errorMessage: message.errorMessage ?? "" } : message,
    });
  };
  const run = async (): Promise<void> => {
    try {
      for await (const event of await setup()) {
        pass(event);
        if (final) break;
      }
      if (!final) fail("Stream ended without a final event");
    } catch (error) {
      if (!final) fail(thrownText(error));
    }
    observer?.onResult?.(final);
  };
  void run();
  return stream;
}

/**
 * An API that is loaded with its first request. Its failures to start, a missing key included, become `error` events.
 * Once loaded, its streams are handed out as they are.
 */
export function lazyApi(load: () => Promise<ProviderStreams>, _capabilities?: LazyApiCapabilities): ProviderStreams {
  let loaded: ProviderStreams | undefined;
  const request = (
    model: Model,
    start: (api: ProviderStreams) => AssistantMessageEventStream,
    signal: AbortSignal | undefined,
  ): AssistantMessageEventStream => {
    const api = loaded;
    if (api) return startSafely(model, () => start(api));
    const setup = async (): Promise<AssistantMessageEventStream> => {
      loaded = await load();
      return start(loaded);
    };
    return lazyStream(model, setup, undefined, signal);
  };
  return {
    stream: (model, context, options) => request(model, (api) => api.stream(model, context, options), options?.signal),
    streamSimple: (model, context, options) =>
      request(model, (api) => api.streamSimple(model, context, options), options?.signal),
  };
}

/** Turns a throw at the start of a request into an `error` event. */
export function startSafely(model: Model, start: () => AssistantMessageEventStream): AssistantMessageEventStream {
  try {
    return start();
  } catch (error) {
    return failedStream(model, thrownText(error));
  }
}
