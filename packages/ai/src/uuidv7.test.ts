import { expect, test, vi } from "vitest";
import { uuidv7 } from "./uuidv7.js";

const FORMAT = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("strictly increasing, also when the clock steps back", () => {
  const ids = Array.from({ length: 20_000 }, () => uuidv7());
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 100_000);
  ids.push(...Array.from({ length: 100 }, () => uuidv7()));
  clock.mockRestore();
  expect(ids.every((id) => FORMAT.test(id))).toBe(true);
  expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? ""))).toBe(true);
});

test("carries the given time", () => {
  const id = uuidv7(0x0123456789ab);
  expect(id).toMatch(FORMAT);
  expect(id.startsWith("01234567-89ab-7")).toBe(true);
  expect(uuidv7(1)).not.toBe(uuidv7(1));
});
