import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CombinedAutocompleteProvider } from "./combined-provider.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pi-complete-"));
  for (const path of ["src/deep", "my docs", ".git"]) mkdirSync(join(folder, path), { recursive: true });
  for (const path of ["src/model.ts", "src/deep/model-list.ts", "my docs/a.md", "README.md", ".git/model"]) {
    writeFileSync(join(folder, path), "");
  }
  symlinkSync(join(folder, "src"), join(folder, "link"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const commands = [
  { name: "help", description: "Shows help" },
  {
    name: "model",
    argumentHint: "<name>",
    description: "Chooses",
    getArgumentCompletions: (prefix: string) => (prefix === "x" ? null : [{ value: "m1", label: "m1" }]),
  },
  { name: "skill:hello" },
];

async function suggest(line: string, force = false) {
  const provider = new CombinedAutocompleteProvider(commands, folder);
  const found = await provider.getSuggestions([line], 0, line.length, { signal: new AbortController().signal, force });
  return found?.items.map(({ value }) => value) ?? null;
}

function apply(line: string, value: string, prefix: string) {
  const provider = new CombinedAutocompleteProvider(commands, folder);
  const { lines, cursorCol } = provider.applyCompletion([line], 0, line.length, { value, label: value }, prefix);
  return `${lines[0]?.slice(0, cursorCol)}|${lines[0]?.slice(cursorCol)}`;
}

describe("CombinedAutocompleteProvider", () => {
  it.each<[string, boolean, string[] | null]>([
    ["/he", false, ["help", "skill:hello"]],
    ["/mod", false, ["model"]],
    ["/zzz", false, null],
    ["/model ", false, ["m1"]],
    ["/model x", false, null],
    ["see @model", false, ["@src/model.ts", "@link/model.ts", "@src/deep/model-list.ts", "@link/deep/model-list.ts"]],
    ["@src/mo", false, ["@src/model.ts", "@src/deep/model-list.ts"]],
    ["(@read", false, ["@README.md"]],
    ["@my", false, ['@"my docs/"', '@"my docs/a.md"']],
    ["src/", false, ["src/deep/", "src/model.ts"]],
    ["./s", false, ["./src/"]],
    ["rea", false, null],
    ["rea", true, ["README.md"]],
    ["word ", true, ["link/", '"my docs/"', "src/", "README.md"]],
    ['"my docs/', false, ['"my docs/a.md"']],
    ["/none/x", false, null],
  ])("%j (forced: %s)", async (line, force, expected) => {
    const found = await suggest(line, force);
    if (line.includes("model") && line.includes("@model")) expect(new Set(found)).toEqual(new Set(expected));
    else expect(found).toEqual(expected);
  });

  it.each([
    ["/he", "help", "/he", "/help |"],
    ["see @re", "@README.md", "@re", "see @README.md |"],
    ["@sr", "@src/", "@sr", "@src/|"],
    ["@my", '@"my docs/"', "@my", '@"my docs/|"'],
    ["sr", "src/", "sr", "src/|"],
  ])("%j with %s", (line, value, prefix, expected) => {
    expect(apply(line, value, prefix)).toBe(expected);
  });

  it("says describing words of commands", async () => {
    const provider = new CombinedAutocompleteProvider(commands, folder);
    const found = await provider.getSuggestions(["/model"], 0, 6);
    expect(found?.items[0]?.description).toBe("<name> — Chooses");
  });

  it("leaves Tab on a command's name to the commands", () => {
    const provider = new CombinedAutocompleteProvider(commands, folder);
    expect(provider.shouldTriggerFileCompletion(["/he"], 0, 3)).toBe(false);
    expect(provider.shouldTriggerFileCompletion(["/he x"], 0, 5)).toBe(true);
  });
});
