/** How tools are drawn: the contract of extensions, and what the box around them needs. Source: tui.md section B3. */
import type { ImageContent, TextContent } from "@earendil-works/pi-ai";

export type { ToolRenderContext, ToolRenderers } from "../../../core/extensions/types/tool.js";

export interface RenderedResult {
  content: (TextContent | ImageContent)[];
  /** `any` as in the published contract: every tool has details of its own. */
  details: any;
}

export interface ToolExecutionOptions {
  /** Default true. */
  showImages?: boolean | undefined;
  /** Default 60. */
  imageWidthCells?: number | undefined;
  /** Default 1. */
  outputPad?: number | undefined;
}
