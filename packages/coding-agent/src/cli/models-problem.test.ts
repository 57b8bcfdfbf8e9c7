import { expect, it } from "vitest";
import { modelsProblemLine } from "./models-problem.js";

it.each([
  ["Failed to parse models.json: no\n\nFile: /m", "Failed to parse models.json: no. File: /m"],
  [
    "Invalid models.json schema:\n  - providers.a: one\n  - providers.b: two\n\nFile: /m",
    "Invalid models.json schema: providers.a: one; providers.b: two. File: /m",
  ],
  ['Provider "a": one.\nProvider "b": two.\n\nFile: /m', 'Provider "a": one.; Provider "b": two. File: /m'],
])("%j is one line", (error, line) => {
  expect(modelsProblemLine(error)).toBe(line);
});
