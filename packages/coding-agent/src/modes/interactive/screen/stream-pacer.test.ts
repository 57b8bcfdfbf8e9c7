import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { StreamPacer } from "./stream-pacer.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** How often a second of requests, one per ms, is drawn when a frame takes so long. */
function framesInASecond(cost: number): number {
  let frames = 0;
  const pacer = new StreamPacer(() => {
    frames++;
    vi.advanceTimersByTime(cost);
  });
  const end = performance.now() + 1000;
  while (performance.now() < end) {
    pacer.request();
    vi.advanceTimersByTime(1);
  }
  pacer.stop();
  return frames;
}

it("draws the first piece at once, and many as one", () => {
  const draw = vi.fn();
  const pacer = new StreamPacer(draw);
  pacer.request();
  pacer.request();
  vi.advanceTimersByTime(0);
  expect(draw).toHaveBeenCalledTimes(1);
  pacer.request();
  vi.advanceTimersByTime(20);
  expect(draw).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(40);
  expect(draw).toHaveBeenCalledTimes(2);
});

it("draws less often where a frame costs more, and never stops", () => {
  expect(framesInASecond(0)).toBeGreaterThanOrEqual(18);
  expect(framesInASecond(4)).toBeLessThanOrEqual(9);
  expect(framesInASecond(100)).toBeGreaterThanOrEqual(3);
});
