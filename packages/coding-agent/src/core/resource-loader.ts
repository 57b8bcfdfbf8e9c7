/** What a working directory brings along besides settings. Source: cli-and-config.md section 7.4, exports.md 4.4. */
import { join } from "node:path";
import { getAgentDir } from "../config.js";
import { createEventBus } from "./extensions/event-bus.js";
import { ExtensionModules, type ExtensionSource, loadExtensions } from "./extensions/loader.js";
import { createExtensionRuntime } from "./extensions/runtime.js";
import { extensionSources } from "./extensions/sources.js";
import type { EventBusController, InlineExtension } from "./extensions/types/api.js";
import type { LoadExtensionsResult } from "./extensions/types/host.js";
import type { Theme } from "./extensions/types/theme.js";
import { type ContextFile, loadProjectContextFiles } from "./resources/context-files.js";
import { textOrFile } from "./resources/named-text.js";
import type { PathMetadata, PromptTemplate, ResourceDiagnostic } from "./resources/resource-types.js";
import {
  type LoadSkillsResult,
  loadSkillSources,
  namedSkillSources,
  type SkillSource,
  userSkillSources,
} from "./resources/skills.js";
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
  #extendedSkills: ExtendedPath[] = [];
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
    this.#extendedSkills = [];
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
    this.#loadSkills();
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
    this.#extendedSkills = [];
    await this.#loadExtensions();
    this.#loadSkills();
  }

  getExtensions(): LoadExtensionsResult {
    return this.#extensions;
  }

  getSkills(): LoadSkillsResult {
    return this.#skills;
  }

  getPrompts(): ReturnType<ResourceLoader["getPrompts"]> {
    const none = { prompts: [], diagnostics: [] };
    return this.#options.promptsOverride?.(none) ?? none;
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

  extendResources({ skillPaths = [] }: ExtendedPaths): void {
    if (skillPaths.length === 0) return;
    this.#extendedSkills.push(...skillPaths);
    this.#loadSkills();
  }

  /** Problems of the last load that no list of its own tells of. */
  getWarnings(): readonly string[] {
    return this.#warnings;
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
    const sources: ExtensionSource[] = extensionSources({
      cwd,
      agentDir,
      settingsManager: this.#settings,
      additional: additionalExtensionPaths,
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

  #loadTexts(): void {
    const { cwd, agentDir, systemPrompt, appendSystemPrompt, noContextFiles } = this.#options;
    const warn = (message: string) => this.#warnings.push(message);
    const file = (name: string): FoundText | undefined => {
      const path = join(agentDir, name);
      const text = readTextIfExists(path);
      return text === undefined ? undefined : { text, path };
    };
    this.#systemPrompt = systemPrompt === undefined ? file("SYSTEM.md") : { text: textOrFile(systemPrompt, warn) };
    const appended = appendSystemPrompt?.map((value) => ({ text: textOrFile(value, warn) }));
    this.#appended = appended ?? [file("APPEND_SYSTEM.md")].flatMap((found) => found ?? []);
    this.#contextFiles = noContextFiles ? [] : loadProjectContextFiles({ cwd, agentDir }, warn);
  }

  #loadSkills(): void {
    const { cwd, agentDir, additionalSkillPaths = [], noSkills } = this.#options;
    const extended: SkillSource[] = this.#extendedSkills.map(({ path, metadata }) => ({
      path,
      isNamed: true,
      source: metadata.source,
      scope: metadata.scope,
    }));
    const found = loadSkillSources([
      ...namedSkillSources(additionalSkillPaths, cwd),
      ...(noSkills ? [] : userSkillSources(agentDir)),
      ...extended,
    ]);
    this.#skills = this.#options.skillsOverride?.(found) ?? found;
  }
}
