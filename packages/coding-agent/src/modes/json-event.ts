/** Session events as other programs read them: no growing message, no `partial`. Source: protocol.md section 4. */
import type { AssistantMessageEvent, Usage } from "@earendil-works/pi-ai";
import type { AgentSessionEvent } from "../core/agent-session-events.js";
import { forWire } from "../core/messages.js";

/**
 * Writes events as lines. Streamed text, of which there is most, costs a string and no objects: the usage that every
 * piece repeats is written once per change.
 */
export class JsonEventWriter {
  #usage: Usage | undefined;
  #usageJson = "";
  #usageKey = "";

  /** One event with its line feed. */
  line(event: AgentSessionEvent): string {
    if (event.type === "message_update" && event.message.role === "assistant") {
      const { type, contentIndex, delta } = event.assistantMessageEvent as {
        type: string;
        contentIndex: number;
        delta?: unknown;
      };
      if (typeof delta === "string") {
        return `{"type":"message_update","assistantMessageEvent":{"type":"${type}","contentIndex":${contentIndex},"delta":${JSON.stringify(delta)}},"usage":${this.#usageText(event.message.usage)}}\n`;
      }
    }
    return `${JSON.stringify(toJsonEvent(event))}\n`;
  }

  #usageText(usage: Usage): string {
    const key = `${usage.input} ${usage.output} ${usage.cacheRead} ${usage.cacheWrite} ${usage.totalTokens} ${usage.reasoning}`;
    if (usage !== this.#usage || key !== this.#usageKey) {
      this.#usage = usage;
      this.#usageKey = key;
      this.#usageJson = JSON.stringify(usage);
    }
    return this.#usageJson;
  }
}

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
