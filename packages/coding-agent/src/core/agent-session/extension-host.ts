import { dirname, isAbsolute, resolve } from "node:path";
import type { CompactionResult } from "../compaction/types.js";
import { extensionLabel } from "../extensions/loader.js";
import { textOf } from "../extensions/running/dispatch.js";
import type {
  ExtensionActions,
  ExtensionBindings,
  ExtensionContextActions,
  ReplacedSessionContext,
  SessionShutdownEvent,
  SessionStartEvent,
  SlashCommandInfo,
} from "../extensions/types.js";
import type { ExtendedPath } from "../resource-loader.js";
import type { ActiveTools } from "./active-tools.js";
import type { NestedTools } from "./nested-tools.js";
import type { OutsideMessages } from "./outside-messages.js";
import type { SessionCore } from "./session-core.js";

/** What extensions can ask of their session, as the session does it for anybody. */
export interface HostedSession {
  readonly model: ReturnType<ExtensionContextActions["getModel"]>;
  readonly scopedModels: ReturnType<ExtensionContextActions["getScopedModels"]>;
  readonly thinkingLevel: ReturnType<ExtensionActions["getThinkingLevel"]>;
  readonly systemPrompt: string;
  readonly isIdle: boolean;
  readonly pendingMessageCount: number;
  abort(): Promise<void>;
  compact(instructions?: string): Promise<CompactionResult>;
  getContextUsage(): ReturnType<ExtensionContextActions["getContextUsage"]>;
  setModel(model: NonNullable<HostedSession["model"]>): Promise<void>;
  setThinkingLevel(level: HostedSession["thinkingLevel"]): void;
  setSessionName(name: string): void;
  readonly onContextReplaced: (() => void) | undefined;
}

export interface HostDuties {
  tools: ActiveTools;
  nested: NestedTools;
  messages: OutsideMessages;
}

/** Joins a session and its extensions: what they may do, and the beginning and end they are told of. */
export class ExtensionHost {
  readonly #core: SessionCore;
  readonly #session: HostedSession;
  readonly #duties: HostDuties;
  #bindings: ExtensionBindings = {};
  #stopListening = () => {};

  constructor(core: SessionCore, session: HostedSession, duties: HostDuties) {
    this.#core = core;
    this.#session = session;
    this.#duties = duties;
  }

  /** Gives the extensions that are there now what they act with. */
  join(): void {
    this.#core.extensions.bindCore(this.#actions(), this.#contextActions());
  }

  /** Says who is there. Nothing is told to extensions yet. */
  bind(bindings: ExtensionBindings): void {
    const { extensions } = this.#core;
    this.#bindings = { ...this.#bindings, ...bindings };
    const { uiContext, mode = "print", commandContextActions, onError } = this.#bindings;
    extensions.setUIContext(uiContext, mode);
    extensions.bindCommandContext(commandContextActions);
    this.#stopListening();
    this.#stopListening = onError ? extensions.onError(onError) : () => {};
  }

  get bindings(): ExtensionBindings {
    return this.#bindings;
  }

  /** The session begins: extensions hear of it, and say what else there is to load. */
  async start(event: SessionStartEvent): Promise<void> {
    const { extensions, services } = this.#core;
    if (event.reason !== "startup") this.#reportLoadErrors();
    if (extensions.hasHandlers("session_start")) await extensions.emit<"session_start">(event);
    const reason = event.reason === "reload" ? "reload" : "startup";
    for (const extension of extensions.extensions) {
      if (!extension.handlers.get("resources_discover")?.length) continue;
      const found = await extensions.emitTo<"resources_discover">(extension, {
        type: "resources_discover",
        cwd: services.cwd,
        reason,
      });
      const { skillPaths, promptPaths, themePaths } = found ?? {};
      const source = extensionLabel(extension.path);
      const places = (paths: readonly string[] = []) => paths.map((path) => this.#place(path, source));
      const known = new Set(this.#resourceProblems());
      await services.resourceLoader.extendResources({
        skillPaths: places(skillPaths),
        promptPaths: places(promptPaths),
        themePaths: places(themePaths),
      });
      // Those of the start have been told with it.
      for (const error of this.#resourceProblems().filter((problem) => !known.has(problem))) {
        extensions.report({ extensionPath: extension.path, event: "resources_discover", error });
      }
      this.#duties.tools.promptChanged();
    }
  }

  #resourceProblems(): string[] {
    const { resourceLoader } = this.#core.services;
    const kinds = [resourceLoader.getSkills(), resourceLoader.getPrompts(), resourceLoader.getThemes()];
    return kinds.flatMap(({ diagnostics }) =>
      diagnostics.map(({ path, message }) => (path === undefined ? message : `${path}: ${message}`)),
    );
  }

  /** What a command goes on with in this session, when it has taken the place of the command's own. */
  replacedContext(): ReplacedSessionContext {
    const { messages } = this.#duties;
    return Object.assign(this.#core.extensions.createCommandContext(), {
      sendMessage: messages.sendCustom.bind(messages),
      sendUserMessage: messages.sendUser.bind(messages),
    });
  }

