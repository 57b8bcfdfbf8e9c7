/** From files and factories to extensions that have registered what they have. Source: extensions.md sections 1 and 2. */
import { existsSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, resolve } from "node:path";
import { getAgentDir } from "../../config.js";
import type { SourceInfo } from "../resources/resource-types.js";
import { createSyntheticSourceInfo } from "../resources/source-info.js";
import { assertReadable, reasonOf } from "../storage/read-text.js";
import { directoryEntries, isDirectory, realPathOf } from "./discovery.js";
import { createEventBus } from "./event-bus.js";
import { beginExtension, emptyExtension } from "./extension-api.js";
import { describeLoadError, thrownPrefix } from "./loading/load-error.js";
import { withinLoadTime } from "./loading/load-time.js";
import type { ModuleImporter } from "./loading/module-importer.js";
import { createExtensionRuntime } from "./runtime.js";
import type { EventBusController, ExtensionFactory, InlineExtension } from "./types/api.js";
import type { Extension, ExtensionRuntime, LoadExtensionsResult } from "./types/host.js";

/** A file to load, or a factory that is there already. */
export interface ExtensionSource {
  /** As errors name it. */
  path: string;
  sourceInfo: SourceInfo;
  inline?: Exclude<InlineExtension, ExtensionFactory> | undefined;
}

export interface LoadExtensionsOptions {
  cwd: string;
  runtime: ExtensionRuntime;
  modules: ExtensionModules;
  /** What was loaded with this runtime before: it is not run again, and what failed is not tried again. */
  earlier?: Pick<LoadExtensionsResult, "extensions" | "errors"> | undefined;
  /** Told of one that takes long. */
  onSlow?: ((path: string, text: string) => void) | undefined;
}

type LoadError = LoadExtensionsResult["errors"][number];

/**
 * Factories by file, kept while the working directory stays the same: a session that replaces another runs them again
 * without reading them again.
 */
export class ExtensionModules {
  readonly #agentDir: string;
  readonly #factories = new Map<string, unknown>();
  #importer: Promise<ModuleImporter> | undefined;

  constructor(agentDir: string = getAgentDir()) {
    this.#agentDir = agentDir;
  }

