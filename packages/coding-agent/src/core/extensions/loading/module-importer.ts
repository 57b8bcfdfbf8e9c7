/** Extension files become modules: TypeScript, ES modules and CommonJS alike. Source: extensions.md section 2.1. */
import { existsSync, readFileSync } from "node:fs";
import nodeModule, { createRequire } from "node:module";
import { dirname, isAbsolute, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { hostModules, hostModulesOfSources, hostSpecifierPattern } from "./host-modules.js";

/** Imports files afresh: each import of an importer reads the file and what it imports again. */
export interface ModuleImporter {
  /** Its default export, else what `module.exports` is. */
  importDefault(file: string): Promise<unknown>;
}

/** What jiti's core wants from whoever starts it. */
interface JitiHost {
  onError(error: unknown): never;
  nativeImport(id: string): Promise<unknown>;
  createRequire(file: string): NodeJS.Require;
}
interface JitiOptions {
  fsCache: string | false;
  moduleCache: boolean;
  interopDefault: boolean;
  tryNative: boolean;
  virtualModules: Record<string, unknown>;
  transformOptions: { retainLines: boolean };
  transform(...args: unknown[]): unknown;
}
interface Jiti {
  import(id: string, options: { default: true }): Promise<unknown>;
}
type CreateJiti = (file: string, options: JitiOptions, host: JitiHost) => Jiti;

const nativeRequire = createRequire(import.meta.url);

/**
 * @param cacheDir where transpiled files are kept; made when it is missing, done without when it cannot be
 */
export async function createModuleImporter(cacheDir: string): Promise<ModuleImporter> {
  // jiti's own front door decides by itself what Node imports natively: then modules of ours would come twice.
  const parts = join(dirname(nativeRequire.resolve("jiti/package.json")), "dist");
  const createJiti: CreateJiti = nativeRequire(join(parts, "jiti.cjs"));
  let transpile: ((...args: unknown[]) => unknown) | undefined;
  const virtualModules = import.meta.url.endsWith(".ts") ? await hostModulesOfSources() : hostModules();
  const options: JitiOptions = {
    fsCache: cacheDir,
    moduleCache: false,
    interopDefault: true,
    tryNative: false,
    virtualModules,
    // Errors name lines of the file as it was written.
    transformOptions: { retainLines: true },
    transform: (...args) => {
      transpile ??= nativeRequire(join(parts, "babel.cjs")) as (...args: unknown[]) => unknown;
      return transpile(...args);
    },
  };
  return {
    importDefault(file) {
      const own = packageOf(file);
      const host: JitiHost = {
        onError: (error) => {
          throw error;
        },
        nativeImport: async (id) => {
          if (isModuleOfModules(id)) return moduleOfModules;
          refuseOwnCode(id, own);
          return import(id);
        },
        createRequire: (from) => guardedRequire(from, own, moduleOfModules),
      };
      // What an extension requires by itself goes the same way as what it imports.
      const moduleOfModules = withRequire((from) => createJiti(from, options, host));
      return createJiti(file, options, host).import(file, { default: true });
    },
  };
}

/** As `createRequire`, for dependencies only: jiti transpiles what is refused. */
function guardedRequire(from: string, own: string, moduleOfModules: object): NodeJS.Require {
  const require = createRequire(from);
  return Object.assign((id: string) => {
    if (isModuleOfModules(id)) return moduleOfModules;
    refuseOwnCode(id, own);
    return require(id);
  }, require);
}

function isModuleOfModules(id: string): boolean {
  return id === "node:module" || id === "module";
}

/** Node's module about modules, whose `createRequire` gives another kind of require. */
function withRequire(make: (from: string) => unknown): object {
  const changed = {
    createRequire: (from: string | URL) => {
      const text = String(from);
      return make(text.startsWith("file:") ? fileURLToPath(text) : text);
    },
  };
  return { ...nodeModule, ...changed, default: Object.assign(Object.create(nodeModule), changed) };
}

/**
 * Node may run what an extension depends on. It may not run the extension's own files, which a reload reads again and
 * whose imports may name things that are gone, nor packages that import ours: they must get our instances.
 *
 * @throws for a file that has to go through jiti
 */
function refuseOwnCode(id: string, own: string): void {
  const path = id.startsWith("file:") ? fileURLToPath(id) : id;
  if (!isAbsolute(path) || !/\.[cm]?js$/.test(path)) return;
  const root = packageOf(path);
  if (root === own || mentionsHost(root)) throw new Error(`${path} is transpiled`);
}

const hostUsers = new Map<string, boolean>();

function mentionsHost(root: string): boolean {
  let mentions = hostUsers.get(root);
  if (mentions === undefined) {
    const manifest = join(root, "package.json");
    mentions = existsSync(manifest) && hostSpecifierPattern.test(readFileSync(manifest, "utf8"));
    hostUsers.set(root, mentions);
  }
  return mentions;
}

/** The folder of the package a file is part of; for a loose file its own folder. */
function packageOf(file: string): string {
  for (let dir = dirname(file); ; dir = dirname(dir)) {
    if (existsSync(join(dir, "package.json"))) return dir;
    if (dir === dirname(dir) || dirname(dir).endsWith(`${sep}node_modules`)) return dirname(file);
  }
}
