import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { discoverAndLoadExtensions } from "../src/index.js";
import { inTemporaryFolder } from "./temporary-folder.js";

const here = dirname(fileURLToPath(import.meta.url));
const packages = join(here, "../..");
/** Names by module: types and values, each a list of words. */
const names: Record<string, { types: string; values: string }> = JSON.parse(
  readFileSync(join(here, "fixtures/extension-types/names.json"), "utf8"),
);
const words = (text: string) => (text === "" ? [] : text.split(" "));

/** Every specifier with the module whose names it has. */
const specifiers = Object.keys(names).flatMap((module) =>
  module.startsWith("typebox")
    ? [module, `@sinclair/${module}`].map((specifier) => [specifier, module] as const)
    : ["@earendil-works", "@mariozechner"].map((scope) => [`${scope}/${module}`, module] as const),
);

/** The published map of specifiers, led to the sources. */
function sourcePaths(): Record<string, string[]> {
  const { config } = ts.readConfigFile(join(here, "../extension-types/tsconfig.json"), ts.sys.readFile);
  const folders: Record<string, string> = { "pi-ai": "ai", "pi-agent-core": "agent", "pi-tui": "tui" };
  const toSource = (path: string) =>
    path
      .replace(
        /^\.\.\/node_modules\/@earendil-works\/([^/]+)\/dist\//,
        (_all, name) => `${packages}/${folders[name]}/src/`,
      )
      .replace(/^\.\.\/dist\//, `${packages}/coding-agent/src/`)
      .replace(/^\.\//, `${packages}/coding-agent/extension-types/`)
      .replace(/^(?:\.\.\/)+(?:node_modules\/)?typebox\//, `${packages}/../node_modules/typebox/`)
      .replace(/(\/src\/.*)\.d\.ts$/, "$1.ts");
  const paths: Record<string, string[]> = config.compilerOptions.paths;
  return Object.fromEntries(Object.entries(paths).map(([name, [first = ""]]) => [name, [toSource(first)]]));
}

function problems(files: Record<string, string>): string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    customConditions: ["@pi/source"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    resolveJsonModule: true,
    types: ["node"],
    typeRoots: [join(packages, "../node_modules/@types")],
    paths: sourcePaths(),
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => name in files || fileExists(name);
  host.readFile = (name) => files[name] ?? readFile(name);
  host.getSourceFile = (name, version, ...rest) => {
    const text = files[name];
    return text === undefined ? getSourceFile(name, version, ...rest) : ts.createSourceFile(name, text, version);
  };
  const program = ts.createProgram(Object.keys(files), options, host);
  // Our own sources are checked elsewhere, by our own stricter rules.
  return Object.keys(files).flatMap((name) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(name)).map(({ messageText, start, file }) => {
      const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
      return `${name.replace(packages, "")}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    }),
  );
}

describe("extensions compiled strictly against our declarations", () => {
  it("find every name of the contract under every specifier, and the types of what they write", () => {
    const example = join(here, "fixtures/extension-types/extension.ts");
    const imports = specifiers.map(([specifier, module], index) => {
      const { types = "", values = "" } = names[module] ?? {};
      const type = words(types).map((name) => `type ${name} as T${index}_${name}`);
      const value = words(values).map((name) => `${name} as V${index}_${name}`);
      return `import { ${[...type, ...value].join(", ")} } from "${specifier}";`;
    });
    const all = `${imports.join("\n")}\nexport {};\n`;
    expect(
      problems({ [example]: readFileSync(example, "utf8"), [join(here, "fixtures/extension-types/all.ts")]: all }),
    ).toEqual([]);
  }, 600_000);
});

describe("extensions at run time", () => {
  let folder = "";
  inTemporaryFolder("pi-extension-types-", (path) => {
    folder = path;
  });

  it.each(specifiers)("%s has every value, and no other", async (specifier, module) => {
    const values = words(names[module]?.values ?? "");
    const file = join(folder, "names.ts");
    writeFileSync(
      file,
      `import { ${[...values, "noSuchName"].join(", ")} } from "${specifier}";
      export default () => {
        const found = { ${[...values, "noSuchName"].join(", ")} };
        globalThis.missingNames = Object.keys(found).filter((name) => found[name] === undefined);
      };`,
    );
    const { errors } = await discoverAndLoadExtensions([file], folder, folder);
    expect(errors).toEqual([]);
    expect((globalThis as { missingNames?: string[] }).missingNames).toEqual(["noSuchName"]);
  });
});
