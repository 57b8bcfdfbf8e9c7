import { describe, expect, it } from "vitest";
import { resolveConfigValue } from "./config-value.js";

const env = { KEY: "secret", OTHER: "o", EMPTY: "" };
const run = async (command: string) => (command === "good" ? "printed" : undefined);

describe("config values (llm.md section 11.5)", () => {
  it.each([
    ["literal", { value: "literal" }],
    ["KEY", { value: "KEY" }],
    ["$KEY", { value: "secret" }],
    ["${KEY}", { value: "secret" }],
    ["a-${KEY}-$OTHER", { value: "a-secret-o" }],
    ["$$KEY", { value: "$KEY" }],
    ["$!x", { value: "!x" }],
    ["${bad name}", { value: "${bad name}" }],
    ["100$", { value: "100$" }],
    ["$MISSING", { unresolved: "environment variable: MISSING" }],
    ["$EMPTY", { unresolved: "environment variable: EMPTY" }],
    ["$A$B", { unresolved: "environment variables: A, B" }],
    ["!good", { value: "printed" }],
    ["!bad", { unresolved: "shell command: bad" }],
  ])("%s", async (value, expected) => {
    expect(await resolveConfigValue(value, env, run)).toEqual(expected);
  });
});
