/** What a working directory brings along besides settings. Source: cli-and-config.md section 7.4, exports.md 4.4. */
import { join } from "node:path";
import { getAgentDir } from "../config.js";
import { isDirectory } from "./extensions/discovery.js";
import { createEventBus } from "./extensions/event-bus.js";
import { ExtensionModules, type ExtensionSource, loadExtensions } from "./extensions/loader.js";
import { createExtensionRuntime } from "./extensions/runtime.js";
import { extensionSources } from "./extensions/sources.js";
import type { EventBusController, InlineExtension } from "./extensions/types/api.js";
import type { LoadExtensionsResult } from "./extensions/types/host.js";
import type { Theme } from "./extensions/types/theme.js";
import type { ResolvedPaths, ResolvedResource } from "./packages/types.js";
import { type ContextFile, loadProjectContextFiles } from "./resources/context-files.js";
import { textOrFile } from "./resources/named-text.js";
import { type LoadPromptTemplatesResult, loadPromptTemplates } from "./resources/prompt-templates.js";
import { promptPlaces, resourceScopes, skillPlaces } from "./resources/resource-places.js";
import type { PathMetadata, PromptTemplate, ResourceDiagnostic } from "./resources/resource-types.js";
import { type LoadSkillsResult, loadSkillSources } from "./resources/skills.js";
import { resolveUserPath } from "./session-store/paths.js";
import { SettingsManager } from "./settings/settings-manager.js";
import { readTextIfExists } from "./storage/files.js";

export interface ExtendedPath {
  path: string;
  metadata: PathMetadata;
}

/** Further places, which extensions told of. */
export interface ExtendedPaths {
  skillPaths?: ExtendedPath[] | undefined;
  promptPaths?: ExtendedPath[] | undefined;
  themePaths?: ExtendedPath[] | undefined;
}

export interface ResourceLoaderReloadOptions {
  /** Decides about the project once the extensions that need nobody's trust are there to be asked. */
  resolveProjectTrust?: ((context: { extensionsResult: LoadExtensionsResult }) => Promise<boolean>) | undefined;
}

export interface ResourceLoader {
  getExtensions(): LoadExtensionsResult;
  getSkills(): LoadSkillsResult;
  getPrompts(): { prompts: PromptTemplate[]; diagnostics: ResourceDiagnostic[] };
  getThemes(): { themes: Theme[]; diagnostics: ResourceDiagnostic[] };
  getAgentsFiles(): { agentsFiles: ContextFile[] };
  getSystemPrompt(): string | undefined;
  getSystemPromptSource(): { path: string } | undefined;
  getAppendSystemPrompt(): string[];
  getAppendSystemPromptSources(): { path: string }[];
  extendResources(paths: ExtendedPaths): void;
  reload(options?: ResourceLoaderReloadOptions): Promise<void>;
  /** Runs the factories again, for a session that takes the place of another one. */
  restartExtensions?(): Promise<void>;
}

/** Changes what was found before anybody sees it. */
type Override<T> = ((base: T) => T) | undefined;

export interface DefaultResourceLoaderOptions {
  cwd: string;
  agentDir?: string | undefined;
  settingsManager?: SettingsManager | undefined;
  /** Outlives reloads. */
  eventBus?: EventBusController | undefined;
  additionalExtensionPaths?: string[] | undefined;
  additionalSkillPaths?: string[] | undefined;
  additionalPromptTemplatePaths?: string[] | undefined;
  additionalThemePaths?: string[] | undefined;
  extensionFactories?: InlineExtension[] | undefined;
  /** Only those that were named, and factories. */
  noExtensions?: boolean | undefined;
  noSkills?: boolean | undefined;
  noPromptTemplates?: boolean | undefined;
  noThemes?: boolean | undefined;
  noContextFiles?: boolean | undefined;
  /** Text, or the path of a file that holds it. */
  systemPrompt?: string | undefined;
  /** As `systemPrompt`, each. Given = APPEND_SYSTEM.md is not looked for. */
  appendSystemPrompt?: string[] | undefined;
  extensionsOverride?: Override<LoadExtensionsResult>;
  skillsOverride?: Override<LoadSkillsResult>;
  promptsOverride?: Override<ReturnType<ResourceLoader["getPrompts"]>>;
  themesOverride?: Override<ReturnType<ResourceLoader["getThemes"]>>;
  agentsFilesOverride?: Override<ReturnType<ResourceLoader["getAgentsFiles"]>>;
  systemPromptOverride?: Override<string | undefined>;
  appendSystemPromptOverride?: Override<string[]>;
}

interface FoundText {
  text: string;
  path?: string;
}

