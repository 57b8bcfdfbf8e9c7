/** A stream whose first bytes are looked at before anybody decides how to read it. */
export interface PeekedStream {
  /** At most as many bytes as asked for. */
  readonly head: Uint8Array;
  /** Everything, from the start; once. */
  chunks(): AsyncGenerator<Uint8Array>;
  /** Lets go of the source when the rest is not wanted. */
  close(): Promise<void>;
}

/** Reads until `bytes` are there or the stream ends. */
export async function peekStream(source: AsyncIterable<Uint8Array>, bytes: number): Promise<PeekedStream> {
  const iterator = source[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let size = 0;
  while (size < bytes) {
    const next = await iterator.next();
    if (next.done) break;
    seen.push(next.value);
    size += next.value.length;
  }
  return {
    head: Buffer.concat(seen).subarray(0, bytes),
    async *chunks() {
      yield* seen;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    },
    async close() {
      await iterator.return?.();
    },
  };
}

/** A whole stream in memory. */
export async function collectBytes(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

/** Length of a stream. */
export async function countBytes(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) size += chunk.length;
  return size;
}
