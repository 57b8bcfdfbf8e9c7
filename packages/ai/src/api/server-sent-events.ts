import { createParser } from "eventsource-parser";
import type { HttpResponse } from "../http.js";

/** One event of a stream. */
export interface ServerSentEvent {
  /** Value of the `event:` line. */
  event: string | undefined;
  data: string;
}

/** A single event may not be longer than this, in UTF-16 units: no provider comes near it. */
const MAX_EVENT_LENGTH = 64 * 1024 * 1024;

/**
 * Reads the events of a response to its end, or until `onEvent` returns true: then everything has been said.
 * Works through all events of a piece without waiting, unless `onEvent` returns a promise.
 * @throws what `read` of the response and `onEvent` throw
 */
export async function readServerSentEvents(
  response: Pick<HttpResponse, "read">,
  onEvent: (event: ServerSentEvent) => boolean | Promise<boolean>,
): Promise<void> {
  const decoder = new TextDecoder();
  let events: ServerSentEvent[] = [];
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ event, data }) => events.push({ event, data }),
    // Unknown fields are to be ignored.
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") throw error;
    },
  });
  for (;;) {
    const piece = await response.read();
    // Servers may forget the blank line after the last event.
    parser.feed(piece === undefined ? `${decoder.decode()}\n\n` : decoder.decode(piece, { stream: true }));
    const batch = events;
    events = [];
    for (const event of batch) {
      const outcome = onEvent(event);
      if (typeof outcome === "boolean" ? outcome : await outcome) return;
    }
    if (piece === undefined) return;
  }
}
