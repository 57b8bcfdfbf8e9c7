import type { ThinkingLevel } from "@earendil-works/pi-agent-core";
import { setDefaultStreamFn } from "@earendil-works/pi-agent-core";
import type { Model } from "@earendil-works/pi-ai";
import { streamSimple } from "@earendil-works/pi-ai/compat";
import { AgentSession } from "./agent-session.js";
import { type AgentSessionServices, createAgentSessionServices } from "./agent-session-services.js";
import { bindProviders } from "./extensions/provider-binding.js";
import { createExtensionRuntime } from "./extensions/runtime.js";
import type { LoadExtensionsResult, SessionStartEvent, ToolDefinition } from "./extensions/types.js";
import { defaultModel, defaultThinkingLevel, isThinkingLevel, type StartModel } from "./models/initial-model.js";
import type { ModelRuntime } from "./models/model-runtime.js";
import type { ScopedModel } from "./models/model-scope.js";
import { noModelText } from "./models/no-model-text.js";
import type { ResourceLoader } from "./resource-loader.js";
import { SessionManager } from "./session-manager.js";
import { defaultSessionDir } from "./session-store/paths.js";
import { unlessUnsaved } from "./session-store/session-errors.js";
import type { Settings } from "./settings/settings.js";
import type { SettingsManager } from "./settings/settings-manager.js";
import { selectTools, type ToolSelection } from "./tool-registry.js";
import { createAllToolDefinitions, defaultToolNames, type ToolsOptions } from "./tools/index.js";

// By contract: whoever imports this package may build an `Agent` without a stream function.
setDefaultStreamFn(streamSimple);

export interface CreateAgentSessionFromServicesOptions extends ToolSelection {
  services: AgentSessionServices;
  sessionManager: SessionManager;
  /** Default: the session's last model, else the user's default. */
  model?: Model | undefined;
  thinkingLevel?: ThinkingLevel | undefined;
  customTools?: ToolDefinition[] | undefined;
  /** Models to cycle through. Default: all that can be used. */
  scopedModels?: readonly ScopedModel[] | undefined;
  /** Why the session begins, for its extensions. Default: a start. */
  sessionStartEvent?: SessionStartEvent | undefined;
}

export interface CreateAgentSessionOptions
  extends Omit<CreateAgentSessionFromServicesOptions, "services" | "sessionManager"> {
  /** Default: the session manager's, else the process's. */
  cwd?: string | undefined;
  agentDir?: string | undefined;
  modelRuntime?: ModelRuntime | undefined;
  settingsManager?: SettingsManager | undefined;
  /** Default: a new session on disk. */
  sessionManager?: SessionManager | undefined;
  /** Used as it is. Default: what the specification says, loaded here. */
  resourceLoader?: ResourceLoader | undefined;
}

export interface CreateAgentSessionResult {
  session: AgentSession;
  /** The extensions with their load errors. */
  extensionsResult: LoadExtensionsResult;
  /** Said when the session's own model or the default of the settings could not be used, and when there is none at all. */
  modelFallbackMessage?: string;
}

/** The one-call door: an agent with tools, a model and a session. */
export async function createAgentSession(options: CreateAgentSessionOptions = {}): Promise<CreateAgentSessionResult> {
  const cwd = options.cwd ?? options.sessionManager?.getCwd() ?? process.cwd();
  const { agentDir, modelRuntime, settingsManager, resourceLoader } = options;
  const services = await createAgentSessionServices({ cwd, agentDir, modelRuntime, settingsManager, resourceLoader });
  const sessionManager =
    options.sessionManager ?? SessionManager.create(cwd, agentDir && defaultSessionDir(agentDir, cwd));
  return createAgentSessionFromServices({ ...options, services, sessionManager });
}

