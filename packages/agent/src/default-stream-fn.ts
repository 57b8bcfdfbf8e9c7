import type { StreamFn } from "./types.js";

// Global by contract: a host installs it once, so that `new Agent({...})` works without a `streamFn`.
let defaultStreamFn: StreamFn | undefined;

/** Sets (or with undefined clears) the stream function of agents that are given none. */
export function setDefaultStreamFn(streamFn: StreamFn | undefined): void {
  defaultStreamFn = streamFn;
}

/** @throws when neither a stream function was given nor a default set */
export function resolveStreamFn(streamFn: StreamFn | undefined): StreamFn {
  const resolved = streamFn ?? defaultStreamFn;
  if (!resolved) {
    throw new Error("No default stream function configured. Pass streamFn explicitly or call setDefaultStreamFn().");
  }
  return resolved;
}
