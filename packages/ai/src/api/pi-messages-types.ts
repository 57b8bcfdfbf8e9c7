/** Types of the API of pi's own gateways, which this release does not speak. Source: llm-wire.md section 10. */
import type { JsonValue, StopReason, StreamOptions, ThinkingLevel, ToolChoice, Usage } from "../types.js";

export interface PiMessagesOptions extends StreamOptions {
  reasoning?: ThinkingLevel | undefined;
  toolChoice?: ToolChoice | undefined;
}

/** One event of an answer: those of a stream of assistant events, without the message so far. */
export type PiMessagesEvent =
  | { type: "start" }
  | { type: "text_start" | "thinking_start"; contentIndex: number }
  | { type: "toolcall_start"; contentIndex: number; id: string; toolName: string }
  | { type: "text_delta" | "thinking_delta" | "toolcall_delta"; contentIndex: number; delta: string }
  | {
      type: "text_end" | "thinking_end" | "toolcall_end";
      contentIndex: number;
      contentSignature?: string;
      redacted?: boolean;
    }
  | { type: "done"; reason: StopReason; usage: Usage; responseId?: string; responseModel?: string }
  | { type: "error"; reason: StopReason; usage?: Usage; errorMessage?: string };

/** What a gateway says about a request it changed. */
export interface PiMessagesRewriteImpact {
  [key: string]: JsonValue;
}
