/** The extensions of one session at work. Source: extensions.md sections 3-7, exports.md section 4.5. */
import type { KeyId } from "@earendil-works/pi-tui";
import type { ModelRegistry } from "../model-registry.js";
import type { SessionManager } from "../session-manager.js";
import { type EffectiveKeys, type ResolvedShortcuts, resolveCommands, resolveShortcuts } from "./running/commands.js";
import { type ContextHost, createCommandContext, createContext, createToolContext } from "./running/contexts.js";
import { Dispatcher, textOf } from "./running/dispatch.js";
import type { SumOf } from "./running/merge-rules.js";
import { noUI } from "./running/no-ui.js";
import { PromptedUI } from "./running/prompted-ui.js";
import { waiting } from "./running/waits.js";
import { invalidateRuntime } from "./runtime.js";
import type { ExtensionFlag, ExtensionShortcut, ResolvedCommand } from "./types/commands.js";
import type {
  ExtensionCommandContext,
  ExtensionContext,
  ExtensionMode,
  ExtensionToolContext,
} from "./types/context.js";
import type { ExtensionEventName, ExtensionEventOf } from "./types/event-map.js";
import type {
  Extension,
  ExtensionActions,
  ExtensionCommandContextActions,
  ExtensionContextActions,
  ExtensionError,
  ExtensionProviderActions,
  ExtensionRuntime,
} from "./types/host.js";
import type { EntryRenderer, MarkdownTransformerRegistration, MessageRenderer } from "./types/renderers.js";
import type { RegisteredTool, ToolDefinition, ToolRenderers } from "./types/tool.js";
import type { ExtensionUIContext } from "./types/ui.js";

/** Path of errors that no extension in particular is the cause of. */
const RUNTIME = "<runtime>";

type ErrorListener = (error: ExtensionError) => void;

export class ExtensionRunner {
  readonly #extensions: readonly Extension[];
  readonly #runtime: ExtensionRuntime;
  readonly #host: ContextHost & { ui: ExtensionUIContext; mode: ExtensionMode; hasUI: boolean };
  readonly #dispatcher: Dispatcher;
  readonly #prompts: PromptedUI;
  readonly #listeners = new Set<ErrorListener>();
  /** Errors from before anybody listened. */
  #unheard: ExtensionError[] = [];
  #successor: ExtensionRunner | undefined;
  /** Of the run in progress; also while no turn is active yet. */
  #runSignal: () => AbortSignal | undefined = () => undefined;

