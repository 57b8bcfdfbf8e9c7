import type { AssistantMessageEventStream } from "../event-stream.js";
import type { Model, SimpleStreamOptions, StreamOptions, TranscriptContext } from "../types.js";
import type { RequestedThinking } from "./run-request.js";
import { type SimpleBase, simpleBase } from "./simple-options.js";

/** What an API has of its own between its two functions and a request. */
export interface ApiEntry<O extends StreamOptions> {
  /** The API's own options for the common ones. */
  own: (base: SimpleBase, options: SimpleStreamOptions | undefined, model: Model) => O;
  /** The word that goes to the provider for the thinking level. */
  providerLevel: (model: Model, options: O) => string | undefined;
  start: (
    model: Model,
    context: TranscriptContext,
    options: O | undefined,
    thinking: RequestedThinking,
  ) => AssistantMessageEventStream;
}

/** The two functions of an API module. */
export interface EntryPoints<O extends StreamOptions> {
  /**
   * Starts a request with the API's own options.
   * @throws Error `No API key for provider: ID`, where the API needs one
   */
  stream: (model: Model, context: TranscriptContext, options?: O) => AssistantMessageEventStream;
  /**
   * Starts a request with the common options.
   * @throws Error `No API key for provider: ID`, where the API needs one
   */
  streamSimple: (
    model: Model,
    context: TranscriptContext,
    options?: SimpleStreamOptions,
  ) => AssistantMessageEventStream;
}

/** Makes the two functions that every API module exports. */
export function entryPoints<O extends StreamOptions>({ own, providerLevel, start }: ApiEntry<O>): EntryPoints<O> {
  return {
    stream: (model, context, options) =>
      start(model, context, options, { providerThinkingLevel: options && providerLevel(model, options) }),
    streamSimple: (model, context, options) => {
      const base = simpleBase(model, context, options);
      const asked = own(base, options, model);
      return start(model, context, asked, {
        thinkingLevel: model.reasoning ? base.asked : undefined,
        providerThinkingLevel: providerLevel(model, asked),
      });
    },
  };
}
