import type { ServerResponse } from "node:http";
import { setImmediate as nextLoop, setTimeout as sleep } from "node:timers/promises";
import { cutBytes } from "./chunking.js";
import type { Ending, StreamStep } from "./faults.js";
import type { Chunking } from "./types.js";

/**
 * A client that finds several writes in its socket reads them as one. So each of the first writes gets a turn of the
 * event loop to itself; in long streams that would cost more than it shows, and only every 64th does, so that aborts
 * are still noticed.
 */
const separateWrites = 4096;
const writesPerLoop = 64;

/** Time for a peer to read what was written before the connection is reset under it. */
const readBeforeResetMs = 15;

export interface SendOptions {
  chunking: Chunking;
  eventDelayMs: number;
  /** Aborts when the connection is gone. */
  gone: AbortSignal;
  /** Called right before the server cuts the connection itself. */
  onCut(): void;
}

/** Writes a planned stream. Resolves when it is written, cut, or the client is gone; a stall resolves at once. */
export async function sendStream(
  response: ServerResponse,
  steps: Iterable<StreamStep>,
  options: SendOptions,
): Promise<void> {
  const { gone } = options;
  let ending: Ending = "end";
  function* frames(): Generator<Uint8Array> {
    for (const step of steps) {
      if (step.kind === "write") yield Buffer.from(step.frame);
      else ending = step.kind;
    }
  }
  // One chunk is held back: the last one must go out together with the end, or a client that leaves at the terminal
  // event would look like one that left early.
  let held: Uint8Array | undefined;
  let writes = 0;
  for (const chunk of cutBytes(frames(), options.chunking)) {
    if (held !== undefined) {
      await write(response, held, gone);
      writes += 1;
      if (options.eventDelayMs > 0) await pause(options.eventDelayMs, gone);
      else if (writes < separateWrites || writes % writesPerLoop === 0) await nextLoop();
    }
    if (gone.aborted) return;
    held = chunk;
  }
  await finish(response, held, ending as Ending, options);
}

async function finish(
  response: ServerResponse,
  held: Uint8Array | undefined,
  ending: Ending,
  { gone, onCut }: SendOptions,
): Promise<void> {
  if (ending === "end") {
    response.end(held);
    return;
  }
  if (held !== undefined) await write(response, held, gone);
  if (ending === "stall") return;
  await pause(readBeforeResetMs, gone);
  onCut();
  response.socket?.resetAndDestroy();
}

/** Waits for an answer's turn; ends early, without an error, when the client is gone. */
export async function pause(ms: number, gone: AbortSignal): Promise<void> {
  if (ms <= 0 || gone.aborted) return;
  await sleep(ms, undefined, { signal: gone }).catch(() => undefined);
}

/** Writes one chunk and waits while the peer does not keep up. */
async function write(response: ServerResponse, chunk: Uint8Array, gone: AbortSignal): Promise<void> {
  if (gone.aborted || response.write(chunk)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off("drain", done);
      gone.removeEventListener("abort", done);
      resolve();
    };
    response.once("drain", done);
    gone.addEventListener("abort", done);
  });
}
