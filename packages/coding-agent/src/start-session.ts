import { existsSync } from "node:fs";
import type { Args } from "./cli/args.js";
import type { Invocation } from "./cli/invocation.js";
import { withMissingFileAdvice } from "./cli/missing-file.js";
import { chooseModel, type ModelChoice } from "./cli/model-choice.js";
import { unknownOptionsAdvice } from "./cli/option-advice.js";
import { proxyForm, proxyUrl } from "./cli/proxy-address.js";
import { selectSession } from "./cli/session-selection.js";
import { StartError } from "./cli/start-error.js";
import { didYouMean } from "./cli/suggest.js";
import {
  type AgentSessionRuntime,
  type CreateAgentSessionRuntimeFactory,
  createAgentSessionRuntime,
} from "./core/agent-session-runtime.js";
import { type AgentSessionServices, createAgentSessionServices } from "./core/agent-session-services.js";
import { askProjectTrust, projectTrustContext } from "./core/extensions/ask-project-trust.js";
import { applyFlagValues } from "./core/extensions/flag-values.js";
import { loadErrorLine } from "./core/extensions/loading/load-error.js";
import type { ExtensionMode, LoadExtensionsResult, ProjectTrustContext } from "./core/extensions/types.js";
import { findLocalModels } from "./core/models/local-models.js";
import { noModelText } from "./core/models/no-model-text.js";
import { ProjectTrustDecisions, resolveProjectTrusted } from "./core/project-trust.js";
import { createAgentSessionFromServices } from "./core/sdk.js";
import type { SessionManager } from "./core/session-manager.js";
import { resolveUserPath } from "./core/session-store/paths.js";
import { SessionInUseError } from "./core/session-store/session-errors.js";
import { SettingsManager } from "./core/settings/settings-manager.js";
import { unmatchedNames } from "./core/tool-registry.js";
import { allToolNames } from "./core/tools/index.js";
import { ProjectTrustStore } from "./core/trust-manager.js";
import { timed, timingReport } from "./timing.js";

export interface StartOptions extends Invocation {
  mode: ExtensionMode;
  /** One line for the user. */
  say: (line: string) => void;
  /**
   * The session is written at once: one that cannot be is refused before anything is asked of a model. Else the right to
   * write is taken with the first entry. Default false.
   */
  writesAtOnce?: boolean;
  /** Told while something is waited for, where what is said otherwise is shown later. */
  slow?: (text: string) => void;
  /** Asks the user; left out where nobody can be asked. */
  confirm?: (question: string) => Promise<boolean>;
  /** Lets the user choose; undefined = they did not. */
  select?: ((title: string, labels: string[]) => Promise<string | undefined>) | undefined;
  /** What extensions that decide about a project ask the user with. */
  trustUI?: ProjectTrustContext["ui"] | undefined;
  /** Lets the user choose a session file. */
  pickSession?: ((sessionDir: string | undefined) => Promise<string | undefined>) | undefined;
  /** What to do with a session that another process writes; undefined = nothing. */
  sessionInUse?:
    | ((error: SessionInUseError, sessionDir: string | undefined) => Promise<SessionManager | undefined>)
    | undefined;
}

/** What the sessions of one start share. */
interface Start extends StartOptions {
  trust: ProjectTrustDecisions;
}

/**
 * From the command line to a session that can be driven. Undefined when it cannot start: why has been said then.
 * @throws StartError and what opening a session throws
 */