  constructor(
    extensions: readonly Extension[],
    runtime: ExtensionRuntime,
    cwd: string,
    sessionManager: SessionManager,
    modelRegistry: ModelRegistry,
  ) {
    this.#extensions = extensions;
    this.#runtime = runtime;
    runtime.cwd = cwd;
    runtime.report = (error) => this.report(error);
    this.#host = {
      runtime,
      cwd,
      sessionManager,
      modelRegistry,
      ui: noUI,
      mode: "print",
      hasUI: false,
      actions: unboundContext,
      commandActions: noCommandContext,
      getThinkingLevel: () => runtime.actions.getThinkingLevel(),
    };
    this.#prompts = new PromptedUI({
      onStart: (kind, title) => void this.tell({ type: "ui_prompt_start", reason: "ui_prompt", kind, title }),
      onEnd: (kind, title) => void this.tell({ type: "ui_prompt_end", reason: "ui_prompt", kind, title }),
    });
    const context = createContext(this.#host);
    this.#dispatcher = new Dispatcher({
      extensions,
      context: () => context,
      signal: () => this.#runSignal(),
      isPrompting: () => this.#prompts.isPrompting,
      report: (error) => this.report(error),
    });
  }

  get extensions(): readonly Extension[] {
    return this.#extensions;
  }

  // -- Binding ---------------------------------------------------------------------------------------------------------

  /** Puts the real actions in the place of the stand-ins; providers that waited are registered now, in their order. */
  bindCore(
    actions: ExtensionActions,
    contextActions: ExtensionContextActions,
    providerActions?: ExtensionProviderActions,
  ): void {
    this.#runtime.isBound = true;
    this.#runtime.actions = actions;
    (this.#host as { actions: ExtensionContextActions }).actions = contextActions;
    if (providerActions) this.#runtime.providers = providerActions;
    for (const { extensionPath, apply } of this.#runtime.queuedProviders?.splice(0) ?? []) {
      try {
        apply(this.#runtime.providers);
      } catch (error) {
        this.report({ extensionPath, event: "register_provider", error: textOf(error) });
      }
    }
    this.#runtime.queuedProviders = undefined;
  }

  /** Without actions, commands cannot replace the session. */
  bindCommandContext(actions: ExtensionCommandContextActions = noCommandContext): void {
    (this.#host as { commandActions: ExtensionCommandContextActions }).commandActions = actions;
  }

  setUIContext(ui: ExtensionUIContext | undefined, mode: ExtensionMode = "print"): void {
    this.#host.ui = ui ? this.#prompts.wrap(ui) : noUI;
    this.#host.mode = mode;
    this.#host.hasUI = mode === "tui" || mode === "rpc";
  }

  /** Whose abort ends the waiting for handlers. */
  setRunSignal(signal: () => AbortSignal | undefined): void {
    this.#runSignal = signal;
  }

  /** Everything extensions keep of this session throws from now on. */
  invalidate(message?: string): void {
    invalidateRuntime(this.#runtime, message);
  }

  // -- Contexts --------------------------------------------------------------------------------------------------------

  createContext(): ExtensionContext {
    return createContext(this.#host);
  }

  createCommandContext(): ExtensionCommandContext {
    return createCommandContext(this.#host);
  }

  createToolContext(toolCallId: string, signal: AbortSignal | undefined): ExtensionToolContext {
    return createToolContext(this.#host, toolCallId, signal);
  }

  // -- Errors ----------------------------------------------------------------------------------------------------------

  /** Hears of every failure, also of those from before. Returns a function that ends it. */
  onError(listener: ErrorListener): () => void {
    this.#listeners.add(listener);
    for (const error of this.#unheard.splice(0)) listener(error);
    return () => this.#listeners.delete(listener);
  }

  /** Whoever hears of the extensions that came in place of these hears of what these still do. */
  replaceBy(successor: ExtensionRunner): void {
    this.#successor = successor;
    for (const error of this.#unheard.splice(0)) successor.report(error);
  }

  report(error: ExtensionError): void {
    if (this.#successor) {
      this.#successor.report(error);
      return;
    }
    if (this.#listeners.size === 0) this.#unheard.push(error);
    for (const listener of [...this.#listeners]) listener(error);
  }

  /** Tells of a failure that belongs to no extension in particular. */
  reportRuntime(event: string, error: unknown): void {
    this.report({ extensionPath: RUNTIME, event, error: textOf(error) });
  }

  // -- Events ----------------------------------------------------------------------------------------------------------

  hasHandlers(type: string): boolean {
    return this.#dispatcher.has(type);
  }

  /** Resolves when all handlers have answered; what they answered adds up as the merge rules say. Never rejects. */
  emit<Name extends ExtensionEventName>(event: ExtensionEventOf<Name>): Promise<SumOf<Name> | undefined> {
    return this.#dispatcher.emit<Name>(event);
  }

  // By their names of the contract, for programs that run extensions themselves.
  emitToolCall = this.emit<"tool_call">;
  emitToolResult = this.emit<"tool_result">;
  emitUserBash = this.emit<"user_bash">;
  emitMessageEnd = this.emit<"message_end">;
  emitContext = this.emit<"context">;
  emitInput = this.emit<"input">;
  emitBeforeAgentStart = this.emit<"before_agent_start">;
  emitBeforeProviderRequest = this.emit<"before_provider_request">;
  emitBeforeProviderHeaders = this.emit<"before_provider_headers">;
  emitResourcesDiscover = this.emit<"resources_discover">;
  emitBoundary = this.emit<"turn_end" | "agent_before_settle">;

  /** As `emit`, for one extension: where it matters whose answer it is. */
  emitTo<Name extends ExtensionEventName>(
    extension: Extension,
    event: ExtensionEventOf<Name>,
  ): Promise<SumOf<Name> | undefined> {
    return this.#dispatcher.emit<Name>(event, [extension]);
  }

  /** For events nobody waits for; costs nothing while nobody listens. */
  tell<Name extends ExtensionEventName>(event: ExtensionEventOf<Name>): void {
    const { type } = event as { type: string };
    if (this.hasHandlers(type)) void this.emit<Name>(event);
  }

  // -- What is registered ----------------------------------------------------------------------------------------------

  /** One of each name: the first in load order. */
  getAllRegisteredTools(): RegisteredTool[] {
    const tools = new Map<string, RegisteredTool>();
    for (const extension of this.#extensions) {
      for (const [name, tool] of extension.tools) if (!tools.has(name)) tools.set(name, tool);
    }
    return [...tools.values()];
  }

  getToolDefinition(name: string): ToolDefinition | undefined {
    return this.#extensions.find(({ tools }) => tools.has(name))?.tools.get(name)?.definition;
  }

  /** How a call is drawn: the resolvers in load order, last the tool itself. */
  getToolRenderers(name: string, own: ToolRenderers | undefined): ToolRenderers | undefined {
    const resolvers = this.#extensions.flatMap(({ toolRenderers = [] }) => toolRenderers);
    const ask = (at: number): ToolRenderers | undefined => {
      const resolver = resolvers[at];
      if (!resolver) return own;
      try {
        // Who has nothing to say leaves it to the rest.
        return resolver(name, () => ask(at + 1)) ?? ask(at + 1);
      } catch (error) {
        this.reportRuntime("tool_renderer", error);
        return ask(at + 1);
      }
    };
    return ask(0);
  }

  getFlags(): Map<string, ExtensionFlag> {
    const flags = new Map<string, ExtensionFlag>();
    for (const extension of this.#extensions) {
      for (const [name, flag] of extension.flags) if (!flags.has(name)) flags.set(name, flag);
    }
    return flags;
  }

  setFlagValue(name: string, value: boolean | string): void {
    this.#runtime.flagValues.set(name, value);
  }

  getFlagValues(): ReadonlyMap<string, boolean | string> {
    return this.#runtime.flagValues;
  }

  /** Whether any extension wants keys: asked with every key that is pressed. */
  get hasShortcuts(): boolean {
    return this.#extensions.some(({ shortcuts }) => shortcuts.size > 0);
  }

  /** @param keys the keys of the program, as its keybindings give them */
  getShortcuts(keys?: EffectiveKeys): Map<KeyId, ExtensionShortcut> {
    return this.resolveShortcuts(keys).shortcuts;
  }

  /** As `getShortcuts`, with what is to be said about them. */
  resolveShortcuts(keys?: EffectiveKeys): ResolvedShortcuts {
    return resolveShortcuts(this.#extensions, keys);
  }

  getRegisteredCommands(): ResolvedCommand[] {
    return resolveCommands(this.#extensions);
  }

  /** @param name as it is invoked */
  getCommand(name: string): ResolvedCommand | undefined {
    return this.getRegisteredCommands().find(({ invocationName }) => invocationName === name);
  }

  getMessageRenderer(customType: string): MessageRenderer | undefined {
    return this.#extensions
      .find(({ messageRenderers }) => messageRenderers.has(customType))
      ?.messageRenderers.get(customType);
  }

  getEntryRenderer(customType: string): EntryRenderer | undefined {
    return this.#extensions
      .find(({ entryRenderers }) => entryRenderers?.has(customType))
      ?.entryRenderers?.get(customType);
  }

  getMarkdownTransformers(): MarkdownTransformerRegistration[] {
    return this.#extensions.flatMap(({ markdownTransformer }) => markdownTransformer ?? []);
  }

  /** Runs a command to its end. What it throws is told; the text counts as handled all the same. */
  async runCommand({ name, handler, sourceInfo }: ResolvedCommand, args: string): Promise<void> {
    try {
      const pending = handler(args, this.createCommandContext());
      await waiting({ extensionPath: sourceInfo.path, what: `the command /${name}` }, pending);
    } catch (error) {
      const stack = error instanceof Error ? error.stack : undefined;
      this.report({
        extensionPath: `command:${name}`,
        event: "command",
        error: textOf(error),
        ...(stack && { stack }),
      });
    }
  }

  /** Runs what a key stands for. */
  async runShortcut({ handler, extensionPath }: ExtensionShortcut): Promise<void> {
    try {
      await handler(this.createContext());
    } catch (error) {
      this.report({ extensionPath, event: "shortcut", error: textOf(error) });
    }
  }
}

function notBound(): never {
  throw new Error("This extension context is not bound to a session yet.");
}

const unboundContext: ExtensionContextActions = {
  getModel: () => undefined,
  getScopedModels: () => [],
  isIdle: () => true,
  isProjectTrusted: () => false,
  getSignal: () => undefined,
  abort: () => {},
  hasPendingMessages: () => false,
  shutdown: () => {},
  getContextUsage: () => undefined,
  compact: notBound,
  getSystemPrompt: () => "",
};

const noCommandContext: ExtensionCommandContextActions = {
  waitForIdle: async () => {},
  newSession: async () => notBound(),
  fork: async () => notBound(),
  navigateTree: async () => notBound(),
  switchSession: async () => notBound(),
  reload: async () => notBound(),
};
