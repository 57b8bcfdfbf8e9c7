import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../temporary-folder.js";
import { given } from "./given.js";
import { values } from "./tables.js";

/** What each name of a module must do. A probe asserts it with the value that an extension has imported. */
export type Probes<Module> = { readonly [Name in keyof Module]?: (value: Module[Name], all: Module) => unknown };

/** One test for each name of the table: a name without a probe is one, too, and fails. */
export function theProbesOf<Module extends object>(
  specifier: string,
  table: keyof typeof values,
  probes: Probes<Module>,
): void {
  describe(`${specifier}, as extensions import it`, () => {
    let folder = "";
    inTemporaryFolder("pi-frequency-", (path) => {
      folder = path;
    });
    let module: Module | undefined;

    it.each(values[table])("%s does what it says", async (name) => {
      module ??= await given<Module>(specifier, folder);
      const probe = probes[name as keyof Module];
      if (!probe) throw new Error(`nothing is said about ${name}`);
      const value = module[name as keyof Module];
      expect(value).toBeDefined();
      await probe(value, module);
    });
  });
}
