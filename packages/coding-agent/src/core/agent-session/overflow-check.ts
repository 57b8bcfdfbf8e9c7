/** What the end of a run says about the size of the context. Pure. Source: sessions.md section 5, "Trigger". */
import { type AssistantMessage, isContextOverflow, type Model } from "@earendil-works/pi-ai";

export type OverflowKind =
  /** The answer failed or was cut for lack of room: it is asked for again after a summary. */
  | "failed"
  | "cut"
  /** It was finished, but nothing more fits. */
  | "finished";

/** Undefined when the answer fitted, and for answers of another model than the one that goes on. */
export function overflowOf(message: AssistantMessage, model: Model): OverflowKind | undefined {
  if (message.provider !== model.provider || message.model !== model.id) return undefined;
  if (message.stopReason === "length") {
    const isCutEarly = model.maxTokens > 0 && (message.usage?.output ?? 0) < model.maxTokens;
    return isCutEarly || isContextOverflow(message, model.contextWindow) ? "cut" : undefined;
  }
  if (!isContextOverflow(message, model.contextWindow)) return undefined;
  return message.stopReason === "error" ? "failed" : "finished";
}

/** Said when a summary did not help. */
export function recoveryFailedText(kind: "failed" | "cut"): string {
  return kind === "failed"
    ? "Context overflow recovery failed after one compact-and-retry attempt. Try reducing context or switching to a larger-context model."
    : "Truncated response recovery failed after one compact-and-retry attempt.";
}
