import {
  type AgentLoopConfig,
  type StreamFn,
  type ThinkingLevel,
  unanswered,
  withinGrace,
} from "@earendil-works/pi-agent-core";
import {
  type AssistantMessage,
  classifyAssistantError,
  type Model,
  normalizeContext,
  type RetryCallbacks,
  type RetryPolicy,
  retryAssistantCall,
  type SimpleStreamOptions,
  type Usage,
  uuidv7,
} from "@earendil-works/pi-ai";
import { streamSimple } from "@earendil-works/pi-ai/compat";
import { SUMMARY_SYSTEM_PROMPT } from "./prompts.js";

/** How summaries are asked for. */
export interface SummaryRequestOptions {
  model: Model;
  apiKey?: string | undefined;
  headers?: SimpleStreamOptions["headers"];
  env?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
  /** Used when the model reasons. */
  thinkingLevel?: ThinkingLevel | undefined;
  /** Default: straight to the provider. */
  streamFn?: StreamFn | undefined;
  /** Told when the provider does not end after an abort. */
  onUnanswered?: AgentLoopConfig["onUnanswered"];
  retry?: RetryPolicy | undefined;
  callbacks?: RetryCallbacks | undefined;
  /** Default: a new one, not the conversation's own: its cached prefix has nothing in common with this request. */
  sessionId?: string | undefined;
}

/** The model was asked and gave no summary. */
export class SummaryError extends Error {
  override name = "SummaryError";

  constructor(
    readonly code: "aborted" | "overflow" | "failed",
    message: string,
  ) {
    super(message);
  }
}

export interface SummaryText {
  text: string;
  usage: Usage;
}

/**
 * Asks for one summary.
 *
 * @param what begins error messages: `Summarization`, `Turn prefix summarization`, `Branch summarization`
 * @throws SummaryError
 */
export async function requestSummary(
  prompt: string,
  what: string,
  options: SummaryRequestOptions,
): Promise<SummaryText> {
  const { signal, model } = options;
  const answer = await retryAssistantCall(() => ask(prompt, options), options.retry, signal, options.callbacks);
  if (signal?.aborted || answer.stopReason === "aborted") throw new SummaryError("aborted", `${what} aborted`);
  const failed = (reason: string, code: "overflow" | "failed" = "failed") => new SummaryError(code, reason);
  if (answer.stopReason === "error") {
    const isOverflow = classifyAssistantError(answer, model.contextWindow) === "overflow";
    throw failed(`${what} failed: ${answer.errorMessage || "Unknown error"}`, isOverflow ? "overflow" : "failed");
  }
  if (answer.stopReason === "length") {
    throw failed(`${what} failed: generation hit the token cap and the summary is incomplete`);
  }
  if (answer.content.some((block) => block.type === "toolCall")) throw failed(`${what} attempted to call a tool`);
  const text = answer.content.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
  if (text.trim() === "") throw failed(`${what} failed: the model answered without text`);
  return { text, usage: answer.usage };
}

async function ask(prompt: string, options: SummaryRequestOptions): Promise<AssistantMessage> {
  const { model, thinkingLevel, streamFn = streamSimple } = options;
  const context = normalizeContext({
    systemPrompt: SUMMARY_SYSTEM_PROMPT,
    messages: [{ role: "user", content: [{ type: "text", text: prompt }], timestamp: Date.now() }],
  });
  const asked = Promise.resolve(
    streamFn(model, context, {
      cacheRetention: "none",
      sessionId: options.sessionId ?? uuidv7(),
      ...(options.apiKey !== undefined && { apiKey: options.apiKey }),
      ...(options.headers && { headers: options.headers }),
      ...(options.env && { env: options.env }),
      ...(options.signal && { signal: options.signal }),
      ...(model.reasoning && thinkingLevel && thinkingLevel !== "off" && { reasoning: thinkingLevel }),
    }),
  );
  const answer = await withinGrace(
    asked.then((stream) => stream.result()),
    options.signal,
  );
  if (answer !== unanswered) return answer;
  options.onUnanswered?.({ kind: "provider", name: model.provider });
  throw new SummaryError("aborted", "Request was aborted");
}

/** Sums what several requests took. */
export function addUsage(first: Usage, second: Usage): Usage {
  const cost = { ...first.cost };
  for (const key of ["input", "output", "cacheRead", "cacheWrite", "total"] as const) {
    cost[key] = (first.cost?.[key] ?? 0) + (second.cost?.[key] ?? 0);
  }
  return {
    ...first,
    input: first.input + second.input,
    output: first.output + second.output,
    cacheRead: first.cacheRead + second.cacheRead,
    cacheWrite: first.cacheWrite + second.cacheWrite,
    totalTokens: first.totalTokens + second.totalTokens,
    cost,
  };
}
