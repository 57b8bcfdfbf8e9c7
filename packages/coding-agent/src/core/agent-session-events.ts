import type { AgentEvent, AgentMessage } from "@earendil-works/pi-agent-core";
import type { ModelThinkingLevel } from "@earendil-works/pi-ai";
import type { CompactionResult } from "./compaction/types.js";
import type { SessionEntry } from "./session-store/entries.js";

/** Why the conversation is being summarised. */
export type CompactionReason = "manual" | "threshold" | "overflow";

/** Everything a session tells its listeners. Source: agent-and-tools.md section A9, protocol.md section 4. */
export type AgentSessionEvent =
  | Exclude<AgentEvent, { type: "agent_end" }>
  /** `willRetry`: the failed answer is asked for again by itself. */
  | { type: "agent_end"; messages: AgentMessage[]; willRetry: boolean }
  /** Once per prompt: nothing follows by itself. */
  | { type: "agent_settled"; aborted: boolean }
  /** Texts that wait, after each change. */
  | { type: "queue_update"; steering: string[]; followUp: string[] }
  | { type: "compaction_start"; reason: CompactionReason }
  | {
      type: "compaction_end";
      reason: CompactionReason;
      /** Undefined when it was aborted or failed. */
      result: CompactionResult | undefined;
      aborted: boolean;
      /** The prompt that overflowed is sent again. */
      willRetry: boolean;
      errorMessage?: string;
    }
  | { type: "auto_retry_start"; attempt: number; maxAttempts: number; delayMs: number; errorMessage: string }
  | { type: "auto_retry_end"; success: boolean; attempt: number; finalError?: string }
  | {
      type: "summarization_retry_scheduled";
      attempt: number;
      maxAttempts: number;
      delayMs: number;
      errorMessage: string;
    }
  | { type: "summarization_retry_attempt_start"; source: "compaction"; reason: CompactionReason }
  | { type: "summarization_retry_attempt_start"; source: "branchSummary" }
  | { type: "summarization_retry_finished" }
  /** A piece of output of a command the user runs; `id` is the caller's. */
  | { type: "bash_execution_update"; id?: unknown; delta: string }
  /** An entry that no other event announces. */
  | { type: "entry_appended"; entry: SessionEntry }
  | { type: "session_info_changed"; name: string | undefined }
  | { type: "thinking_level_changed"; level: ModelThinkingLevel };

export type AgentSessionEventListener = (event: AgentSessionEvent) => void;