/** Finds resources where the specification says they are. Empty until the first `reload()`. */
export class DefaultResourceLoader implements ResourceLoader {
  readonly #options: DefaultResourceLoaderOptions & { agentDir: string };
  readonly #settings: SettingsManager;
  readonly #bus: EventBusController;
  readonly #modules: ExtensionModules;
  #isLoaded = false;
  #extensions: LoadExtensionsResult;
  #skills: LoadSkillsResult = { skills: [], diagnostics: [] };
  #prompts: LoadPromptTemplatesResult = { prompts: [], diagnostics: [] };
  #extended: Required<Record<"skillPaths" | "promptPaths", ExtendedPath[]>> = { skillPaths: [], promptPaths: [] };
  #packages: ResolvedPaths = noPackages;
  /** Packages and folders that were named, resolved. */
  #named: ResolvedPaths = noPackages;
  #contextFiles: ContextFile[] = [];
  #systemPrompt: FoundText | undefined;
  #appended: FoundText[] = [];
  #warnings: string[] = [];

  constructor(options: DefaultResourceLoaderOptions) {
    const agentDir = options.agentDir ?? getAgentDir();
    this.#options = { ...options, agentDir };
    this.#settings = options.settingsManager ?? SettingsManager.create(options.cwd, agentDir);
    this.#bus = options.eventBus ?? createEventBus();
    this.#modules = new ExtensionModules(agentDir);
    this.#extensions = { extensions: [], errors: [], warnings: [], runtime: createExtensionRuntime(this.#bus) };
  }

  async reload({ resolveProjectTrust }: ResourceLoaderReloadOptions = {}): Promise<void> {
    this.#warnings = [];
    this.#forgetExtended();
    if (this.#isLoaded) {
      this.#modules.clear();
      await this.#settings.reload();
    }
    this.#isLoaded = true;
    if (resolveProjectTrust) {
      const extensionsResult = await this.loadProjectTrustExtensions();
      this.#settings.setProjectTrusted(await resolveProjectTrust({ extensionsResult }));
    } else this.#renewRuntime();
    await this.#loadExtensions();
    this.#loadTexts();
    this.#loadNamed();
  }

  /** Those that need no trust, so that they can be asked about the project. `reload` keeps them. */
  async loadProjectTrustExtensions(): Promise<LoadExtensionsResult> {
    this.#settings.setProjectTrusted(false);
    this.#renewRuntime();
    await this.#loadExtensions();
    return this.#extensions;
  }

  async restartExtensions(): Promise<void> {
    this.#renewRuntime();
    this.#forgetExtended();
    await this.#loadExtensions();
    this.#loadNamed();
  }

  getExtensions(): LoadExtensionsResult {
    return this.#extensions;
  }

  getSkills(): LoadSkillsResult {
    return this.#skills;
  }

  getPrompts(): ReturnType<ResourceLoader["getPrompts"]> {
    return this.#prompts;
  }

  getThemes(): ReturnType<ResourceLoader["getThemes"]> {
    const none = { themes: [], diagnostics: [] };
    return this.#options.themesOverride?.(none) ?? none;
  }

