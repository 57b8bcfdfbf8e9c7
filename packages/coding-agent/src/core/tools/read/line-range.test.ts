import { expect, it } from "vitest";
import { formatReadLineRange } from "./line-range.js";

it.each([
  [undefined, undefined, ""],
  ["1", null, ""],
  [5, undefined, ":5"],
  [5, 10, ":5-14"],
  [undefined, 10, ":1-10"],
  [Number.NaN, 1, ":1-1"],
])("%j, %j is %j", (offset, limit, text) => {
  expect(formatReadLineRange(offset, limit)).toBe(text);
});
