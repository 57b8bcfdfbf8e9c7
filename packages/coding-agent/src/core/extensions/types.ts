/**
 * The public contract of tools and extensions. Source: extensions.md section 5, exports.md section 4.1.
 *
 * `any` stands only where the published contract has it: extensions compiled against it would break with `unknown`
 * (exports.md, "Facts that decide whether real extensions compile"). The linter allows it in `types.ts` alone.
 */
import type {
  AgentTool,
  AgentToolCallOutcome,
  AgentToolResult,
  AgentToolUpdateCallback,
  ThinkingLevel,
  ToolExecutionMode,
} from "@earendil-works/pi-agent-core";
import type { Model, Tool } from "@earendil-works/pi-ai";
import type { Static, TSchema } from "typebox";
import type { SessionManager } from "../session-manager.js";

/** What a tool sees of the session it runs in. Read through getters: never copy it by spread. */
export interface ExtensionContext {
  readonly cwd: string;
  readonly model: Model<any> | undefined;
  readonly thinkingLevel?: ThinkingLevel | undefined;
  readonly sessionManager: ReadonlySessionManager;
}

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

export interface ExecuteToolOptions {
  signal?: AbortSignal | undefined;
  onUpdate?: AgentToolUpdateCallback | undefined;
}

export interface ExtensionToolContext extends ExtensionContext {
  readonly tools: readonly AgentTool[];
  /** Runs another tool through validation and all hooks. */
  executeTool(name: string, args: unknown, options?: ExecuteToolOptions): Promise<AgentToolCallOutcome>;
}

/** Whether and how a model reaches a tool. */
export type ToolExposure = "direct" | "model-only" | "codemode" | "deferred" | "hidden";

/**
 * A tool in full: what the model is told, how it runs, how the system prompt mentions it.
 *
 * A plain object with own, enumerable members, and `execute` does not use `this`: extensions spread it.
 */
export interface ToolDefinition<P extends TSchema = TSchema, D = unknown, _S = any> extends Tool<P> {
  label: string;
  /** One line in the tool list of the system prompt; absent = not listed there. */
  promptSnippet?: string | undefined;
  /** Bullets in the rules of the system prompt while the tool is active. */
  promptGuidelines?: string[] | undefined;
  prepareArguments?: ((raw: unknown) => Static<P>) | undefined;
  outputSchema?: object | undefined;
  executionMode?: ToolExecutionMode | undefined;
  renderShell?: "default" | "self" | undefined;
  exposure?: ToolExposure | undefined;
  /** `false` = registered, but not active by itself. */
  defaultActive?: boolean | undefined;
  execute(
    toolCallId: string,
    params: Static<P>,
    signal: AbortSignal | undefined,
    onUpdate: AgentToolUpdateCallback<D> | undefined,
    ctx?: ExtensionToolContext,
  ): Promise<AgentToolResult<D>>;
}
