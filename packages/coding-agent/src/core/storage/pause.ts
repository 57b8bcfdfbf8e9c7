/** Between two looks at what another process holds, in ms. */
const waitMs = 5;

/** Waits a moment where the code around is synchronous. */
export function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
}
