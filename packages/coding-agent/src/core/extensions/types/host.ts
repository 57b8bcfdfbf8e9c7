/**
 * What the program knows of its extensions. Source: exports.md section 4.1, "Host side".
 *
 * `any` stands where the published contract has it (exports.md), and for handlers of whichever event: what they take
 * depends on its name.
 */
import type { AgentTool, AgentToolCallOutcome } from "@earendil-works/pi-agent-core";
import type { Model, Provider } from "@earendil-works/pi-ai";
import type { KeyId } from "@earendil-works/pi-tui";
import type { ContextUsage } from "../../agent-session/context-usage.js";
import type { ScopedModel } from "../../models/model-scope.js";
import type { ProviderConfig } from "../../models/provider-config.js";
import type { SourceInfo } from "../../resources/resource-types.js";
import type { EventBusController, ExtensionAPI } from "./api.js";
import type { ExtensionFlag, ExtensionShortcut, RegisteredCommand } from "./commands.js";
import type { CompactOptions, ExecuteToolOptions, ExtensionCommandContext, ExtensionMode } from "./context.js";
import type { EntryRenderer, MarkdownTransformerRegistration, MessageRenderer } from "./renderers.js";
import type { BuildSystemPromptOptions } from "./system-prompt.js";
import type { RegisteredTool, ToolRendererResolver } from "./tool.js";
import type { ExtensionUIContext } from "./ui.js";

/** A handler as it is kept: which event it is for is known where it is called. */
export type AnyExtensionHandler = (event: any, ctx: any) => unknown;

/** A loaded extension with everything it registered. */
export interface Extension {
  path: string;
  resolvedPath: string;
  hidden?: boolean | undefined;
  replaceable?: boolean | undefined;
  sourceInfo: SourceInfo;
  handlers: Map<string, AnyExtensionHandler[]>;
  tools: Map<string, RegisteredTool>;
  messageRenderers: Map<string, MessageRenderer>;
  entryRenderers?: Map<string, EntryRenderer> | undefined;
  toolRenderers?: ToolRendererResolver[] | undefined;
  markdownTransformer?: MarkdownTransformerRegistration | undefined;
  commands: Map<string, RegisteredCommand>;
  flags: Map<string, ExtensionFlag>;
  shortcuts: Map<KeyId, ExtensionShortcut>;
}

/** A handler failed, or something an extension asked for did. */
export interface ExtensionError {
  extensionPath: string;
  event: string;
  error: string;
  stack?: string | undefined;
}

/** What `pi` does once it is bound. */
export interface ExtensionActions
  extends Pick<
    ExtensionAPI,
    | "sendMessage"
    | "sendUserMessage"
    | "appendEntry"
    | "setSessionName"
    | "getSessionName"
    | "setLabel"
    | "getActiveTools"
    | "getAllTools"
    | "getSettings"
    | "setActiveTools"
    | "getCommands"
    | "setModel"
    | "getThinkingLevel"
    | "setThinkingLevel"
  > {
  /** The tools of the extensions are other ones now. */
  refreshTools(): void;
}

export interface ExtensionContextActions {
  getModel(): Model<any> | undefined;
  getScopedModels(): readonly ScopedModel[];
  isIdle(): boolean;
  isProjectTrusted(): boolean;
  getSignal(): AbortSignal | undefined;
  abort(): void;
  hasPendingMessages(): boolean;
  shutdown(): void;
  getContextUsage(): ContextUsage | undefined;
  compact(options?: CompactOptions): void;
  getSystemPrompt(): string;
  getSystemPromptOptions?(): BuildSystemPromptOptions;
  executeTool?(
    name: string,
    args: unknown,
    options: ExecuteToolOptions,
    parentCallId: string,
  ): Promise<AgentToolCallOutcome>;
  getCallableTools?(): readonly AgentTool[];
}

/** What replaces sessions; the mode that runs supplies it. */
export type ExtensionCommandContextActions = Pick<
  ExtensionCommandContext,
  "waitForIdle" | "newSession" | "fork" | "navigateTree" | "switchSession" | "reload"
>;

/** Providers of extensions, on their way to the models. */
export interface ExtensionProviderActions {
  registerProvider(name: string, config: ProviderConfig): void;
  registerNativeProvider(provider: Provider): void;
  unregisterProvider(name: string): void;
}

/** A registration that waits for the models. */
export interface QueuedProvider {
  extensionPath: string;
  apply(actions: ExtensionProviderActions): void;
}

/** What the extensions of one load share. Its members are the program's own business. */
export interface ExtensionRuntime {
  readonly events: EventBusController;
  /** Throwing stand-ins until the session is bound. */
  actions: ExtensionActions;
  providers: ExtensionProviderActions;
  /** Values of the command line. */
  readonly flagValues: Map<string, boolean | string>;
  /** Where `exec` runs by default. */
  cwd: string;
  /** A session uses it. */
  isBound: boolean;
  /** Why the runtime can no longer be used; undefined while it can. */
  staleMessage: string | undefined;
  /** Subscriptions to the bus, which outlives this runtime. */
  readonly subscriptions: Set<() => void>;
  /** Providers of loaded extensions, until a session binds the runtime; undefined from then on. */
  queuedProviders: QueuedProvider[] | undefined;
  /** Called with the provider that was registered or taken away. */
  onProviderChange?: ((name: string) => void) | undefined;
  /** Undoes, once the extensions are over, what outlives them otherwise. */
  readonly atEnd: (() => void)[];
  /** Hears of failures; set by whoever runs the extensions. */
  report: (error: ExtensionError) => void;
}

export interface LoadExtensionsResult {
  extensions: Extension[];
  errors: { path: string; error: string }[];
  warnings?: { path: string; warning: string }[] | undefined;
  runtime: ExtensionRuntime;
}

/** What a mode gives to the extensions of a session. */
export interface ExtensionBindings {
  uiContext?: ExtensionUIContext | undefined;
  mode?: ExtensionMode | undefined;
  commandContextActions?: ExtensionCommandContextActions | undefined;
  /** In place of aborting the run. */
  abortHandler?: (() => void) | undefined;
  shutdownHandler?: (() => void) | undefined;
  onError?: ((error: ExtensionError) => void) | undefined;
}