  /** The default export of a file. The transpiler is loaded with the first of them. */
  async load(file: string): Promise<unknown> {
    const known = this.#factories.get(file);
    if (known !== undefined) return known;
    this.#importer ??= import("./loading/module-importer.js").then(({ createModuleImporter }) =>
      createModuleImporter(join(this.#agentDir, "cache", "extensions")),
    );
    const factory = await (await this.#importer).importDefault(file);
    this.#factories.set(file, factory);
    return factory;
  }

  /** The files are read afresh from now on. */
  clear(): void {
    this.#factories.clear();
  }
}

/** Loads one after another, each to its end. What fails is told and leaves nothing behind; the others go on. */
export async function loadExtensions(
  sources: readonly ExtensionSource[],
  { cwd, runtime, modules, earlier, onSlow }: LoadExtensionsOptions,
): Promise<LoadExtensionsResult> {
  runtime.cwd = cwd;
  const extensions: Extension[] = [];
  const errors: LoadError[] = [];
  for (const source of withoutRepetitions(sources)) {
    const known = [...(earlier?.extensions ?? []), ...(earlier?.errors ?? [])];
    const tell = (text: string) => onSlow?.(source.path, text);
    const outcome =
      known.find(({ path }) => path === source.path) ?? (await loadExtension(source, runtime, modules, tell));
    if ("error" in outcome) errors.push(outcome);
    else extensions.push(outcome);
  }
  errors.push(...conflictsOf(extensions));
  return { extensions, errors, warnings: [], runtime };
}

/**
 * Loads files and folders by path: what programs of others call.
 * @param paths files or folders, relative ones against `cwd`
 */
export async function discoverAndLoadExtensions(
  paths: readonly string[],
  cwd: string,
  agentDir: string = getAgentDir(),
  events: EventBusController = createEventBus(),
): Promise<LoadExtensionsResult> {
  const sources = paths.flatMap((path) => namedSources(path, cwd));
  return loadExtensions(sources, {
    cwd,
    runtime: createExtensionRuntime(events),
    modules: new ExtensionModules(agentDir),
  });
}

/** The extensions a path stands for: a file, or what a folder says it contains. */
export function namedSources(path: string, cwd: string, source = "cli"): ExtensionSource[] {
  if (isBuiltin(path)) return [{ path, sourceInfo: createSyntheticSourceInfo(path, { source: "builtin" }) }];
  const absolute = isAbsolute(path) ? path : resolve(cwd, path);
  const files = isDirectory(absolute) ? directoryEntries(absolute) : [];
  const found = files.length > 0 ? files : [absolute];
  return found.map((file) => ({ path: file, sourceInfo: createSyntheticSourceInfo(file, { source }) }));
}

function isBuiltin(path: string): boolean {
  return path.startsWith("builtin:");
}

/** Inline factories get names, so that errors have something to say. */
export function inlineSources(factories: readonly InlineExtension[]): ExtensionSource[] {
  return factories.map((given, index) => {
    const inline = typeof given === "function" ? { name: String(index + 1), factory: given } : given;
    const path = `<inline:${inline.name}>`;
    const source = inline.builtin ? "builtin" : "inline";
    return { path, sourceInfo: createSyntheticSourceInfo(path, { source }), inline };
  });
}

/** The same file twice counts once, in its first place. */
function withoutRepetitions(sources: readonly ExtensionSource[]): ExtensionSource[] {
  const seen = new Set<string>();
  return sources.filter(({ path, inline }) => {
    if (inline) return true;
    const real = realPathOf(path);
    const key = process.platform === "win32" || process.platform === "darwin" ? real.toLowerCase() : real;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

async function loadExtension(
  { path, sourceInfo, inline }: ExtensionSource,
  runtime: ExtensionRuntime,
  modules: ExtensionModules,
  onSlow: (text: string) => void,
): Promise<Extension | LoadError> {
  // None is built in yet: all that there is comes from files and from programs.
  if (!inline && isBuiltin(path)) return { path, error: `Unknown built-in extension: ${path}` };
  const problem = inline ? undefined : pathProblem(path);
  if (problem !== undefined) return { path, error: problem };
  const resolvedPath = inline ? path : realPathOf(path);
  const extension = emptyExtension(path, resolvedPath, sourceInfo);
  if (inline?.hidden) extension.hidden = true;
  if (inline?.replaceable) extension.replaceable = true;
  const making = beginExtension(extension, runtime);
  try {
    const run = async () => {
      const factory = inline ? inline.factory : await modules.load(resolvedPath);
      if (typeof factory !== "function") return false;
      await (factory as ExtensionFactory)(making.api);
      return true;
    };
    if (!(await withinLoadTime(path, run(), onSlow))) {
      return { path, error: `Extension does not export a valid factory function: ${path}` };
    }
    making.commit();
    return extension;
  } catch (error) {
    making.rollBack();
    const text = describeLoadError(error, resolvedPath, dirname(resolvedPath));
    return { path, error: `${thrownPrefix}${text}` };
  }
}

/** Why a path cannot be an extension. A pipe that nobody writes to would be waited for for ever. */
function pathProblem(path: string): string | undefined {
  try {
    if (!isDirectory(path)) assertReadable(path);
  } catch (error) {
    return reasonOf(error);
  }
  return existsSync(path) ? undefined : `Extension path does not exist: ${path}`;
}

/** Names that two extensions want: the first has them, and the later one is told. Source: extensions.md section 1.5. */
function conflictsOf(extensions: readonly Extension[]): LoadError[] {
  const errors: LoadError[] = [];
  const check = (kind: (extension: Extension) => Iterable<string>, describe: (name: string) => string) => {
    const owners = new Map<string, Extension>();
    for (const extension of extensions) {
      for (const name of kind(extension)) {
        const owner = owners.get(name);
        if (owner) errors.push({ path: extension.path, error: `${describe(name)} conflicts with ${owner.path}` });
        else owners.set(name, extension);
      }
    }
  };
  check(
    ({ tools }) => tools.keys(),
    (name) => `Tool "${name}"`,
  );
  check(
    ({ flags }) => flags.keys(),
    (name) => `Flag "--${name}"`,
  );
  return errors;
}

/** What resources of an extension name as their source. */
export function extensionLabel(path: string): string {
  return `extension:${basename(path, extname(path))}`;
}
