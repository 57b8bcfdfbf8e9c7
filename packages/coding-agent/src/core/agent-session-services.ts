import { getAgentDir } from "../config.js";
import { bindProviders } from "./extensions/provider-binding.js";
import { ModelRegistry } from "./model-registry.js";
import { ModelRuntime } from "./models/model-runtime.js";
import {
  DefaultResourceLoader,
  type DefaultResourceLoaderOptions,
  type ResourceLoader,
  type ResourceLoaderReloadOptions,
} from "./resource-loader.js";
import type { ContextFile } from "./resources/context-files.js";
import { findProductDocs, type ProductDocs } from "./resources/product-docs.js";
import type { Skill } from "./resources/skill-file.js";
import { SettingsManager } from "./settings/settings-manager.js";

export interface AgentSessionRuntimeDiagnostic {
  type: "info" | "warning" | "error";
  message: string;
}

/** Texts of the project and the user that go into the system prompt, as they are at the moment of reading. */
export interface PromptResources {
  readonly contextFiles: ContextFile[];
  readonly systemPrompt?: string | undefined;
  readonly appendSystemPrompt: string[];
  readonly skills: Skill[];
  /** Where the product's own documents are. */
  readonly docs: ProductDocs;
}

/** What belongs to a working directory: settings, credentials, models, resources. */
export interface AgentSessionServices {
  cwd: string;
  agentDir: string;
  settingsManager: SettingsManager;
  modelRuntime: ModelRuntime;
  /** The models as extensions see them. */
  modelRegistry: ModelRegistry;
  resourceLoader: ResourceLoader;
  resources: PromptResources;
  /** Problems met on the way; never printed here. */
  diagnostics: AgentSessionRuntimeDiagnostic[];
}

export interface CreateAgentSessionServicesOptions {
  cwd: string;
  agentDir?: string | undefined;
  settingsManager?: SettingsManager | undefined;
  modelRuntime?: ModelRuntime | undefined;
  /** Used as it is: whoever made it has loaded it. */
  resourceLoader?: ResourceLoader | undefined;
  resourceLoaderOptions?: Omit<DefaultResourceLoaderOptions, "cwd" | "agentDir" | "settingsManager"> | undefined;
  resourceLoaderReloadOptions?: ResourceLoaderReloadOptions | undefined;
  /** Values of `--name` options that extensions registered. */
  extensionFlagValues?: ReadonlyMap<string, boolean | string> | undefined;
}

/** Loads what a working directory brings along, extensions included. Their load errors are in the resource loader. */
export async function createAgentSessionServices(
  options: CreateAgentSessionServicesOptions,
): Promise<AgentSessionServices> {
  const { cwd, agentDir = getAgentDir() } = options;
  const settingsManager = options.settingsManager ?? SettingsManager.create(cwd, agentDir);
  const modelRuntime = options.modelRuntime ?? new ModelRuntime({ agentDir });
  const diagnostics: AgentSessionRuntimeDiagnostic[] = [];
  const warn = (message: string) => diagnostics.push({ type: "warning", message });
  const problems: string[] = [];
  const resourceLoader =
    options.resourceLoader ??
    (await loadResources({ ...options, agentDir, settingsManager }, (message) => problems.push(message)));
  // The project's settings are read once it is known whether they count.
  for (const { error } of settingsManager.drainErrors()) warn(error.message);
  const modelsError = modelRuntime.getError();
  if (modelsError) warn(`errors loading models.json:\n${modelsError}`);
  for (const problem of problems) warn(problem);
  const { runtime } = resourceLoader.getExtensions();
  for (const [name, value] of options.extensionFlagValues ?? []) runtime.flagValues.set(name, value);
  bindProviders(runtime, modelRuntime, (path, message) => warn(`Extension "${path}" error: ${message}`));
  const modelRegistry = new ModelRegistry(modelRuntime);
  const resources = promptResources(resourceLoader);
  return { cwd, agentDir, settingsManager, modelRuntime, modelRegistry, resourceLoader, resources, diagnostics };
}

/** The resources of a working directory; what is wrong with them is told, but for extensions that do not load. */
export async function loadResources(
  {
    cwd,
    agentDir,
    settingsManager,
    resourceLoaderOptions,
    resourceLoaderReloadOptions,
  }: CreateAgentSessionServicesOptions,
  warn: (message: string) => void,
): Promise<ResourceLoader> {
  const loader = new DefaultResourceLoader({ ...resourceLoaderOptions, cwd, agentDir, settingsManager });
  await loader.reload(resourceLoaderReloadOptions);
  const kinds = [loader.getSkills(), loader.getPrompts(), loader.getThemes()];
  for (const { path, message } of kinds.flatMap(({ diagnostics }) => diagnostics)) {
    warn(path === undefined ? message : `${path}: ${message}`);
  }
  for (const message of loader.getWarnings()) warn(message);
  for (const { path, warning } of loader.getExtensions().warnings ?? []) warn(`${path}: ${warning}`);
  return loader;
}

function promptResources(loader: ResourceLoader): PromptResources {
  const docs = findProductDocs();
  return {
    get contextFiles() {
      return loader.getAgentsFiles().agentsFiles;
    },
    get systemPrompt() {
      return loader.getSystemPrompt();
    },
    get appendSystemPrompt() {
      return loader.getAppendSystemPrompt();
    },
    get skills() {
      return loader.getSkills().skills;
    },
    docs,
  };
}
