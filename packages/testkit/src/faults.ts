import type { Fault } from "./types.js";
import type { SseEvent } from "./wire/sse.js";

/** How a response stops: properly, by RST, or never. */
export type Ending = "end" | "reset" | "stall";

export type StreamStep = { kind: "write"; frame: string | Uint8Array } | { kind: Ending };

/** The frames a fault puts into the stream, in the words of the wire format. */
export interface FaultFrames {
  readonly malformedFrame: string | Uint8Array;
  errorFrame(message: string | undefined, type: string | undefined): string | Uint8Array;
}

/** Faults that happen inside a stream; `status` and a stall before the headers never get that far. */
export type StreamFault = Exclude<Fault, { kind: "status" }>;

/** Turns events into steps; the last step is always an ending. */
export function* planStream(
  events: Iterable<SseEvent>,
  fault: StreamFault | undefined,
  frames: FaultFrames,
): Generator<StreamStep> {
  let written = 0;
  let pending = fault;
  for (const event of events) {
    if (pending !== undefined && (written >= (pending.afterEvents ?? 0) || event.terminal === true)) {
      const ending = yield* strike(pending, frames);
      if (ending !== undefined) return;
      pending = undefined;
    }
    yield { kind: "write", frame: event.frame };
    written += 1;
  }
  if (pending !== undefined) {
    const ending = yield* strike(pending, frames);
    if (ending !== undefined) return;
  }
  yield { kind: "end" };
}

function* strike(fault: StreamFault, frames: FaultFrames): Generator<StreamStep, Ending | undefined> {
  switch (fault.kind) {
    case "malformed":
      yield { kind: "write", frame: frames.malformedFrame };
      return undefined;
    case "errorEvent":
      yield { kind: "write", frame: frames.errorFrame(fault.message, fault.type) };
      yield { kind: "end" };
      return "end";
    case "reset":
    case "stall":
    case "end":
      yield { kind: fault.kind };
      return fault.kind;
  }
}
