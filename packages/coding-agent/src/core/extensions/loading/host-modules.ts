/** Modules that extensions share with the program, whatever they have installed. Source: extensions.md section 2.2. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

type Load = (specifier: string) => unknown;
type Namespace = Record<string, unknown>;

/** Under their names of today and of before. */
const scopes = ["@earendil-works", "@mariozechner"];
const selfName = "@earendil-works/pi-coding-agent";

/** Specifier without its scope -> the module of ours it stands for. */
const packageModules: Readonly<Record<string, string>> = {
  "pi-coding-agent": selfName,
  "pi-agent-core": "@earendil-works/pi-agent-core",
  "pi-tui": "@earendil-works/pi-tui",
  "pi-ai": "@earendil-works/pi-ai/compat",
  "pi-ai/compat": "@earendil-works/pi-ai/compat",
  "pi-ai/models": "@earendil-works/pi-ai/models",
  "pi-ai/oauth": "@earendil-works/pi-ai/oauth",
  "pi-ai/providers/all": "@earendil-works/pi-ai/providers/all",
};

/** Seen by extensions with the schema builder in it. */
const aiView = new Set(["pi-ai", "pi-ai/compat"]);

const schemaModules = ["", "/compile", "/value"];
const schemaPackages = ["typebox", "@sinclair/typebox"];

/** Text of a module that may ask for one of ours. */
export const hostSpecifierPattern = /@(?:earendil-works|mariozechner)\/pi-|(?:@sinclair\/)?typebox/;

/**
 * Modules by specifier, each loaded when it is first asked for: an extension that draws nothing does not load the
 * terminal library.
 */
export function hostModules(load: Load = requireModule): Namespace {
  const modules: Namespace = {};
  const loaded = new Map<string, unknown>();
  const once = (name: string, make: () => unknown) => {
    if (!loaded.has(name)) loaded.set(name, make());
    return loaded.get(name);
  };
  const define = (specifier: string, get: () => unknown) =>
    Object.defineProperty(modules, specifier, { enumerable: true, configurable: true, get });

  const schema = (path: string) => once(`typebox${path}`, () => load(`typebox${path}`));
  for (const scope of scopes) {
    for (const [path, own] of Object.entries(packageModules)) {
      const get = aiView.has(path)
        ? () => once("view of pi-ai", () => withSchemaBuilder(load(own) as Namespace, () => schema("") as Namespace))
        : () => once(own, () => load(own));
      define(`${scope}/${path}`, get);
    }
  }
  for (const name of schemaPackages) for (const path of schemaModules) define(`${name}${path}`, () => schema(path));
  return modules;
}

/** The model layer with `Type` in it, which is loaded when it is used. */
function withSchemaBuilder(ai: Namespace, schema: () => Namespace): Namespace {
  const view: Namespace = { ...ai };
  Object.defineProperty(view, "Type", { enumerable: true, get: () => schema()["Type"] });
  return view;
}

const require = createRequire(import.meta.url);

/** At once, and the very instance that `import` gives. */
function requireModule(specifier: string): unknown {
  if (!specifier.startsWith("typebox")) return require(specifier);
  // One file each: loading the package's many would take a third of a second.
  const file = `${specifier.replace("/", "-")}.js`;
  return require(join(dirname(require.resolve(`${selfName}/package.json`)), "dist", "bundled", file));
}

/** As `hostModules`, when the program runs from its sources: they can only be imported, so all of them are at once. */
export async function hostModulesOfSources(): Promise<Namespace> {
  const names = [...new Set(Object.values(packageModules)), ...schemaModules.map((path) => `typebox${path}`)];
  // The name is not written out: what the package exports has this file below it.
  const found = new Map(await Promise.all(names.map(async (name) => [name, await import(name)] as const)));
  return hostModules((name) => found.get(name));
}
