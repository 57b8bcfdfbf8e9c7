/** One event of a stream, ready to be written: a server-sent event, or the bytes of another framing. */
export interface SseEvent {
  frame: string | Uint8Array;
  /** True from the provider's terminal event on. */
  terminal?: boolean;
}

/** `event:` line and `data:` line, as Anthropic and the Responses API send them. */
export function namedEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A `data:` line only, as Completions sends it. */
export function dataEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** JSON escapes for everything beyond ASCII. In an SSE frame such characters occur only inside JSON strings. */
export function asciiFrame(frame: string): string {
  return frame.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A stretch of text for one delta event. */
export interface Piece {
  text: string;
  last: boolean;
}

/** Cuts text into pieces of at most `size` UTF-16 units; surrogate pairs stay whole, even if that takes two units. */
export function* pieces(text: string, size: number): Generator<Piece> {
  const step = Math.max(1, Math.floor(size) || 1);
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + step, text.length);
    if (splitsPair(text, end)) end = end - start > 1 ? end - 1 : end + 1;
    yield { text: text.slice(start, end), last: end >= text.length };
    start = end;
  }
}

function splitsPair(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
