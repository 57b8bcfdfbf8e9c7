import { expect, test } from "vitest";
import { planStream, type StreamFault } from "./faults.js";
import type { SseEvent } from "./wire/sse.js";

const events: SseEvent[] = [
  { frame: "a" },
  { frame: "b" },
  { frame: "z", terminal: true },
  { frame: "!", terminal: true },
];
const frames = {
  malformedFrame: "?",
  errorFrame: (message: string | undefined, type: string | undefined) => `E(${message},${type})`,
};

const rows: [StreamFault | undefined, string][] = [
  [undefined, "a b z ! end"],
  [{ kind: "reset" }, "reset"],
  [{ kind: "reset", afterEvents: 1 }, "a reset"],
  [{ kind: "reset", afterEvents: 9 }, "a b reset"],
  [{ kind: "stall", afterEvents: 2 }, "a b stall"],
  [{ kind: "end" }, "end"],
  [{ kind: "end", afterEvents: Number.POSITIVE_INFINITY }, "a b end"],
  [{ kind: "malformed" }, "? a b z ! end"],
  [{ kind: "malformed", afterEvents: 1 }, "a ? b z ! end"],
  [{ kind: "malformed", afterEvents: 9 }, "a b ? z ! end"],
  [{ kind: "errorEvent", afterEvents: 1, message: "m", type: "t" }, "a E(m,t) end"],
  [{ kind: "errorEvent" }, "E(undefined,undefined) end"],
];

test.each(rows)("%j -> %s", (fault, expected) => {
  const steps = [...planStream(events, fault, frames)];
  expect(steps.map((step) => (step.kind === "write" ? step.frame : step.kind)).join(" ")).toBe(expected);
});

test("a fault strikes even when no event comes", () => {
  expect([...planStream([], { kind: "reset", afterEvents: 3 }, frames)]).toEqual([{ kind: "reset" }]);
});
