import type { AssistantMessageEventStream } from "./event-stream.js";
import type { Api, Model, SimpleStreamOptions, StreamOptions, TranscriptContext } from "./types.js";

/**
 * Starts one request. Never throws for a failed request: failures end the stream with an `error` event whose message
 * keeps what had arrived. Throws synchronously only for a missing key.
 */
export type StreamFunction<A extends Api = Api, O extends StreamOptions = StreamOptions> = (
  model: Model<A>,
  context: TranscriptContext,
  options?: O,
) => AssistantMessageEventStream;

/** What the implementation of one API offers. `stream` takes the API's own options, `streamSimple` the common ones. */
export interface ProviderStreams {
  stream(model: Model, context: TranscriptContext, options?: StreamOptions): AssistantMessageEventStream;
  streamSimple(model: Model, context: TranscriptContext, options?: SimpleStreamOptions): AssistantMessageEventStream;
}
