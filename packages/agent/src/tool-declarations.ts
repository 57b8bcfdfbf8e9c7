import { getCurrentTools, getToolStateChanges, type SystemMessage, toToolDeclaration } from "@earendil-works/pi-ai";
import type { AgentContext, AgentMessage } from "./types.js";

/**
 * Adds what the transcript does not yet say about the tools that can run: system messages declare what a model may
 * call, so a change of `context.tools` becomes a system message in front of the pending messages.
 *
 * The change goes onto the last pending system message if there is one (replacing its own tool fields). Returns the
 * pending messages, unchanged when the declarations are up to date. Source: agent-and-tools.md section A8.
 */
export function declareTools(context: AgentContext, pending: AgentMessage[]): AgentMessage[] {
  const lastSystem = pending.findLastIndex((message) => message.role === "system");
  const withoutOwnTools = pending.map((message, index) =>
    index === lastSystem ? withoutTools(message as SystemMessage) : message,
  );
  const declared = getCurrentTools([...context.messages, ...withoutOwnTools]);
  const runnable = (context.tools ?? []).map((tool) => toToolDeclaration(tool));
  const { toolsAdded, toolsRemoved } = getToolStateChanges(declared, runnable);
  if (toolsAdded.length === 0 && toolsRemoved.length === 0) {
    return lastSystem >= 0 ? withoutOwnTools : pending;
  }
  const change = {
    ...(toolsAdded.length > 0 && { toolsAdded }),
    ...(toolsRemoved.length > 0 && { toolsRemoved }),
  };
  if (lastSystem >= 0) {
    return withoutOwnTools.map((message, index) =>
      index === lastSystem ? { ...(message as SystemMessage), ...change } : message,
    );
  }
  const message: SystemMessage = { role: "system", content: "", ...change, timestamp: Date.now() };
  const firstOther = pending.findIndex((candidate) => candidate.role !== "system");
  const at = firstOther < 0 ? pending.length : firstOther;
  return [...pending.slice(0, at), message, ...pending.slice(at)];
}

function withoutTools(message: SystemMessage): SystemMessage {
  const { toolsAdded: _added, toolsRemoved: _removed, ...rest } = message;
  return rest;
}
