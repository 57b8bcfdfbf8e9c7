import { PassThrough } from "node:stream";
import { afterEach, expect, it, vi } from "vitest";
import { confirm, type PipedInput } from "./confirm.js";

afterEach(() => vi.restoreAllMocks());

it.each([
  ["y\n", true],
  ["YES\n", true],
  [" yes \nmore\n", true],
  ["n\n", false],
  ["yep\n", false],
  ["\n", false],
  ["", false],
])("%j: %s", async (typed, expected) => {
  const input = new PassThrough();
  vi.spyOn(process, "stdin", "get").mockReturnValue(input as never);
  input.end(typed);
  const said: string[] = [];
  expect(await confirm("Sure? [y/N] ", (text) => said.push(text), { text: undefined })).toBe(expected);
  expect(said).toEqual(["Sure? [y/N]"]);
});

it.each([
  ["y\nrest\nof it", true, "rest\nof it"],
  ["y", true, undefined],
  ["no\nrest", false, "rest"],
])("%j piped: %s, and %j is left", async (text, expected, left) => {
  const piped: PipedInput = { text };
  expect(await confirm("Sure? [y/N] ", () => {}, piped)).toBe(expected);
  expect(piped.text).toBe(left);
});
