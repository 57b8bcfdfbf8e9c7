import type { AssistantMessageEventStream } from "../event-stream.js";
import type { Model, StreamOptions, TranscriptContext } from "../types.js";

export function stream(
  model: Model,
  _context: TranscriptContext,
  _options?: StreamOptions,
): AssistantMessageEventStream {
  throw new Error(`Not implemented yet: ${model.api}`);
}

export const streamSimple = stream;
