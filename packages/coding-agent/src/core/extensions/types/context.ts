/**
 * What handlers, commands and tools see of the session. Source: extensions.md section 7.
 *
 * `any` stands where the published contract has it (exports.md): extensions compiled against it would break with `unknown`.
 */
import type {
  AgentTool,
  AgentToolCallOutcome,
  AgentToolUpdateCallback,
  ThinkingLevel,
} from "@earendil-works/pi-agent-core";
import type { ImageContent, Model, TextContent } from "@earendil-works/pi-ai";
import type { ContextUsage } from "../../agent-session/context-usage.js";
import type { CompactionResult } from "../../compaction/types.js";
import type { CustomMessage } from "../../messages.js";
import type { ModelRegistry } from "../../model-registry.js";
import type { ScopedModel } from "../../models/model-scope.js";
import type { SessionManager } from "../../session-manager.js";
import type { BuildSystemPromptOptions } from "./system-prompt.js";
import type { ExtensionUIContext } from "./ui.js";

export type ExtensionMode = "tui" | "rpc" | "json" | "print";

/** The session as tools and handlers read it. */
export type ReadonlySessionManager = Pick<
  SessionManager,
  | "getCwd"
  | "getSessionDir"
  | "getSessionId"
  | "getSessionFile"
  | "getLeafId"
  | "getLeafEntry"
  | "getEntry"
  | "getLabel"
  | "getBranch"
  | "buildContextEntries"
  | "buildSessionProjection"
  | "getHeader"
  | "getEntries"
  | "getTree"
  | "getSessionName"
>;

export interface CompactOptions {
  customInstructions?: string | undefined;
  onComplete?: ((result: CompactionResult) => void) | undefined;
  onError?: ((error: Error) => void) | undefined;
}

/**
 * The session at the moment of each read: its members are getters, so never copy it by spread. After a reload or once
 * another session has taken its place, every read throws.
 */
export interface ExtensionContext {
  readonly ui: ExtensionUIContext;
  readonly mode: ExtensionMode;
  /** Somebody can answer dialogs. */
  readonly hasUI: boolean;
  readonly cwd: string;
  readonly sessionManager: ReadonlySessionManager;
  readonly modelRegistry: ModelRegistry;
  readonly model: Model<any> | undefined;
  readonly thinkingLevel?: ThinkingLevel | undefined;
  /** Models to cycle through; none = all that can be used. */
  readonly scopedModels: readonly ScopedModel[];
  /** No run, retry, compaction or queued message is going on. */
  isIdle(): boolean;
  isProjectTrusted(): boolean;
  /** Of the run in progress. */
  readonly signal: AbortSignal | undefined;
  abort(): void;
  /** Steering or follow-up messages wait. */
  hasPendingMessages(): boolean;
  /** Ends the program, once it is idle; nothing happens in print and JSON mode, which end by themselves. */
  shutdown(): void;
  getContextUsage(): ContextUsage | undefined;
  /** Begins to compact; does not wait. */
  compact(options?: CompactOptions): void;
  getSystemPrompt(): string;
}

export interface ExecuteToolOptions {
  signal?: AbortSignal | undefined;
  onUpdate?: AgentToolUpdateCallback | undefined;
}

export interface ExtensionToolContext extends ExtensionContext {
  /** What `executeTool` can run. */
  readonly tools: readonly AgentTool[];
  /** Runs another tool through validation and all hooks. */
  executeTool(name: string, args: unknown, options?: ExecuteToolOptions): Promise<AgentToolCallOutcome>;
}

/** `cancelled`: an extension said no. */
export interface SessionChangeResult {
  cancelled: boolean;
}

export interface ExtensionNewSessionOptions {
  parentSession?: string | undefined;
  /** Puts first entries into the new session. */
  setup?: ((sessionManager: SessionManager) => void | Promise<void>) | undefined;
  /** What goes on in the new session: the old context is stale by then. */
  withSession?: ((ctx: ReplacedSessionContext) => void | Promise<void>) | undefined;
}

export interface ExtensionForkOptions {
  /** `before` a user message (default), whose text goes back to the editor, or `at` an entry. */
  position?: "before" | "at" | undefined;
  withSession?: ((ctx: ReplacedSessionContext) => void | Promise<void>) | undefined;
}

export interface ExtensionNavigateTreeOptions {
  summarize?: boolean | undefined;
  customInstructions?: string | undefined;
  replaceInstructions?: boolean | undefined;
  label?: string | undefined;
}

export interface ExtensionSwitchSessionOptions {
  withSession?: ((ctx: ReplacedSessionContext) => void | Promise<void>) | undefined;
}

/** What commands can do besides: replace the session they run in. */
export interface ExtensionCommandContext extends ExtensionContext {
  getSystemPromptOptions(): BuildSystemPromptOptions;
  /** Until nothing will run by itself. */
  waitForIdle(): Promise<void>;
  newSession(options?: ExtensionNewSessionOptions): Promise<SessionChangeResult>;
  fork(entryId: string, options?: ExtensionForkOptions): Promise<SessionChangeResult>;
  navigateTree(targetId: string, options?: ExtensionNavigateTreeOptions): Promise<SessionChangeResult>;
  switchSession(path: string, options?: ExtensionSwitchSessionOptions): Promise<SessionChangeResult>;
  /** As `/reload`; the context is stale after it. */
  reload(): Promise<void>;
}

export interface SendMessageOptions {
  /** Idle: begin a run (default false). Running: false waits until the turn is over. */
  triggerTurn?: boolean | undefined;
  /** While a run is active: before its next request (default), or when it would stop. `nextTurn`: with the next prompt. */
  deliverAs?: "steer" | "followUp" | "nextTurn" | undefined;
}

export interface SendUserMessageOptions {
  /** Needed while a run is active. */
  deliverAs?: "steer" | "followUp" | undefined;
  /** Run extension commands, expand skills and templates. Default false. */
  expandPromptTemplates?: boolean | undefined;
}

/** What `sendMessage` takes. */
export type CustomMessageInput<T = unknown> = Pick<CustomMessage<T>, "customType" | "content" | "display" | "details">;
/** What `sendUserMessage` takes. */
export type UserMessageInput = string | (TextContent | ImageContent)[];

/** The context of a session that has just taken the place of another. */
export interface ReplacedSessionContext extends ExtensionCommandContext {
  sendMessage<T = unknown>(message: CustomMessageInput<T>, options?: SendMessageOptions): Promise<void>;
  sendUserMessage(content: UserMessageInput, options?: SendUserMessageOptions): Promise<void>;
}
