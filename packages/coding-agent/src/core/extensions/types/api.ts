/**
 * `pi`: what an extension is given. Source: extensions.md section 4.
 *
 * `any` stands where the published contract has it (exports.md): extensions compiled against it would break with `unknown`.
 */
import type { ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { Model, Provider } from "@earendil-works/pi-ai";
import type { KeyId } from "@earendil-works/pi-tui";
import type { TSchema } from "typebox";
import type { ProviderConfig } from "../../models/provider-config.js";
import type { Settings } from "../../settings/settings.js";
import type { ExtensionFlag, ExtensionShortcut, RegisteredCommand, SlashCommandInfo } from "./commands.js";
import type { CustomMessageInput, SendMessageOptions, SendUserMessageOptions, UserMessageInput } from "./context.js";
import type { ExtensionHandlers } from "./event-map.js";
import type { EntryRenderer, MarkdownTransformer, MarkdownTransformerOptions, MessageRenderer } from "./renderers.js";
import type { ToolDefinition, ToolInfo, ToolRendererResolver } from "./tool.js";

/** Shared by all extensions of a process; survives reloads. */
export interface EventBus {
  emit(channel: string, data: unknown): void;
  /** Returns a function that ends it. */
  on(channel: string, handler: (data: unknown) => void): () => void;
}

export interface EventBusController extends EventBus {
  /** Forgets all handlers. */
  clear(): void;
}

export interface ExecOptions {
  signal?: AbortSignal | undefined;
  /** ms. */
  timeout?: number | undefined;
  /** Default: the session's directory. */
  cwd?: string | undefined;
  /** Bytes of output that are kept, both streams together. Default 256 MiB. */
  maxBuffer?: number | undefined;
}

export interface ExecResult {
  stdout: string;
  stderr: string;
  /** 128 + n after signal n; 1 when it could not be started. */
  code: number;
  /** Ended by the signal or the timeout. */
  killed: boolean;
  truncated: boolean;
}

/** A model that routes each request to another one. */
export interface ExtensionVirtualModel {
  provider: string;
  id: string;
  name: string;
  thinkingLevels?: readonly ThinkingLevel[] | undefined;
  contextWindow?: number | undefined;
  maxTokens?: number | undefined;
  input?: readonly ("text" | "image")[] | undefined;
  route(request: unknown, ctx: unknown): unknown;
}

/**
 * Registers during load, acts once the session is bound: until then methods that act throw. After a reload or once
 * another session has taken its place, everything throws.
 */
export interface ExtensionAPI {
  /**
   * Handlers run in load order, one after another, and are waited for. Names that do not exist are accepted and never
   * fire. Returns a function that ends it.
   */
  on<Name extends keyof ExtensionHandlers>(event: Name, handler: ExtensionHandlers[Name]): () => void;

  /** At any time; of the name of a built-in tool, it takes its place. */
  registerTool<P extends TSchema, D = unknown, S = any>(tool: ToolDefinition<P, D, S>): void;
  registerCommand(name: string, command: Omit<RegisteredCommand, "name" | "sourceInfo">): void;
  registerShortcut(shortcut: KeyId, options: Pick<ExtensionShortcut, "description" | "handler">): void;
  registerFlag(name: string, flag: Pick<ExtensionFlag, "description" | "type" | "default">): void;
  /** Of flags this extension registered: the value of the command line, else the default. */
  getFlag(name: string): boolean | string | undefined;
  registerMessageRenderer<T = unknown>(customType: string, renderer: MessageRenderer<T>): void;
  registerEntryRenderer<T = unknown>(customType: string, renderer: EntryRenderer<T>): void;
  registerMarkdownTransformer(transformer: MarkdownTransformer, options?: MarkdownTransformerOptions): void;
  registerToolRenderer(resolver: ToolRendererResolver): void;
  registerProvider(name: string, config: ProviderConfig): void;
  registerProvider(provider: Provider): void;
  /** Brings back models that were overridden. */
  unregisterProvider(name: string): void;
  registerVirtualModel(definition: ExtensionVirtualModel): void;
  unregisterVirtualModel(provider: string, id: string): void;
  registerMcpServer(name: string, config: unknown): void;
  unregisterMcpServer(name: string): void;
  getMcpServers(): readonly { name: string; config: unknown; extensionPath: string }[];

  /** A message of the extension's own kind; it reaches the model. */
  sendMessage<T = unknown>(message: CustomMessageInput<T>, options?: SendMessageOptions): void;
  /** As if the user had sent it. */
  sendUserMessage(content: UserMessageInput, options?: SendUserMessageOptions): void;
  /** Kept in the session, never sent to the model. */
  appendEntry<T = unknown>(customType: string, data?: T): void;
  setSessionName(name: string): void;
  getSessionName(): string | undefined;
  /** Undefined takes the label away. */
  setLabel(entryId: string, label: string | undefined): void;
  /** Runs a program without a shell. Never rejects for what the program does. */
  exec(command: string, args: string[], options?: ExecOptions): Promise<ExecResult>;
  getActiveTools(): string[];
  /** From the next request on. */
  setActiveTools(names: string[]): void;
  getAllTools(): ToolInfo[];
  /** Of extensions, templates and skills, in this order. */
  getCommands(): SlashCommandInfo[];
  /** A copy. */
  getSettings(): Settings;
  /** For this session; false without a key for it. */
  setModel(model: Model<any>): Promise<boolean>;
  getThinkingLevel(): ThinkingLevel;
  /** Takes the nearest level that the model has. */
  setThinkingLevel(level: ThinkingLevel): void;
  readonly events: EventBus;
}

export type ExtensionFactory = (pi: ExtensionAPI) => void | Promise<void>;

/** An extension of the program that embeds the agent. */
export type InlineExtension =
  | ExtensionFactory
  | {
      name: string;
      factory: ExtensionFactory;
      /** Left out of lists for people. */
      hidden?: boolean | undefined;
      /** Makes way for an extension that registers the same names. */
      replaceable?: boolean | undefined;
      builtin?: boolean | undefined;
    };
