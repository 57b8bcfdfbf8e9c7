import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runEmptyText } from "../../../modes/run-empty.js";
import { unansweredWaits } from "../running/waits.js";
import { LOAD_BOUND_MS, withinLoadTime } from "./load-time.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("a factory that never ends is named, counts as failed after its time, and is named when nothing else is left", async () => {
  const told: string[] = [];
  const loading = withinLoadTime("/x/deaf.ts", new Promise(() => {}), (text) => told.push(text));
  const failure = expect(loading).rejects.toThrow("The factory has not answered for 60 s.");
  expect(runEmptyText(unansweredWaits())).toMatch(
    /^Error: Extension "\/x\/deaf.ts" has not answered.*: its factory\.$/m,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual(["The factory has not answered for 10 s."]);
  await vi.advanceTimersByTimeAsync(LOAD_BOUND_MS);
  await failure;
  expect(unansweredWaits()).toEqual([]);
});
