import type { Chunking } from "./types.js";

/** Longest chunk of the seeded mode, in bytes. */
const longestSeededChunk = 40;

/** Re-cuts the bytes of the events into the chunks that are to be written one by one. No byte is lost or added. */
export function* cutBytes(events: Iterable<Uint8Array>, chunking: Chunking): Generator<Uint8Array> {
  if (chunking === "event") {
    yield* events;
  } else if (chunking === "whole") {
    const whole = Buffer.concat([...events]);
    if (whole.length > 0) yield whole;
  } else {
    yield* cutBySize(events, "bytes" in chunking ? () => Math.max(1, chunking.bytes) : seededSizes(chunking.seed));
  }
}

function* cutBySize(events: Iterable<Uint8Array>, nextSize: () => number): Generator<Uint8Array> {
  let size = nextSize();
  let carried: Uint8Array = new Uint8Array(0);
  for (const event of events) {
    const bytes = carried.length === 0 ? event : Buffer.concat([carried, event]);
    let start = 0;
    while (bytes.length - start >= size) {
      yield bytes.subarray(start, start + size);
      start += size;
      size = nextSize();
    }
    carried = bytes.subarray(start);
  }
  if (carried.length > 0) yield carried;
}

/** mulberry32: small, well mixed, and the same on every machine. */
function seededSizes(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return 1 + (((mixed ^ (mixed >>> 14)) >>> 0) % longestSeededChunk);
  };
}
