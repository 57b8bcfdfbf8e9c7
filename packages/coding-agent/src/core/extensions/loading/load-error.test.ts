import { describe, expect, it } from "vitest";
import { loadErrorLine } from "./load-error.js";

describe("loadErrorLine", () => {
  it.each([
    ["Failed to load extension: boom (/x/a.ts:2)", 'Failed to load extension "/x/a.ts": boom (/x/a.ts:2)'],
    [
      "Extension path does not exist: /x/a.ts",
      'Failed to load extension "/x/a.ts": Extension path does not exist: /x/a.ts',
    ],
  ])("%s", (error, line) => {
    expect(loadErrorLine({ path: "/x/a.ts", error })).toBe(line);
  });
});
