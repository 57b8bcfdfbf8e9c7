/** The keys of `settings.json` that are read so far. Source: cli-and-config.md section 4.2. */
import type { QueueMode, ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { ThinkingBudgets, Transport } from "@earendil-works/pi-ai";
import type { CompactionSettings } from "../compaction/types.js";

export interface ProviderRetrySettings {
  timeoutMs?: number;
  maxRetries?: number;
  /** Longest wait that a provider may ask for, in ms. */
  maxRetryDelayMs?: number;
}

export interface RetrySettings {
  /** Failed answers are asked for again. Default true. */
  enabled?: boolean;
  /** Default 3. */
  maxRetries?: number;
  /** First wait, doubled each time, in ms. Default 2000. */
  baseDelayMs?: number;
  /** Longest wait, in ms. Default 60000. */
  maxAgentDelayMs?: number;
  /** Retries of one request inside the model layer. */
  provider?: ProviderRetrySettings;
}

export interface BranchSummarySettings {
  /** Default 16384. */
  reserveTokens?: number;
  /** Leave a branch without being asked about a summary. Default false. */
  skipPrompt?: boolean;
}

export interface Settings {
  defaultProvider?: string;
  defaultModel?: string;
  defaultThinkingLevel?: ThinkingLevel;
  /** By `provider/id`. */
  modelThinkingLevels?: Record<string, ThinkingLevel>;
  thinkingBudgets?: ThinkingBudgets;
  /** Patterns, as `--models`. */
  enabledModels?: string[];
  defaultTools?: string[];
  sessionDir?: string;
  /** `never`, `important` or `always`: when a session waits for the disk. */
  sessionFsync?: string;
  /** How many waiting messages one turn takes. Default `one-at-a-time`, both. */
  steeringMode?: QueueMode;
  followUpMode?: QueueMode;
  compaction?: CompactionSettings;
  branchSummary?: BranchSummarySettings;
  transport?: Transport;
  httpIdleTimeoutMs?: number | "disabled";
  websocketConnectTimeoutMs?: number | "disabled";
  retry?: RetrySettings;
  shellPath?: string;
  shellCommandPrefix?: string;
  images?: { autoResize?: boolean; blockImages?: boolean };
  /** A theme by name, or `lightName/darkName`. Default `system`. */
  theme?: string;
  /** Hide the header at the start, or only its details. Default false. */
  quietStartup?: boolean | "header";
  /** `fullscreen` (default) or `regular`. */
  tuiMode?: string;
  /** `transcript` (default) or `resume-hint`: what stays on the main screen. */
  fullscreenExitOutput?: string;
  /** `auto` (default), `always` or `hidden`. */
  fullscreenScrollbar?: string;
  /** Default true. */
  fullscreenCopyOnSelect?: boolean;
  /** `auto` (default), or 1 to 100. */
  fullscreenWheelScrollLines?: number | "auto";
  /** 0 (default) to 3. */
  editorPaddingX?: number;
  /** 0 or 1 (default). */
  outputPad?: number;
  /** 3 to 20, default 5. */
  autocompleteMaxVisible?: number;
  showHardwareCursor?: boolean;
  hideThinkingBlock?: boolean;
  terminal?: TerminalSettings;
  markdown?: { codeBlockIndent?: string };
  /** Default `$VISUAL`, `$EDITOR`, nano or notepad. */
  externalEditor?: string;
  /** `tree` (default), `fork` or `none`. */
  doubleEscapeAction?: string;
  /** Default `default`. */
  treeFilterMode?: string;
  /** Plain lines for screen readers instead of a screen. Default false. */
  screenReader?: boolean;
}

export interface TerminalSettings {
  /** Default true. */
  showImages?: boolean;
  /** Default 60. */
  imageWidthCells?: number;
  clearOnShrink?: boolean;
  showTerminalProgress?: boolean;
  hyperlinks?: boolean | "auto";
  images?: "kitty" | "iterm2" | "auto" | false;
  trueColor?: boolean | "auto";
}
