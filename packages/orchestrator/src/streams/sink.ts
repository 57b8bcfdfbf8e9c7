/** Where frames go: a connection that may be slower than what it is told. */
export interface Sink {
  write(text: string): void;
  /** Bytes that wait to be taken. */
  readonly waiting: number;
  /** Calls once when all of them have been. */
  onDrained(then: () => void): void;
  close(): void;
}

/** What may wait for a slow reader before events are left out, in bytes. */
export const mostWaiting = 1024 * 1024;
