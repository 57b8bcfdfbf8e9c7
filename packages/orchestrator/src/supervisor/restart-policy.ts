import type { RestartPolicy } from "../types.js";

export interface RestartLimits {
  /** First wait, doubled with each failure, in ms. */
  baseMs: number;
  maxMs: number;
  /** So many failures within the window, and it is given up. */
  failures: number;
  windowMs: number;
}

export const defaultRestartLimits: RestartLimits = { baseMs: 1000, maxMs: 30_000, failures: 5, windowMs: 600_000 };

export type RestartDecision = { kind: "stopped" } | { kind: "give_up" } | { kind: "restart"; delayMs: number };

/**
 * What follows an end that was not asked for.
 * @param failures times of the failures, this one included if it is one
 * @param random from 0 to 1: agents that ended together do not start together
 */
export function decideRestart(
  policy: RestartPolicy,
  {
    isFailure,
    failures,
    now,
    random,
  }: { isFailure: boolean; failures: readonly number[]; now: number; random: number },
  limits: RestartLimits,
): RestartDecision {
  if (policy === "never" || (policy === "on-failure" && !isFailure)) return { kind: "stopped" };
  const recent = recentFailures(failures, now, limits).length;
  if (recent >= limits.failures) return { kind: "give_up" };
  const full = Math.min(limits.maxMs, limits.baseMs * 2 ** Math.max(0, recent - 1));
  return { kind: "restart", delayMs: Math.round(full * (0.5 + random / 2)) };
}

export function recentFailures(failures: readonly number[], now: number, { windowMs }: RestartLimits): number[] {
  return failures.filter((time) => now - time < windowMs);
}