  getAgentsFiles(): { agentsFiles: ContextFile[] } {
    const found = { agentsFiles: this.#contextFiles };
    return this.#options.agentsFilesOverride?.(found) ?? found;
  }

  getSystemPrompt(): string | undefined {
    const { systemPromptOverride } = this.#options;
    return systemPromptOverride ? systemPromptOverride(this.#systemPrompt?.text) : this.#systemPrompt?.text;
  }

  getSystemPromptSource(): { path: string } | undefined {
    const path = this.#systemPrompt?.path;
    return path === undefined ? undefined : { path };
  }

  getAppendSystemPrompt(): string[] {
    const texts = this.#appended.map(({ text }) => text);
    return this.#options.appendSystemPromptOverride?.(texts) ?? texts;
  }

  getAppendSystemPromptSources(): { path: string }[] {
    return this.#appended.flatMap(({ path }) => (path === undefined ? [] : [{ path }]));
  }

  extendResources({ skillPaths = [], promptPaths = [] }: ExtendedPaths): void {
    if (skillPaths.length + promptPaths.length === 0) return;
    this.#extended.skillPaths.push(...skillPaths);
    this.#extended.promptPaths.push(...promptPaths);
    this.#loadNamed();
  }

  /** Problems of the last load that no list of its own tells of. */
  getWarnings(): readonly string[] {
    return this.#warnings;
  }

  #forgetExtended(): void {
    this.#extended = { skillPaths: [], promptPaths: [] };
  }

  /** What extensions share from now on. Whoever runs those of before ends them. */
  #renewRuntime(): void {
    const { runtime } = this.#extensions;
    const fresh = createExtensionRuntime(this.#bus);
    for (const [name, value] of runtime.flagValues) fresh.flagValues.set(name, value);
    this.#extensions = { extensions: [], errors: [], warnings: [], runtime: fresh };
  }

  /** What is loaded already stays as it is. */
  async #loadExtensions(): Promise<void> {
    const { cwd, agentDir, additionalExtensionPaths = [], extensionFactories = [] } = this.#options;
    await this.#resolvePackages();
    const sources: ExtensionSource[] = extensionSources({
      cwd,
      agentDir,
      settingsManager: this.#settings,
      additional: additionalExtensionPaths.filter((path) => !isPackageSource(path, cwd)),
      named: enabled(this.#named.extensions).map(({ path, metadata }) => ({ path, sourceInfo: { path, ...metadata } })),
      fromPackages: enabled(this.#packages.extensions),
      factories: extensionFactories,
      onlyNamed: this.#options.noExtensions === true,
      onProblem: (path, message) => this.#warnings.push(`${path}: ${message}`),
    });
    const loaded = await loadExtensions(sources, {
      cwd,
      runtime: this.#extensions.runtime,
      modules: this.#modules,
      earlier: this.#extensions,
    });
    this.#extensions = this.#options.extensionsOverride?.(loaded) ?? loaded;
  }

  /** Looks into packages, which installs those that are missing. Loaded only when there are any. */
  async #resolvePackages(): Promise<void> {
    const { cwd, agentDir, additionalExtensionPaths = [] } = this.#options;
    const sources = additionalExtensionPaths.filter((path) => isPackageSource(path, cwd));
    const hasPackages = (this.#settings.getSettings().packages ?? []).length > 0;
    if (!hasPackages && sources.length === 0) return;
    const { DefaultPackageManager } = await import("./packages/package-manager.js");
    const packages = new DefaultPackageManager({ cwd, agentDir, settingsManager: this.#settings });
    this.#packages = hasPackages ? await packages.resolve() : noPackages;
    this.#named =
      sources.length > 0 ? await packages.resolveExtensionSources(sources, { temporary: true }) : noPackages;
    for (const { source, message } of [this.#packages, this.#named].flatMap((paths) => paths.installFailures ?? [])) {
      this.#warnings.push(`Package ${source}: ${message}`);
    }
  }

  #loadTexts(): void {
    const { cwd, agentDir, systemPrompt, appendSystemPrompt, noContextFiles } = this.#options;
    const warn = (message: string) => this.#warnings.push(message);
    // A trusted project's own, else the user's: never both.
    const file = (name: string): FoundText | undefined => {
      for (const { baseDir } of resourceScopes({ cwd, agentDir, settingsManager: this.#settings })) {
        const path = join(baseDir, name);
        const text = readTextIfExists(path);
        if (text !== undefined) return { text, path };
      }
      return undefined;
    };
    this.#systemPrompt = systemPrompt === undefined ? file("SYSTEM.md") : { text: textOrFile(systemPrompt, warn) };
    const appended = appendSystemPrompt?.map((value) => ({ text: textOrFile(value, warn) }));
    this.#appended = appended ?? [file("APPEND_SYSTEM.md")].flatMap((found) => found ?? []);
    this.#contextFiles = noContextFiles ? [] : loadProjectContextFiles({ cwd, agentDir }, warn);
  }

  /** Skills and prompt templates. */
  #loadNamed(): void {
    const { cwd, agentDir, noSkills, noPromptTemplates } = this.#options;
    const { additionalSkillPaths = [], additionalPromptTemplatePaths = [] } = this.#options;
    const common = { cwd, agentDir, settingsManager: this.#settings };
    const from = (kind: "skills" | "prompts") => [...enabled(this.#named[kind]), ...enabled(this.#packages[kind])];
    const skills = loadSkillSources(
      skillPlaces({
        ...common,
        additional: additionalSkillPaths,
        onlyNamed: noSkills === true,
        fromPackages: from("skills"),
        extended: this.#extended.skillPaths,
      }),
    );
    const prompts = loadPromptTemplates(
      promptPlaces({
        ...common,
        additional: additionalPromptTemplatePaths,
        onlyNamed: noPromptTemplates === true,
        fromPackages: from("prompts"),
        extended: this.#extended.promptPaths,
      }),
    );
    this.#skills = this.#options.skillsOverride?.(skills) ?? skills;
    this.#prompts = this.#options.promptsOverride?.(prompts) ?? prompts;
  }
}

const noPackages: ResolvedPaths = { extensions: [], skills: [], prompts: [], themes: [] };

function enabled(resources: readonly ResolvedResource[]): ResolvedResource[] {
  return resources.filter((resource) => resource.enabled);
}

/** A folder is a package too, unless it is one extension; a file never is. */
function isPackageSource(value: string, cwd: string): boolean {
  return /^(?:npm:|git:|https?:|ssh:)/.test(value) || isDirectory(resolveUserPath(value, cwd));
}
