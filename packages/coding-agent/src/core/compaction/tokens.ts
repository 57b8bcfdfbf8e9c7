/** How many tokens messages take, told or estimated. Pure. Source: sessions.md section 5, "Token estimates". */
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { Usage } from "@earendil-works/pi-ai";

/** Characters that one image counts for. */
const IMAGE_CHARS = 4800;
const CHARS_PER_TOKEN = 4;

/** The context that an answer took, as the provider counted it. */
export function calculateContextTokens(usage: Usage): number {
  return usage.totalTokens || usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}

/** A message whose size nobody told. */
export function estimateTokens(message: AgentMessage): number {
  return Math.ceil(charsOf(message) / CHARS_PER_TOKEN);
}

export interface ContextTokenEstimate {
  tokens: number;
  /** Told by the last usable answer. */
  usageTokens: number;
  /** Estimated for the messages after it. */
  trailingTokens: number;
  lastUsageIndex: number | null;
}

/** The last answer that told its usage, and estimates for all that came later. */
export function estimateContextTokens(messages: readonly AgentMessage[]): ContextTokenEstimate {
  const at = messages.findLastIndex((message) => usageOf(message) > 0);
  const usageTokens = at < 0 ? 0 : usageOf(messages[at] as AgentMessage);
  const trailingTokens = messages.slice(at + 1).reduce((sum, message) => sum + estimateTokens(message), 0);
  return { tokens: usageTokens + trailingTokens, usageTokens, trailingTokens, lastUsageIndex: at < 0 ? null : at };
}

/** Tokens an answer says its context took; 0 for failed ones and for other messages. */
export function usageOf(message: AgentMessage): number {
  if (message.role !== "assistant" || message.stopReason === "aborted" || message.stopReason === "error") return 0;
  return message.usage ? calculateContextTokens(message.usage) : 0;
}

function charsOf(message: AgentMessage): number {
  switch (message.role) {
    case "system":
      return (
        contentChars(message.content) +
        Object.values(message.sections ?? {}).reduce((sum, text) => sum + (text?.length ?? 0), 0) +
        (message.toolsAdded ? JSON.stringify(message.toolsAdded).length : 0)
      );
    case "user":
    case "custom":
    case "toolResult":
      return contentChars(message.content);
    case "assistant":
      return message.content.reduce((sum, block) => {
        if (block.type === "text") return sum + block.text.length;
        if (block.type === "thinking") return sum + block.thinking.length;
        return sum + block.name.length + JSON.stringify(block.arguments).length;
      }, 0);
    case "bashExecution":
      return message.command.length + message.output.length;
    case "branchSummary":
    case "compactionSummary":
      return message.summary.length;
    default:
      return 0;
  }
}

function contentChars(content: string | readonly { type: string; text?: string }[]): number {
  if (typeof content === "string") return content.length;
  return content.reduce((sum, block) => sum + (block.type === "image" ? IMAGE_CHARS : (block.text?.length ?? 0)), 0);
}
