/** How messages and entries of extensions are drawn. Source: extensions.md section 4.1. */
import type { Component } from "@earendil-works/pi-tui";
import type { CustomMessage } from "../../messages.js";
import type { CustomEntry } from "../../session-store/entries.js";
import type { KeybindingHints } from "./keybindings.js";
import type { Theme } from "./theme.js";

export interface MessageRenderOptions extends KeybindingHints {
  expanded: boolean;
  /** Columns of space to the left of output. */
  outputPad: number;
}

/** Undefined, or a throw: the message is drawn as usual. */
export type MessageRenderer<T = unknown> = (
  message: CustomMessage<T>,
  options: MessageRenderOptions,
  theme: Theme,
) => Component | undefined;

export interface EntryRenderOptions extends KeybindingHints {
  expanded: boolean;
}

/** Without a renderer an entry is not shown. */
export type EntryRenderer<T = unknown> = (
  entry: CustomEntry<T>,
  options: EntryRenderOptions,
  theme: Theme,
) => Component | undefined;

export type MarkdownMessageType = "user" | "assistant" | "assistant-thinking" | "custom" | "summary" | "changelog";

export interface MarkdownTransformContext {
  messageType: MarkdownMessageType;
  isStreaming: boolean;
  /** Columns. */
  availableWidth: number;
  messageId?: string | undefined;
  /** When the message was made, as in session files. */
  timestamp?: string | undefined;
}

/** Changes text on its way to the screen, and only there. */
export type MarkdownTransformer = (markdown: string, context: MarkdownTransformContext) => string;

export interface MarkdownTransformerOptions {
  /** Default: `user`, `assistant` and `assistant-thinking`. */
  messageTypes?: readonly MarkdownMessageType[] | undefined;
}

export interface MarkdownTransformerRegistration {
  transformer: MarkdownTransformer;
  messageTypes: ReadonlySet<MarkdownMessageType>;
}
