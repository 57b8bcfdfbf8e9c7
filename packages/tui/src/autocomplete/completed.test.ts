import { expect, it } from "vitest";
import { completed } from "./completed.js";
import type { AutocompleteProvider } from "./types.js";

const complete = (applyCompletion: () => unknown) =>
  completed(
    { getSuggestions: async () => null, applyCompletion } as unknown as AutocompleteProvider,
    ["first", "say @re now"],
    1,
    7,
    { value: "@readme", label: "readme" },
    "@re",
  );
const usual = { lines: ["first", "say @readme now"], cursorLine: 1, cursorCol: 11 };

it("a provider says what the text becomes", () => {
  const own = { lines: ["other"], cursorLine: 0, cursorCol: 5 };
  expect(complete(() => own)).toBe(own);
});

it.each([
  undefined,
  null,
  "text",
  {},
  { lines: "text", cursorLine: 0, cursorCol: 0 },
  { lines: [1], cursorLine: 0, cursorCol: 0 },
  { lines: ["a"], cursorLine: 1, cursorCol: 0 },
  { lines: ["a"], cursorLine: 0, cursorCol: 2 },
  { lines: ["a"], cursorLine: 0, cursorCol: 0.5 },
  { lines: [], cursorLine: 0, cursorCol: 0 },
])("one that says nothing usable (%j) leaves it to the usual way", (given) => {
  expect(complete(() => given)).toEqual(usual);
});

it("so does one that throws", () => {
  const failing = () => {
    throw new Error("no");
  };
  expect(complete(failing)).toEqual(usual);
});