/** A session over services that exist already. Source: cli-and-config.md section 7.1. */
export async function createAgentSessionFromServices(
  options: CreateAgentSessionFromServicesOptions,
): Promise<CreateAgentSessionResult> {
  const { services, sessionManager, customTools = [] } = options;
  const { settingsManager, modelRuntime, cwd } = services;
  settingsManager.assertUsable();
  const extensionsResult = await freshExtensions(services);
  const settings = settingsManager.getSettings();
  if (settings.sessionFsync !== undefined) sessionManager.setFsyncPolicy(settings.sessionFsync);
  const storedModel = sessionManager.getContextModel();
  const storedLevel = sessionManager.getContextThinkingLevel();
  // A name may come first: it says nothing about model or level.
  const isNew = sessionManager.hasOnlyNames();

  const restored = storedModel && usableModel(modelRuntime, storedModel);
  const given = options.model ?? restored;
  const standard: StartModel = given ? { model: given } : defaultModel(settings, modelRuntime);
  const { model } = standard;
  const level =
    options.thinkingLevel ??
    (!isNew && isThinkingLevel(storedLevel) ? storedLevel : defaultThinkingLevel(settings, model));

  const builtin = Object.values(createAllToolDefinitions(cwd, toolOptions(settings)));
  const defaults = settingsManager.getDefaultTools(defaultToolNames);
  const session = new AgentSession({
    services,
    sessionManager,
    extensions: extensionsResult,
    sessionStartEvent: options.sessionStartEvent,
    selectTools: (fromExtensions) =>
      selectTools({ builtin, extensions: fromExtensions, custom: customTools }, defaults, options),
    model,
    thinkingLevel: level,
    scopedModels: options.scopedModels,
  });
  if (isNew && !sessionManager.isReadOnly()) {
    if (model) unlessUnsaved(() => sessionManager.appendModelChange(model.provider, model.id));
    unlessUnsaved(() => sessionManager.appendThinkingLevelChange(session.thinkingLevel));
  }
  const couldNotRestore = !options.model && storedModel && !restored;
  const modelFallbackMessage = couldNotRestore
    ? fallbackText(storedModel, model)
    : model
      ? unusableDefaultText(standard, settingsManager)
      : noModelText;
  return { session, extensionsResult, ...(modelFallbackMessage !== undefined && { modelFallbackMessage }) };
}

/** Extensions of one session do not serve another one: their factories run again. */
async function freshExtensions({ resourceLoader, modelRuntime, diagnostics }: AgentSessionServices) {
  if (resourceLoader.getExtensions().runtime.isBound) {
    await resourceLoader.restartExtensions?.();
    const { runtime } = resourceLoader.getExtensions();
    bindProviders(runtime, modelRuntime, (path, message) =>
      diagnostics.push({ type: "warning", message: `Extension "${path}" error: ${message}` }),
    );
  }
  const result = resourceLoader.getExtensions();
  return !result.runtime.isBound ? result : { ...result, runtime: createExtensionRuntime() };
}

function toolOptions({ shellPath, shellCommandPrefix, images }: Settings): ToolsOptions {
  return {
    bash: { ...(shellPath && { shellPath }), ...(shellCommandPrefix && { commandPrefix: shellCommandPrefix }) },
    read: { ...(images?.autoResize !== undefined && { autoResizeImages: images.autoResize }) },
  };
}

function usableModel(runtime: ModelRuntime, wanted: { provider: string; modelId: string }): Model | undefined {
  return runtime.usable(wanted.provider) ? runtime.find(wanted.provider, wanted.modelId) : undefined;
}

function unusableDefaultText({ model, unusable }: StartModel, settings: SettingsManager): string | undefined {
  if (!model || !unusable) return undefined;
  const { key, value, reason } = unusable;
  const file = settings.fileOf([key]);
  const used = `Using ${model.provider}/${model.id}`;
  return `Setting ${key} ${JSON.stringify(value)}${file === undefined ? "" : ` in ${file}`}: ${reason}. ${used}.`;
}

function fallbackText(wanted: { provider: string; modelId: string } | null, used: Model | undefined): string {
  const name = wanted ? `${wanted.provider}/${wanted.modelId}` : "";
  return `Could not restore model ${name}${used ? `. Using ${used.provider}/${used.id}` : ""}`;
}
