/** Session events as other programs read them: no growing message, no `partial`. Source: protocol.md section 4. */
import type { AssistantMessageEvent } from "@earendil-works/pi-ai";
import type { AgentSessionEvent } from "../core/agent-session-events.js";
import { forWire } from "./wire-message.js";

/** One event as a plain object for `JSON.stringify`; its size does not grow with the message. */
export function toJsonEvent(event: AgentSessionEvent): object {
  switch (event.type) {
    case "message_update": {
      const { assistantMessageEvent } = event;
      const usage = event.message.role === "assistant" ? event.message.usage : undefined;
      return { type: event.type, assistantMessageEvent: withoutPartial(assistantMessageEvent), usage };
    }
    case "tool_execution_update":
      return { ...event, partialResult: withExplicitDetails(event.toolName, event.partialResult) };
    case "message_start":
    case "message_end":
      return { ...event, message: forWire(event.message) };
    case "compaction_end":
      return { ...event, result: event.result ?? null };
    default:
      return event;
  }
}

function withoutPartial(event: AssistantMessageEvent): object {
  if (event.type === "done" || event.type === "error") return event;
  const { partial, ...rest } = event;
  if (event.type !== "toolcall_start") return rest;
  const block = partial.content[event.contentIndex];
  return block?.type === "toolCall" ? { ...rest, id: block.id, toolName: block.name } : rest;
}

/** Updates of bash that carry output name both details, null until set. Source: agent-and-tools.md section 0. */
function withExplicitDetails(toolName: string, partial: { content: unknown[]; details?: unknown }): object {
  if (toolName !== "bash" || partial.content.length === 0) return partial;
  return {
    ...partial,
    details: { truncation: null, fullOutputPath: null, ...(partial.details as object | undefined) },
  };
}
