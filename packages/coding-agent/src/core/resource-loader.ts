/** What a working directory brings along besides settings. Source: cli-and-config.md section 7.4, exports.md 4.4. */
import { join } from "node:path";
import { CONFIG_DIR_NAME, getAgentDir } from "../config.js";
import { isDirectory } from "./extensions/discovery.js";
import { createEventBus } from "./extensions/event-bus.js";
import { ExtensionModules, type ExtensionSource, loadExtensions } from "./extensions/loader.js";
import { createExtensionRuntime } from "./extensions/runtime.js";
import { extensionSources } from "./extensions/sources.js";
import type { EventBusController, InlineExtension } from "./extensions/types/api.js";
import type { LoadExtensionsResult } from "./extensions/types/host.js";
import { isRemoteSource } from "./packages/package-source.js";
import type { PackageManager, ResolvedPaths, ResolvedResource } from "./packages/types.js";
import { type ContextFile, loadProjectContextFiles } from "./resources/context-files.js";
import { textOrFile } from "./resources/named-text.js";
import { type FileKind, filesAt } from "./resources/place-files.js";
import { type LoadPromptTemplatesResult, loadPromptTemplates } from "./resources/prompt-templates.js";
import { type FileResourceKind, type ResourcePlace, resourcePlaces } from "./resources/resource-places.js";
import type { PathMetadata, PromptTemplate, ResourceDiagnostic } from "./resources/resource-types.js";
import { type LoadSkillsResult, loadSkillSources } from "./resources/skills.js";
import type { LoadThemesResult } from "./resources/themes.js";
import { resolveUserPath } from "./session-store/paths.js";
import { SettingsManager } from "./settings/settings-manager.js";
import { readTextIfExists } from "./storage/read-text.js";
import type { Theme } from "./themes/theme.js";

const themeFiles: FileKind = { ending: ".json", label: "theme path", format: "JSON" };

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
  /** Told of extensions that take long to load. */
  onSlowExtension?: ((path: string, text: string) => void) | undefined;
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
  /** Skills and templates are there at once; themes are when what it returns has resolved. */
  extendResources(paths: ExtendedPaths): void | Promise<void>;
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

/** What is wrong with the manifests of packages whose extensions are loaded. */
async function hostDependencyWarnings(extensions: readonly ResolvedResource[]): Promise<string[]> {
  const { hostDependencyWarning } = await import("./packages/host-dependencies.js");
  const roots = extensions.flatMap(({ enabled, metadata }) =>
    enabled && metadata.packageRoot ? metadata.packageRoot : [],
  );
  return [...new Set(roots)].flatMap((root) => hostDependencyWarning(root) ?? []);
}

/** Finds resources where the specification says they are. Empty until the first `reload()`. */
export class DefaultResourceLoader implements ResourceLoader {
  readonly #options: DefaultResourceLoaderOptions & { agentDir: string };
  readonly #settings: SettingsManager;
  readonly #bus: EventBusController;
  readonly #modules: ExtensionModules;
  #isLoaded = false;
  /** Who hears of extensions that take long to load. */
  #onSlow: ResourceLoaderReloadOptions["onSlowExtension"];
  #extensions: LoadExtensionsResult;
  #packaged: ResolvedPaths = { extensions: [], skills: [], prompts: [], themes: [] };
  #skills: LoadSkillsResult = { skills: [], diagnostics: [] };
  #prompts: LoadPromptTemplatesResult = { prompts: [], diagnostics: [] };
  #themes: LoadThemesResult = { themes: [], diagnostics: [] };
  #extended: Record<FileResourceKind, ExtendedPath[]> = { skills: [], prompts: [], themes: [] };
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

  async reload({ resolveProjectTrust, onSlowExtension }: ResourceLoaderReloadOptions = {}): Promise<void> {
    this.#onSlow = onSlowExtension;
    this.#warnings = [];
    this.#extended = { skills: [], prompts: [], themes: [] };
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
    this.#loadFiles();
    await this.#loadThemes();
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
    this.#extended = { skills: [], prompts: [], themes: [] };
    await this.#loadExtensions();
    this.#loadFiles();
    await this.#loadThemes();
  }

  getExtensions(): LoadExtensionsResult {
    return this.#extensions;
  }

  getSkills(): LoadSkillsResult {
    return this.#skills;
  }

  getPrompts(): ReturnType<ResourceLoader["getPrompts"]> {
    return this.#options.promptsOverride?.(this.#prompts) ?? this.#prompts;
  }

