/** The longest time a timer can be set to, in ms; a longer one would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * How long a dialog may stay open, in ms. Undefined: as long as the user likes, which is also what no number, none above
 * zero, and more than a timer can measure (25 days) mean.
 */
export function dialogLimit(timeout: unknown): number | undefined {
  return typeof timeout === "number" && timeout > 0 && timeout <= MAX_TIMER_MS ? timeout : undefined;
}
