/** The keys of `settings.json` that are read so far. Source: cli-and-config.md section 4.2. */
import type { ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { ThinkingBudgets, Transport } from "@earendil-works/pi-ai";

export interface RetrySettings {
  provider?: { timeoutMs?: number; maxRetries?: number; maxRetryDelayMs?: number };
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
  transport?: Transport;
  httpIdleTimeoutMs?: number | "disabled";
  retry?: RetrySettings;
  shellPath?: string;
  shellCommandPrefix?: string;
  images?: { autoResize?: boolean; blockImages?: boolean };
}
