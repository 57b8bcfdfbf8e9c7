import { jsonEqual } from "../json/json-equal.js";
import type { SystemMessage, Tool, ToolReference, TranscriptMessages } from "../types.js";
import { isSystemMessage } from "./context.js";
import { applyToolChanges } from "./replay.js";

/** What leads from one list of tools to another. */
export interface ToolStateChanges {
  toolsAdded: Tool[];
  toolsRemoved: ToolReference[];
}

/** Which later changes of the tools an API can be told inside the conversation. */
export type TranscriptToolSupport = "none" | "additions" | "changes";

/** How the tool declarations of a transcript are split between the request and the conversation. */
export interface TranscriptTools {
  /** Tools of the request itself. */
  requestTools: Tool[];
  /** How many system messages, from the first, are accounted for by `requestTools`. */
  foldedSystemMessages: number;
}

/** Only what a model is told about a tool: drops everything an application added to it. */
export function toToolDeclaration(tool: Tool): Tool {
  const declaration: Tool = { name: tool.name, description: tool.description, parameters: tool.parameters };
  if (tool.constrainedSampling !== undefined) declaration.constrainedSampling = tool.constrainedSampling;
  return declaration;
}

/** True when a model would be told the same about both tools. */
export function declarationsEqual(a: Tool, b: Tool): boolean {
  if (a === b) return true;
  return (
    a.name === b.name &&
    a.description === b.description &&
    jsonEqual(a.parameters, b.parameters) &&
    jsonEqual(a.constrainedSampling, b.constrainedSampling)
  );
}

/** The changes from `before` to `after`. A tool whose declaration changed is added again, not removed. */
export function getToolStateChanges(before: readonly Tool[], after: readonly Tool[]): ToolStateChanges {
  const known = new Map(before.map((tool) => [tool.name, tool]));
  const kept = new Set(after.map((tool) => tool.name));
  return {
    toolsAdded: after.filter((tool) => {
      const old = known.get(tool.name);
      return old === undefined || !declarationsEqual(old, tool);
    }),
    toolsRemoved: before.filter((tool) => !kept.has(tool.name)).map(({ name }) => ({ name })),
  };
}

/** Every tool the transcript ever declares, removed ones too; for a name declared twice, the last declaration. */
export function getDeclaredTools(messages: TranscriptMessages): Tool[] {
  const tools = new Map<string, Tool>();
  for (const message of messages) {
    if (!isSystemMessage(message)) continue;
    for (const tool of message.toolsAdded ?? []) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

/** True when a name is declared twice with different declarations. */
export function hasToolRedefinitions(messages: TranscriptMessages): boolean {
  const declared = new Map<string, Tool>();
  return messages.some((message) => isSystemMessage(message) && redefines(declared, message));
}

/** True when a system message after the first removes a tool or declares one differently. */
export function hasNonAdditiveToolChanges(messages: TranscriptMessages): boolean {
  return lastNonAdditiveChange(messages.filter(isSystemMessage)) > 0;
}

/**
 * Decides which tools the request carries when an API can be told of later changes in the conversation: all changes
 * up to the last one that the API cannot express are folded into the request.
 */
export function resolveTranscriptTools(messages: TranscriptMessages, support: TranscriptToolSupport): TranscriptTools {
  const declaring = messages.filter(isSystemMessage);
  const folded = Math.min(declaring.length, foldedCount(declaring, support));
  const tools = new Map<string, Tool>();
  for (const message of declaring.slice(0, folded)) applyToolChanges(tools, message);
  return { requestTools: [...tools.values()], foldedSystemMessages: folded };
}

function foldedCount(declaring: SystemMessage[], support: TranscriptToolSupport): number {
  switch (support) {
    case "none":
      return declaring.length;
    case "additions":
      return lastNonAdditiveChange(declaring) + 1;
    case "changes":
      return 1;
  }
}

/** Index of the last message that removes or redefines a tool; 0 when there is none after the first. */
function lastNonAdditiveChange(declaring: SystemMessage[]): number {
  const declared = new Map<string, Tool>();
  let last = 0;
  declaring.forEach((message, index) => {
    const changes = redefines(declared, message) || (message.toolsRemoved?.length ?? 0) > 0;
    if (changes && index > 0) last = index;
  });
  return last;
}

/** Adds the message's declarations to `declared`; true when one of them differs from an earlier one of its name. */
function redefines(declared: Map<string, Tool>, message: SystemMessage): boolean {
  let result = false;
  for (const tool of message.toolsAdded ?? []) {
    const earlier = declared.get(tool.name);
    if (earlier && !declarationsEqual(earlier, tool)) result = true;
    declared.set(tool.name, tool);
  }
  return result;
}
