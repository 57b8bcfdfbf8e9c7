/** From entries of a session to components of the chat. */
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, ToolResultMessage } from "@earendil-works/pi-ai";
import { type Component, Spacer, type TUI } from "@earendil-works/pi-tui";
import type { MarkdownTransformer } from "../../../core/extensions/types/renderers.js";
import type { BashExecutionMessage } from "../../../core/messages.js";
import { parseSkillBlock } from "../../../core/resources/skill-command.js";
import type { CustomEntry } from "../../../core/session-store/entries.js";
import { ToolExecutionComponent } from "../tools/tool-execution.js";
import type { ToolRenderers } from "../tools/types.js";
import { AssistantMessageComponent } from "./assistant-message.js";
import { BashExecutionComponent } from "./bash-execution.js";
import { type ChatItem, isCustomEntry } from "./chat-items.js";
import { CustomEntryComponent, type CustomEntryRenderer } from "./custom-entry.js";
import { CustomMessageComponent, type CustomMessageRenderer } from "./custom-message.js";
import { applyLook, type ChatLook } from "./lazy-message.js";
import { textOf } from "./plain-text.js";
import { callErrorText } from "./stop-text.js";
import {
  BranchSummaryMessageComponent,
  CompactionSummaryMessageComponent,
  SkillInvocationMessageComponent,
} from "./summaries.js";
import { UserMessageComponent } from "./user-message.js";

/** What the parts of the chat need to know. */
export interface ChatHost {
  readonly tui: TUI;
  readonly cwd: string;
  readonly look: ChatLook;
  toolRenderers(name: string): ToolRenderers | undefined;
  customRenderer(customType: string): CustomMessageRenderer | undefined;
  entryRenderer(customType: string): CustomEntryRenderer | undefined;
  /** What extensions make of text before it is drawn. */
  readonly transformers: readonly MarkdownTransformer[];
}

/** The components of an item; none for items that are not shown. */
export function partsOf(item: ChatItem, results: ReadonlyMap<string, ToolResultMessage>, host: ChatHost): Component[] {
  const parts = isCustomEntry(item) ? entryParts(item, host) : madeFor(item, results, host);
  for (const part of parts) applyLook(part, { expanded: host.look.expanded });
  return parts;
}

function entryParts(entry: CustomEntry, host: ChatHost): Component[] {
  const renderer = host.entryRenderer(entry.customType);
  return renderer ? [new CustomEntryComponent(entry, renderer)] : [];
}

function madeFor(message: AgentMessage, results: ReadonlyMap<string, ToolResultMessage>, host: ChatHost): Component[] {
  const { outputPad } = host.look;
  const drawing = [undefined, outputPad, host.transformers, undefined, timeText(message.timestamp)] as const;
  switch (message.role) {
    case "user":
      return userParts(textOf(message.content), drawing);
    case "assistant":
      return assistantParts(message, results, host);
    case "bashExecution":
      return [finishedBash(message, host)];
    case "custom": {
      if (!message.display) return [];
      return [new CustomMessageComponent(message, host.customRenderer(message.customType), ...drawing)];
    }
    case "branchSummary":
      return [new Spacer(1), new BranchSummaryMessageComponent(message, ...drawing)];
    case "compactionSummary":
      return [new Spacer(1), new CompactionSummaryMessageComponent(message, ...drawing)];
    default:
      return [];
  }
}

/** The arguments that all parts with Markdown end with: theme, padding, transformers, id and time of the message. */
type Drawing = readonly [undefined, number, readonly MarkdownTransformer[], undefined, string | undefined];

function userParts(text: string, drawing: Drawing): Component[] {
  const skill = parseSkillBlock(text);
  if (!skill) return text.trim() === "" ? [] : [new UserMessageComponent(text, ...drawing)];
  const parts: Component[] = [new Spacer(1), new SkillInvocationMessageComponent(skill, ...drawing)];
  if (skill.userMessage !== undefined) parts.push(new UserMessageComponent(skill.userMessage, ...drawing));
  return parts;
}

function assistantParts(
  message: AssistantMessage,
  results: ReadonlyMap<string, ToolResultMessage>,
  host: ChatHost,
): Component[] {
  const parts: Component[] = [newAssistant(message, host)];
  for (const call of message.content) {
    if (call.type !== "toolCall") continue;
    const tool = newTool(call.name, call.id, call.arguments, host);
    const result = results.get(call.id);
    const failure = callErrorText(message);
    if (result) tool.updateResult(resultOf(result));
    else if (failure !== undefined) tool.updateResult(errorResult(failure));
    parts.push(tool);
  }
  return parts;
}

export function newAssistant(message: AssistantMessage, { look, transformers }: ChatHost): AssistantMessageComponent {
  const { hideThinking, hiddenThinkingLabel, outputPad } = look;
  return new AssistantMessageComponent(
    message,
    hideThinking,
    undefined,
    hiddenThinkingLabel,
    outputPad,
    transformers,
    undefined,
    timeText(message.timestamp),
  );
}

/** A time as session files have it; messages of foreign files may have none that is one. */
function timeText(timestamp: number): string | undefined {
  const time = new Date(timestamp);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

export function newTool(name: string, id: string, args: unknown, host: ChatHost): ToolExecutionComponent {
  const { tui, cwd, look } = host;
  const tool = new ToolExecutionComponent(name, id, args, look, host.toolRenderers(name), tui, cwd);
  tool.setExpanded(look.expanded);
  return tool;
}

export function errorResult(text: string) {
  return { content: [{ type: "text" as const, text }], isError: true };
}

function resultOf({ content, details, isError, durationMs }: ToolResultMessage) {
  return { content, details, isError, durationMs };
}

function finishedBash(message: BashExecutionMessage, { tui, look }: ChatHost): BashExecutionComponent {
  const part = new BashExecutionComponent(message.command, tui, message.excludeFromContext, look.outputPad);
  part.appendOutput(message.output);
  const { exitCode, cancelled, truncated, fullOutputPath } = message;
  part.setComplete(exitCode, cancelled, { truncated }, fullOutputPath);
  return part;
}
