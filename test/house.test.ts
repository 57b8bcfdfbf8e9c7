import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/lib/setup.mjs";

/** Rules of the house that no linter knows. */
const sources = readdirSync(join(root, "packages"), { recursive: true, encoding: "utf8" })
  .filter((path) => /^[^/]+\/src\/.*\.ts$/.test(path) && !/\.(test|d)\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, "packages", path), "utf8") }));

describe("the house", () => {
  it("stdout and stderr belong to the running mode and the front door", () => {
    const may =
      /^(coding-agent\/src\/(cli\.ts|main\.ts|modes\/(lost-)?output\.ts)|orchestrator\/src\/(cli\.ts|holder\.ts|cli\/output\.ts))$/;
    const prints = sources.filter(({ path, text }) => !may.test(path) && /process\.std(out|err)\.write/.test(text));
    expect(prints.map(({ path }) => path)).toEqual([]);
  });

  it("every tool is a code file with what the model is told beside it", () => {
    const tools = sources.filter(
      ({ path, text }) => path.startsWith("coding-agent/src/core/tools/") && text.includes(".md?raw"),
    );
    expect(tools.map(({ path }) => path.replace(/.*\//, "")).sort()).toEqual(
      ["bash", "edit", "find", "grep", "ls", "powershell", "read", "write"].map((name) => `${name}.ts`),
    );
  });

  it("nothing names the machine or the registry it was made on", () => {
    const lock = readFileSync(join(root, "package-lock.json"), "utf8");
    expect(lock).not.toMatch(/"resolved": "https?:/);
    for (const { path, text } of sources) expect(text, path).not.toMatch(/\/work\/|registry\.npmjs/);
  });
});
