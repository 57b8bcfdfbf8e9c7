/** A tool as extensions define it. Source: extensions.md section 5. */
import type {
  AgentTool,
  AgentToolResult,
  AgentToolUpdateCallback,
  ToolExecutionMode,
} from "@earendil-works/pi-agent-core";
import type { Tool } from "@earendil-works/pi-ai";
import type { Component } from "@earendil-works/pi-tui";
import type { Static, TSchema } from "typebox";
import type { SourceInfo } from "../../resources/resource-types.js";
import type { ExtensionToolContext } from "./context.js";
import type { KeybindingHints } from "./keybindings.js";
import type { Theme } from "./theme.js";

/** Whether and how a model reaches a tool. `hidden` withdraws it. */
export type ToolExposure = "direct" | "model-only" | "codemode" | "deferred" | "hidden";

/** What a tool does to the world, in the words of MCP. */
export interface ToolAnnotations {
  readOnlyHint?: boolean | undefined;
  destructiveHint?: boolean | undefined;
  idempotentHint?: boolean | undefined;
  openWorldHint?: boolean | undefined;
}

export interface ToolNamespace {
  name: string;
  aliases?: readonly string[] | undefined;
  description?: string | undefined;
  instructions?: string | undefined;
}

/** The tools of a request, for tools that arrange them. */
export interface ToolLoadout {
  readonly declared: readonly AgentTool[];
  readonly callable: readonly AgentTool[];
  readonly registered: readonly AgentTool[];
  getExposure(name: string): ToolExposure | undefined;
  getNamespace(name: string): ToolNamespace | undefined;
  getPromptGuidelines(name: string): readonly string[] | undefined;
}

export interface ToolLoadoutChanges {
  descriptions?: Record<string, string> | undefined;
  hiddenDeclarations?: readonly string[] | undefined;
}

/** `isPartial`: the tool is still running. */
export interface ToolRenderResultOptions {
  expanded: boolean;
  isPartial: boolean;
}

/** What renderers of one row of the transcript know. */
export interface ToolRenderContext<S = any, A = any> extends KeybindingHints {
  args: A;
  toolCallId: string;
  /** Draws the row again. */
  invalidate(): void;
  /** What this slot drew last. */
  lastComponent: Component | undefined;
  /** Shared by both slots of the row; `{}` at first. */
  state: S;
  cwd: string;
  executionStarted: boolean;
  argsComplete: boolean;
  isPartial: boolean;
  expanded: boolean;
  showImages: boolean;
  isError: boolean;
  durationMs: number | undefined;
  outputPad: number;
}

/**
 * A tool in full: what the model is told, how it runs, how it is drawn, how the system prompt mentions it.
 *
 * A plain object with own, enumerable members, and `execute` does not use `this`: extensions spread it.
 */
export interface ToolDefinition<P extends TSchema = TSchema, D = unknown, S = any> extends Tool<P> {
  label: string;
  /** One line in the tool list of the system prompt; absent = not listed there. */
  promptSnippet?: string | undefined;
  /** Bullets in the rules of the system prompt while the tool is active. */
  promptGuidelines?: string[] | undefined;
  /** Repairs bad or old shapes before validation. */
  prepareArguments?: ((raw: unknown) => Static<P>) | undefined;
  /** JSON Schema of `structuredContent`. */
  outputSchema?: object | undefined;
  /** `sequential`: a batch that calls this tool runs one call at a time. */
  executionMode?: ToolExecutionMode | undefined;
  /** `default`: in a box whose colour tells the state; `self`: the tool draws all. */
  renderShell?: "default" | "self" | undefined;
  /** Default `direct`. */
  exposure?: ToolExposure | undefined;
  /** `false` = registered, but not active by itself. */
  defaultActive?: boolean | undefined;
  namespace?: ToolNamespace | undefined;
  annotations?: ToolAnnotations | undefined;
  /** Tools that this one calls. */
  reachesTools?: boolean | readonly string[] | undefined;
  prepareLoadout?(loadout: ToolLoadout): ToolLoadoutChanges | undefined;
  execute(
    toolCallId: string,
    params: Static<P>,
    signal: AbortSignal | undefined,
    onUpdate: AgentToolUpdateCallback<D> | undefined,
    ctx: ExtensionToolContext,
  ): Promise<AgentToolResult<D>>;
  /** `args` may be incomplete while they stream. */
  renderCall?(args: Static<P>, theme: Theme, context: ToolRenderContext<S, Static<P>>): Component;
  renderResult?(
    result: AgentToolResult<D>,
    options: ToolRenderResultOptions,
    theme: Theme,
    context: ToolRenderContext<S, Static<P>>,
  ): Component;
}

export type ToolRenderers = Pick<ToolDefinition, "renderShell" | "renderCall" | "renderResult">;
/**
 * Chooses how a call is drawn; `next` asks those that were registered later, and last the tool itself. Undefined leaves it
 * to them.
 */
export type ToolRendererResolver = (
  toolName: string,
  next: () => ToolRenderers | undefined,
) => ToolRenderers | undefined;

/** A tool of an extension with where it came from. */
export interface RegisteredTool {
  definition: ToolDefinition;
  sourceInfo: SourceInfo;
}

/** What `getAllTools` tells of a tool. */
export interface ToolInfo {
  name: string;
  description: string;
  parameters: object;
  promptGuidelines?: string[] | undefined;
  exposure: ToolExposure;
  namespace?: ToolNamespace | undefined;
  annotations?: ToolAnnotations | undefined;
  reachesTools?: boolean | readonly string[] | undefined;
  sourceInfo: SourceInfo;
}