  getThemes(): ReturnType<ResourceLoader["getThemes"]> {
    return this.#options.themesOverride?.(this.#themes) ?? this.#themes;
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

  extendResources({ skillPaths = [], promptPaths = [], themePaths = [] }: ExtendedPaths): void | Promise<void> {
    this.#extended.skills.push(...skillPaths);
    this.#extended.prompts.push(...promptPaths);
    this.#extended.themes.push(...themePaths);
    if (skillPaths.length + promptPaths.length > 0) this.#loadFiles();
    return themePaths.length > 0 ? this.#loadThemes() : undefined;
  }

  /** Problems of the last load that no list of its own tells of. */
  getWarnings(): readonly string[] {
    // Packages are looked at with and without the project.
    return [...new Set(this.#warnings)];
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
    await this.#loadPackages();
    const sources: ExtensionSource[] = extensionSources({
      cwd,
      agentDir,
      settingsManager: this.#settings,
      additional: await this.#namedExtensions(additionalExtensionPaths),
      packaged: this.#packaged.extensions,
      factories: extensionFactories,
      onlyNamed: this.#options.noExtensions === true,
      onProblem: (path, message) => this.#warnings.push(`${path}: ${message}`),
    });
    const loaded = await loadExtensions(sources, {
      cwd,
      runtime: this.#extensions.runtime,
      modules: this.#modules,
      earlier: this.#extensions,
      onSlow: this.#onSlow,
    });
    this.#extensions = this.#options.extensionsOverride?.(loaded) ?? loaded;
  }

  /** The packages of the settings. Nothing of the kind is loaded where there are none. */
  async #loadPackages(): Promise<void> {
    this.#packaged = { extensions: [], skills: [], prompts: [], themes: [] };
    if (!this.#settings.getGlobalSettings().packages?.length && !this.#settings.getProjectSettings().packages?.length) {
      return;
    }
    const { installFailures = [], ...paths } = await (await this.#packageManager()).resolve();
    for (const { source, message } of installFailures) this.#warnings.push(`Package ${source}: ${message}`);
    this.#warnings.push(...(await hostDependencyWarnings(paths.extensions)));
    const enabled = (kind: keyof typeof paths) => paths[kind].filter((resource) => resource.enabled);
    this.#packaged = {
      extensions: enabled("extensions"),
      skills: enabled("skills"),
      prompts: enabled("prompts"),
      themes: enabled("themes"),
    };
  }

  /** Packages among the named paths are got, and stand for what they offer. */
  async #namedExtensions(paths: readonly string[]): Promise<(string | ResolvedResource)[]> {
    const named: (string | ResolvedResource)[] = [];
    for (const path of paths) {
      if (!isRemoteSource(path) && !isDirectory(resolveUserPath(path, this.#options.cwd))) {
        named.push(path);
        continue;
      }
      const manager = await this.#packageManager();
      const { installFailures = [], ...found } = await manager.resolveExtensionSources([path], { temporary: true });
      for (const { message } of installFailures) this.#warnings.push(`Package ${path}: ${message}`);
      named.push(...found.extensions);
      this.#packaged.skills.push(...found.skills);
      this.#packaged.prompts.push(...found.prompts);
      this.#packaged.themes.push(...found.themes);
    }
    return named;
  }

  async #packageManager(): Promise<PackageManager> {
    const { DefaultPackageManager } = await import("./packages/package-manager.js");
    const { cwd, agentDir } = this.#options;
    return new DefaultPackageManager({ cwd, agentDir, settingsManager: this.#settings });
  }

  #loadTexts(): void {
    const { cwd, agentDir, systemPrompt, appendSystemPrompt, noContextFiles } = this.#options;
    const warn = (message: string) => this.#warnings.push(message);
    const folders = [...(this.#settings.isProjectTrusted() ? [join(cwd, CONFIG_DIR_NAME)] : []), agentDir];
    const file = (name: string): FoundText | undefined => {
      for (const path of folders.map((folder) => join(folder, name))) {
        try {
          const text = readTextIfExists(path);
          if (text !== undefined) return { text, path };
        } catch (error) {
          warn(`${name} is not used: ${(error as Error).message}`);
        }
      }
      return undefined;
    };
    this.#systemPrompt = systemPrompt === undefined ? file("SYSTEM.md") : { text: textOrFile(systemPrompt, warn) };
    const appended = appendSystemPrompt?.map((value) => ({ text: textOrFile(value, warn) }));
    this.#appended = appended ?? [file("APPEND_SYSTEM.md")].flatMap((found) => found ?? []);
    this.#contextFiles = noContextFiles ? [] : loadProjectContextFiles({ cwd, agentDir }, warn);
  }

  #loadFiles(): void {
    const { additionalSkillPaths, additionalPromptTemplatePaths, noSkills, noPromptTemplates } = this.#options;
    const skills = loadSkillSources(this.#places("skills", additionalSkillPaths, noSkills));
    this.#skills = this.#options.skillsOverride?.(skills) ?? skills;
    this.#prompts = loadPromptTemplates(this.#places("prompts", additionalPromptTemplatePaths, noPromptTemplates));
  }

  /** What draws is loaded only when there are themes. */
  async #loadThemes(): Promise<void> {
    const diagnostics: ResourceDiagnostic[] = [];
    const places = this.#places("themes", this.#options.additionalThemePaths, this.#options.noThemes);
    const files = places.flatMap((place) => filesAt(place, themeFiles, diagnostics));
    this.#themes = { themes: [], diagnostics };
    if (files.length === 0) return;
    const { loadThemes } = await import("./resources/themes.js");
    const loaded = loadThemes(files);
    this.#themes = { themes: loaded.themes, diagnostics: [...diagnostics, ...loaded.diagnostics] };
  }

  #places(kind: FileResourceKind, additional: readonly string[] = [], onlyNamed = false): ResourcePlace[] {
    const { cwd, agentDir } = this.#options;
    const packaged = this.#packaged[kind];
    const extended = this.#extended[kind];
    return resourcePlaces({ cwd, agentDir, settings: this.#settings, kind, additional, onlyNamed, packaged, extended });
  }
}
