import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { discoverAndLoadExtensions } from "../../src/index.js";

/** A module as an extension gets it that imports it. */
export async function given<Module>(specifier: string, folder: string): Promise<Module> {
  const file = join(folder, "given.ts");
  writeFileSync(
    file,
    `import * as given from "${specifier}"; export default () => { globalThis.givenModule = { ...given }; };`,
  );
  const { errors } = await discoverAndLoadExtensions([file], folder, folder);
  if (errors[0]) throw new Error(errors[0].error);
  return (globalThis as { givenModule?: Module }).givenModule as Module;
}