export async function startSession(options: StartOptions): Promise<AgentSessionRuntime | undefined> {
  const { args, cwd, agentDir, say, confirm, pickSession } = options;
  const start: Start = { ...options, trust: new ProjectTrustDecisions() };
  timed("code of the session loaded");
  const services = await servicesFor(start, cwd);
  timed("settings, models, resources and extensions loaded");
  const { settingsManager } = services;
  // What is wrong with the configuration comes first: it may be why the rest fails.
  const named = [args.skills, args.promptTemplates, args.themes].flatMap((paths = []) => resolveAll(paths, cwd));
  for (const { type, message } of services.diagnostics) {
    say(diagnosticLine({ type, message: withMissingFileAdvice(message, named) }));
  }
  settingsManager.assertUsable();
  useProxy(settingsManager);
  if (!reportExtensions(start, services)) return undefined;
  const warn = (text: string) => say(`Warning: ${text}`);
  const extensionTools = services.resourceLoader.getExtensions().extensions.flatMap(({ tools }) => [...tools.keys()]);
  const toolNames = [...new Set([...allToolNames, ...extensionTools])];
  warnOfToolNames(args, settingsManager, toolNames, warn);
  const choice = await chooseModel(args, services.modelRuntime, settingsManager.getSettings());
  timed("model chosen");
  for (const message of choice.messages) say(diagnosticLine(message));
  // Failed starts must leave no session file, so the model comes before the session.
  if (choice.messages.some(({ type }) => type === "error")) return undefined;

  const sessionDir = args.sessionDir ?? process.env["PI_CODING_AGENT_SESSION_DIR"] ?? settingsManager.getSessionDir();
  const selected = await selectSession({
    args,
    cwd,
    agentDir,
    sessionDir,
    warn,
    confirm,
    pickSession,
    select: options.select,
  });
  // Who holds the session is said before anything is asked of a model.
  const sessionManager = await writable(selected, sessionDir, options);
  if (args.name !== undefined && !sessionManager.isReadOnly()) sessionManager.appendSessionInfo(args.name);
  if (!choice.model && sessionManager.getContextModel()?.provider === "local") {
    const { message } = await findLocalModels({ runtime: services.modelRuntime, provider: "local" });
    if (message) say(message);
  }
  timed("session opened");
  const factory = sessionFactory(start, choice, services);
  const runtime = await createAgentSessionRuntime(factory, { cwd: sessionManager.getCwd(), agentDir, sessionManager });
  timed("agent made");
  const report = timingReport();
  if (report !== undefined) say(report);
  const { modelFallbackMessage } = runtime;
  // That there is no model at all, each mode says in its own way.
  if (modelFallbackMessage && modelFallbackMessage !== noModelText) warn(modelFallbackMessage);
  return runtime;
}

/** @throws SessionInUseError, and StartError when the user wants nothing of what can be done then */
async function writable(
  session: SessionManager,
  sessionDir: string | undefined,
  { writesAtOnce, sessionInUse }: Pick<StartOptions, "writesAtOnce" | "sessionInUse">,
): Promise<SessionManager> {
  try {
    if (writesAtOnce) session.acquireWriter();
    else session.assertFree();
    return session;
  } catch (error) {
    if (!(error instanceof SessionInUseError) || !sessionInUse) throw error;
    const other = await sessionInUse(error, sessionDir);
    if (!other) throw new StartError(error.message);
    return other;
  }
}

/** Names that no tool has, most likely misspelt. */
function warnOfToolNames(
  { tools = [], excludeTools = [] }: Args,
  settings: SettingsManager,
  toolNames: readonly string[],
  warn: (text: string) => void,
): void {
  const advice = (name: string) =>
    didYouMean(name.replace(/^[+-]/, ""), toolNames) ?? `Tools: ${toolNames.join(", ")}.`;
  for (const name of unmatchedNames([...tools, ...excludeTools], toolNames)) {
    warn(`No tool is named "${name}".\n${advice(name)}`);
  }
  for (const name of unmatchedNames(settings.getSettings().defaultTools ?? [], toolNames)) {
    const place = settings.fileOf(["defaultTools"]) ?? "the settings";
    warn(`Setting defaultTools in ${place}: no tool is named "${name}".\n${advice(name)}`);
  }
}

/** The proxy of the settings is one for children too; what the environment says comes first. */
function useProxy(settings: SettingsManager): void {
  const proxy = settings.getHttpProxy();
  const unset = ["HTTP_PROXY", "HTTPS_PROXY"].filter(
    (name) => process.env[name] === undefined && process.env[name.toLowerCase()] === undefined,
  );
  if (!proxy || unset.length === 0) return;
  // Its value may hold a password.
  if (!proxyUrl(proxy)) {
    const place = `in ${settings.fileOf(["httpProxy"]) ?? "the settings"}`;
    throw new StartError(`Error: Invalid httpProxy setting: it is no address.\nCorrect it ${place}: ${proxyForm}.`);
  }
  for (const name of unset) process.env[name] = proxy;
}

