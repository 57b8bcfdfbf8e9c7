import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideRestart, defaultRestartLimits as limits } from "./restart-policy.js";

const now = 10_000_000;
const after = (count: number) => Array.from({ length: count }, (_, at) => now - at * 1000);

describe("what follows the end of an agent", () => {
  it.each([
    ["never", true, 1, "stopped"],
    ["on-failure", false, 0, "stopped"],
    ["on-failure", true, 1, "restart"],
    ["always", false, 0, "restart"],
    ["always", true, 4, "restart"],
    ["always", true, 5, "give_up"],
    ["on-failure", true, 5, "give_up"],
  ] as const)("%s, failure %s, %i of them: %s", (policy, isFailure, count, kind) => {
    const decision = decideRestart(policy, { isFailure, failures: after(count), now, random: 0.5 }, limits);
    expect(decision.kind).toBe(kind);
  });

  it("failures of long ago do not count", () => {
    const failures = after(9).map((time) => time - limits.windowMs);
    const decision = decideRestart("always", { isFailure: true, failures: [...failures, now], now, random: 1 }, limits);
    expect(decision).toEqual({ kind: "restart", delayMs: limits.baseMs });
  });

  it("waits double, within half of it and all of it, and have a most", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.double({ min: 0, max: 1, noNaN: true }), (count, random) => {
        const many = { ...limits, failures: 100 };
        const decision = decideRestart("always", { isFailure: true, failures: after(count), now, random }, many);
        const full = Math.min(limits.maxMs, limits.baseMs * 2 ** (count - 1));
        expect(decision).toMatchObject({ kind: "restart" });
        if (decision.kind !== "restart") return;
        expect(decision.delayMs).toBeGreaterThanOrEqual(full / 2);
        expect(decision.delayMs).toBeLessThanOrEqual(full);
      }),
    );
  });
});
