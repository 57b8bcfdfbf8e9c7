/** The contract of summaries. Source: sessions.md sections 5-6, exports.md section 4. */
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { Usage } from "@earendil-works/pi-ai";

/** Values of one model that differ from the ordinary ones. */
export interface CompactionModelOverride {
  /**
   * Tokens of the context window that stay free.
   * @default 16384
   * @minimum 0
   * @maximum 9007199254740991
   * @multipleOf 1
   * @onWrong stop
   */
  reserveTokens?: number;
  /**
   * Tokens of the newest messages that are kept as they are.
   * @default 20000
   * @minimum 0
   * @maximum 9007199254740991
   * @multipleOf 1
   * @onWrong stop
   */
  keepRecentTokens?: number;
}

/** The `compaction` key of the settings. */
export interface CompactionSettings extends CompactionModelOverride {
  /**
   * Summarise when the context window is nearly full. Off stops automatic compaction only.
   * @default true
   */
  enabled?: boolean;
  /**
   * Other values for single models, by `provider/modelId`.
   * @onWrong stop
   */
  modelOverrides?: Record<string, CompactionModelOverride>;
}

/** The settings that hold for one model. */
export interface EffectiveCompactionSettings {
  enabled: boolean;
  /** Tokens of the context window that stay free. */
  reserveTokens: number;
  /** Tokens of the newest messages that are kept as they are. */
  keepRecentTokens: number;
}

export const DEFAULT_COMPACTION_SETTINGS: EffectiveCompactionSettings = {
  enabled: true,
  reserveTokens: 16384,
  keepRecentTokens: 20000,
};

/** Files that the summarised part touched. */
export interface FileOperations {
  read: Set<string>;
  written: Set<string>;
  edited: Set<string>;
}

/** What built-in summaries record about files: sorted, `readFiles` without the modified ones. */
export interface SummaryDetails {
  readFiles: string[];
  modifiedFiles: string[];
}

/** What is summarised and where the kept part begins. */
export interface CompactionPreparation {
  firstKeptEntryId: string;
  messagesToSummarize: AgentMessage[];
  /** The beginning of a turn whose end is kept. */
  turnPrefixMessages: AgentMessage[];
  isSplitTurn: boolean;
  tokensBefore: number;
  previousSummary?: string;
  fileOps: FileOperations;
  settings: EffectiveCompactionSettings;
}

export interface CompactionResult<T = unknown> {
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  /** Estimate of the rebuilt context. */
  estimatedTokensAfter?: number;
  usage?: Usage;
  details?: T;
}

export interface BranchSummaryResult {
  summary?: string;
  usage?: Usage;
  readFiles?: string[];
  modifiedFiles?: string[];
  aborted?: boolean;
  error?: string;
}

export interface BranchPreparation {
  messages: AgentMessage[];
  fileOps: FileOperations;
  totalTokens: number;
}
