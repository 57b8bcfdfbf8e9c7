import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { type AssistantMessage, classifyAssistantError, retryDelayMs } from "@earendil-works/pi-ai";
import { hideFromContext } from "./hide-message.js";
import type { SessionCore } from "./session-core.js";

/**
 * Asks for a failed answer again when that may help: overload, rate limits, failures of the network. The failed message
 * stays in the session's history, hidden from the model. Source: agent-and-tools.md section A9 (table).
 */
export class AutoRetry {
  readonly #core: SessionCore;
  /** Number of the retry in progress; 0 = none. */
  #attempt = 0;
  #pause: AbortController | undefined;

  constructor(core: SessionCore) {
    this.#core = core;
  }

  get attempt(): number {
    return this.#attempt;
  }

  /** Between two attempts. */
  get isWaiting(): boolean {
    return this.#pause !== undefined;
  }

  /** Whether the end of this run will be followed by another attempt. */
  isDue(last: AgentMessage | undefined): boolean {
    const { enabled, maxRetries } = this.#core.services.settingsManager.getRetrySettings();
    return enabled && this.#attempt < maxRetries && isRetryable(last);
  }

  /** An answer came that did not fail. */
  succeeded(): void {
    if (this.#attempt === 0) return;
    this.#core.emit({ type: "auto_retry_end", success: true, attempt: this.#attempt });
    this.#attempt = 0;
  }

  /** Hides a failed answer and waits. True when the answer is to be asked for again. */
  async afterRun(last: AgentMessage | undefined): Promise<boolean> {
    if (last?.role !== "assistant" || !this.isDue(last)) {
      if (this.#attempt > 0) this.#end(last?.role === "assistant" ? last.errorMessage : undefined);
      return false;
    }
    this.#attempt++;
    const { maxRetries } = this.#core.services.settingsManager.getRetrySettings();
    const delayMs = this.#delayMs(last);
    this.#core.emit({
      type: "auto_retry_start",
      attempt: this.#attempt,
      maxAttempts: maxRetries,
      delayMs,
      errorMessage: last.errorMessage ?? "Unknown error",
    });
    hideFromContext(this.#core, [last]);
    const pause = new AbortController();
    this.#pause = pause;
    await sleepUntil(delayMs, pause.signal);
    this.#pause = undefined;
    if (!pause.signal.aborted) return true;
    this.#end("Retry cancelled");
    return false;
  }

  /** Ends a pause. */
  cancel(): void {
    this.#pause?.abort();
  }

  #end(finalError: string | undefined): void {
    this.#core.emit({
      type: "auto_retry_end",
      success: false,
      attempt: this.#attempt,
      ...(finalError !== undefined && { finalError }),
    });
    this.#attempt = 0;
  }

  /** The usual pause, or what the server asked for, up to the longest pause. */
  #delayMs(failed: AssistantMessage): number {
    const settings = this.#core.services.settingsManager.getRetrySettings();
    const usual = retryDelayMs(settings, this.#attempt);
    return Math.max(usual, Math.min(requestedDelayMs(failed), settings.maxAgentDelayMs));
  }
}

function isRetryable(message: AgentMessage | undefined): boolean {
  return message?.role === "assistant" && classifyAssistantError(message) === "retryable";
}

/** What the response that failed asked for (`Retry-After`), in ms; 0 when it asked for nothing. */
function requestedDelayMs(failed: AssistantMessage): number {
  const asked = failed.diagnostics?.find(({ type }) => type === "retry_after")?.details?.["delayMs"];
  return typeof asked === "number" ? asked : 0;
}

function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
