/**
 * How tools are drawn. Source: tui.md section B3, extensions.md section 5.2. `any` stands where the published contract
 * has it: renderers of extensions name their own arguments and state.
 */
import type { ImageContent, TextContent } from "@earendil-works/pi-ai";
import type { Component, Keybinding } from "@earendil-works/pi-tui";
import type { Theme } from "../theme/theme.js";

export interface ToolRenderContext {
  args: any;
  toolCallId: string;
  /** Draws the tool again, for instance when something that was waited for is there. */
  invalidate(): void;
  /** What the same renderer returned last. */
  lastComponent: Component | undefined;
  /** One object for both renderers of a call. */
  state: any;
  cwd: string;
  executionStarted: boolean;
  argsComplete: boolean;
  isPartial: boolean;
  expanded: boolean;
  showImages: boolean;
  isError: boolean;
  durationMs: number | undefined;
  outputPad: number;
  keyText(id: Keybinding): string;
  keyHint(id: Keybinding, description: string): string;
}

export interface ToolRenderResultOptions {
  expanded: boolean;
  isPartial: boolean;
}

export interface RenderedResult {
  content: (TextContent | ImageContent)[];
  details: any;
}

export interface ToolRenderers {
  /** `self`: no box; the tool draws its own frame. */
  renderShell?: "default" | "self" | undefined;
  renderCall?: ((args: any, theme: Theme, context: ToolRenderContext) => Component) | undefined;
  renderResult?:
    | ((
        result: RenderedResult,
        options: ToolRenderResultOptions,
        theme: Theme,
        context: ToolRenderContext,
      ) => Component)
    | undefined;
}

export interface ToolExecutionOptions {
  /** Default true. */
  showImages?: boolean | undefined;
  /** Default 60. */
  imageWidthCells?: number | undefined;
  /** Default 1. */
  outputPad?: number | undefined;
}