  /** The session ends. */
  async end(event: SessionShutdownEvent): Promise<void> {
    const { extensions } = this.#core;
    if (extensions.hasHandlers("session_shutdown")) await extensions.emit<"session_shutdown">(event);
  }

  /** At the start of the program somebody else tells them, and it may not go on. */
  #reportLoadErrors(): void {
    for (const { path, error } of this.#core.services.resourceLoader.getExtensions().errors) {
      this.#core.extensions.report({ extensionPath: path, event: "load", error });
    }
  }

  #place(given: string, source: string): ExtendedPath {
    const path = isAbsolute(given) ? given : resolve(this.#core.services.cwd, given);
    return { path, metadata: { source, scope: "temporary", origin: "top-level", baseDir: dirname(path) } };
  }

  #actions(): ExtensionActions {
    const session = this.#session;
    const { tools, messages } = this.#duties;
    const { sessionManager, services, extensions } = this.#core;
    // The runner of these extensions, also when there is another one by then.
    const report = (event: string) => (error: unknown) => extensions.reportRuntime(event, error);
    return {
      sendMessage: (message, options) => void messages.sendCustom(message, options).catch(report("send_message")),
      sendUserMessage: (content, options) =>
        void messages.sendUser(content, options).catch(report("send_user_message")),
      appendEntry: (customType, data) => {
        const entry = sessionManager.getEntry(sessionManager.appendCustomEntry(customType, data));
        if (entry) this.#core.emit({ type: "entry_appended", entry });
      },
      setSessionName: (name) => session.setSessionName(name),
      getSessionName: () => sessionManager.getSessionName(),
      setLabel: (entryId, label) => {
        sessionManager.appendLabelChange(entryId, label);
      },
      getActiveTools: () => tools.names,
      setActiveTools: (names) => tools.activate(names),
      getAllTools: () => tools.infos,
      refreshTools: () => tools.refresh(),
      getCommands: () => this.commands(),
      getSettings: () => structuredClone(services.settingsManager.getSettings()),
      setModel: async (model) => {
        if (!services.modelRuntime.hasConfiguredAuth(model.provider)) return false;
        await session.setModel(model);
        return true;
      },
      getThinkingLevel: () => session.thinkingLevel,
      setThinkingLevel: (level) => session.setThinkingLevel(level),
    };
  }

  /** Of extensions, templates and skills, in this order. */
  commands(): SlashCommandInfo[] {
    const { extensions, services } = this.#core;
    const loader = services.resourceLoader;
    return [
      ...extensions.getRegisteredCommands().map(({ invocationName, description, sourceInfo }) => ({
        name: invocationName,
        ...(description !== undefined && { description }),
        source: "extension" as const,
        sourceInfo,
      })),
      ...loader.getPrompts().prompts.map(({ name, description, sourceInfo }) => ({
        name,
        description,
        source: "prompt" as const,
        sourceInfo,
      })),
      ...loader.getSkills().skills.map(({ name, description, sourceInfo }) => ({
        name: `skill:${name}`,
        description,
        source: "skill" as const,
        sourceInfo,
      })),
    ];
  }

  #contextActions(): ExtensionContextActions {
    const session = this.#session;
    const { tools, nested } = this.#duties;
    const { agent, services } = this.#core;
    return {
      getModel: () => session.model,
      getScopedModels: () => session.scopedModels,
      isIdle: () => session.isIdle,
      isProjectTrusted: () => services.settingsManager.isProjectTrusted(),
      getSignal: () => agent.signal,
      abort: () => {
        if (this.#bindings.abortHandler) this.#bindings.abortHandler();
        else void session.abort();
      },
      hasPendingMessages: () => session.pendingMessageCount > 0 || agent.hasQueuedMessages(),
      shutdown: () => this.#bindings.shutdownHandler?.(),
      getContextUsage: () => session.getContextUsage(),
      compact: ({ customInstructions, onComplete, onError } = {}) => {
        session.compact(customInstructions).then(onComplete, (error: unknown) => {
          onError?.(error instanceof Error ? error : new Error(textOf(error)));
        });
      },
      getSystemPrompt: () => session.systemPrompt,
      getSystemPromptOptions: () => tools.promptOptions(),
      executeTool: (name, args, options, parentCallId) => nested.execute(name, args, options, parentCallId),
      getCallableTools: () => tools.callable,
    };
  }
}
