import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { inTemporaryFolder } from "../temporary-folder.js";
import { given } from "./given.js";
import { removed, types } from "./tables.js";

const declared: Record<string, { types: string; values: string }> = JSON.parse(
  readFileSync(new URL("../fixtures/extension-types/names.json", import.meta.url), "utf8"),
);
let folder = "";
inTemporaryFolder("pi-frequency-", (path) => {
  folder = path;
});

it("every type that extensions use is among those that are compiled, and import, under every specifier", () => {
  for (const [module, names] of Object.entries(types)) {
    // Classes are values, and types too.
    const known = `${declared[module]?.types} ${declared[module]?.values}`.split(" ");
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  }
});

it.each(["@earendil-works", "@mariozechner"])("%s: names that are gone read as undefined", async (scope) => {
  for (const [module, names] of Object.entries(removed)) {
    const all = await given<Record<string, unknown>>(`${scope}/${module}`, folder);
    expect(names.map((name) => all[name])).toEqual(names.map(() => undefined));
  }
});