/** Makes the first session and the ones that replace it, all from the same arguments. */
function sessionFactory(
  start: Start,
  choice: ModelChoice,
  first: AgentSessionServices,
): CreateAgentSessionRuntimeFactory {
  const { args } = start;
  return async ({ cwd, sessionManager, sessionStartEvent }) => {
    // Credentials and models are the user's, wherever the session runs.
    const services = cwd === first.cwd ? first : await servicesFor(start, cwd, first.modelRuntime);
    // A conversation that is gone back to keeps the model it had.
    const isOwnModel = sessionStartEvent?.reason === "resume" || sessionStartEvent?.reason === "fork";
    const created = await createAgentSessionFromServices({
      services,
      sessionManager,
      sessionStartEvent,
      ...(!isOwnModel && { model: choice.model, thinkingLevel: args.thinking ?? choice.thinkingLevel }),
      scopedModels: choice.scopedModels,
      tools: args.tools,
      excludeTools: args.excludeTools,
      noTools: args.noTools ? "all" : args.noBuiltinTools ? "builtin" : undefined,
    });
    return { ...created, services };
  };
}

/**
 * The settings, models and resources of a folder; those of the project if it may have its own. Extensions of the user
 * are asked about it, so they are loaded before.
 */
function servicesFor(
  { args, agentDir, extensionFactories, mode, say, trust, select, trustUI, slow }: Start,
  cwd: string,
  modelRuntime?: AgentSessionServices["modelRuntime"],
): Promise<AgentSessionServices> {
  const settingsManager = SettingsManager.create(cwd, agentDir, { projectTrusted: false });
  const warn = (text: string) => say(`Warning: ${text}`);
  return createAgentSessionServices({
    cwd,
    agentDir,
    settingsManager,
    modelRuntime,
    resourceLoaderOptions: {
      additionalExtensionPaths: args.extensions,
      extensionFactories,
      noExtensions: args.noExtensions,
      systemPrompt: args.systemPrompt,
      appendSystemPrompt: args.appendSystemPrompt,
      noContextFiles: args.noContextFiles,
      additionalSkillPaths: args.skills,
      noSkills: args.noSkills,
      additionalPromptTemplatePaths: args.promptTemplates,
      noPromptTemplates: args.noPromptTemplates,
      // Without a screen nobody sees them, but one that is not there is a mistake all the same.
      additionalThemePaths: args.themes?.filter((path) => mode === "tui" || !existsSync(resolveUserPath(path, cwd))),
      noThemes: args.noThemes || mode !== "tui",
    },
    resourceLoaderReloadOptions: {
      onSlowExtension: (path, text) => (slow ?? warn)(`Extension "${path}": ${text}`),
      resolveProjectTrust: ({ extensionsResult: { extensions } }) =>
        trust.for(cwd, () =>
          resolveProjectTrusted({
            cwd,
            store: new ProjectTrustStore(agentDir),
            override: args.projectTrustOverride,
            defaultProjectTrust: settingsManager.getDefaultProjectTrust(),
            askHandlers: () => askProjectTrust(extensions, projectTrustContext(cwd, mode, say, trustUI), warn),
            select,
          }),
        ),
    },
  });
}

/** Options go to the extensions that know them. False when the start cannot go on; why has been said then. */
function reportExtensions({ args, mode, say }: Start, { resourceLoader }: AgentSessionServices): boolean {
  const loaded = resourceLoader.getExtensions();
  const problems = applyFlagValues(args.unknownFlags, loaded);
  for (const problem of problems) say(`Error: ${problem}\n${flagAdvice(args, loaded)}`);
  // Somebody who sits in front of it is shown the errors by the mode, and goes on with the rest.
  if (mode === "tui") return problems.length === 0;
  for (const error of loaded.errors) say(`Error: ${loadErrorLine(error)}`);
  if (loaded.errors.length > 0) say('Hint: Start without extensions using "pi -ne".');
  if (loaded.errors.some(({ error }) => error.includes(" conflicts with "))) {
    say('Hint: Switch one of those that conflict off with "pi config".');
  }
  return problems.length === 0 && loaded.errors.length === 0;
}

function flagAdvice({ unknownFlags }: Args, { extensions }: LoadExtensionsResult): string {
  const known = extensions.flatMap(({ flags }) => [...flags.keys()]);
  const unknown = new Map([...unknownFlags].filter(([name]) => !known.includes(name)));
  if (unknown.size > 0)
    return unknownOptionsAdvice(
      unknown,
      known.map((name) => `--${name}`),
    );
  return "Its value is the next word, or follows behind =.";
}

function resolveAll(paths: readonly string[], cwd: string): string[] {
  return paths.map((path) => resolveUserPath(path, cwd));
}

function diagnosticLine({ type, message }: { type: "info" | "warning" | "error"; message: string }): string {
  return type === "info" ? message : `${type === "error" ? "Error" : "Warning"}: ${message}`;
}
