import type { AssistantMessage, AssistantMessageEvent, TranscriptContext } from "@earendil-works/pi-ai";
import { unanswered, withinGrace } from "./abort-grace.js";
import { answerFault } from "./answer-fault.js";
import { errorText } from "./error-text.js";
import { usageFault } from "./sound-result.js";
import type { AgentContext, AgentEventSink, AgentLoopConfig, StreamFn, UnansweredWork } from "./types.js";

export interface RequestOptions {
  context: AgentContext;
  config: AgentLoopConfig;
  signal: AbortSignal | undefined;
  emit: AgentEventSink;
  streamFn: StreamFn;
}

/**
 * Makes one model request and streams its answer: `message_start`, one `message_update` per event, `message_end`.
 * The growing message is the last one of the context while it streams. Returns the final message, also for a failed or
 * aborted request. With an already aborted signal no request is made: the answer is an empty aborted message.
 */
export async function requestAnswer(options: RequestOptions): Promise<AssistantMessage> {
  const { context, config, signal, emit } = options;
  if (signal?.aborted) {
    const message = failedMessage(config, "aborted", "Request was aborted");
    context.messages.push(message);
    await emit({ type: "message_start", message });
    await emit({ type: "message_end", message });
    return message;
  }
  const answer = new StreamedAnswer(options);
  const read = await withinGrace(answer.read(), signal);
  const message = read === unanswered ? await answer.giveUp() : read;
  message.thinkingLevel = config.reasoning ?? "off";
  if (answer.hasStarted) {
    context.messages[context.messages.length - 1] = message;
  } else {
    context.messages.push(message);
    await emit({ type: "message_start", message });
  }
  await emit({ type: "message_end", message });
  return message;
}

/** One answer while it streams. */
class StreamedAnswer {
  hasStarted = false;
  readonly #options: RequestOptions;
  /** What is waited for now. */
  #awaited: UnansweredWork;
  /** The message as it has arrived. */
  #partial: AssistantMessage | undefined;
  /** The listeners that hear an event now. */
  #telling: void | Promise<void> = undefined;
  #isGivenUp = false;

  constructor(options: RequestOptions) {
    this.#options = options;
    this.#awaited = { kind: "provider", name: options.config.model.provider };
  }

  /** Asks, and tells of every event. @returns the final message, also when the stream fails */
  async read(): Promise<AssistantMessage> {
    const { config, signal } = this.#options;
    const stream = await this.#open();
    try {
      for (const events = stream[Symbol.asyncIterator](); ; ) {
        const { value: event, done } = await events.next();
        if (done || this.#isGivenUp || event.type === "done" || event.type === "error") break;
        const telling = this.#tell(event);
        // Only wait where there is something to wait for: this runs once per streamed token.
        if (telling) await telling;
      }
      return await finalMessage(stream.result(), config);
    } catch (error) {
      if (error instanceof ListenerError) throw error.cause;
      return this.#failed(signal?.aborted ? "aborted" : "error", errorText(error));
    }
  }

  /** Ends a stream that did not heed the abort: what comes later is dropped. @returns what had arrived, as aborted */
  async giveUp(): Promise<AssistantMessage> {
    this.#isGivenUp = true;
    this.#options.config.onUnanswered?.(this.#awaited);
    await this.#telling;
    return this.#failed("aborted", "Request was aborted");
  }

  async #open() {
    const { context, config, signal, streamFn } = this.#options;
    const during = async <T>(hook: string, asked: T | Promise<T>): Promise<T> => {
      this.#awaited = { kind: "hook", name: hook };
      return await asked;
    };
    const transformed = config.transformContext
      ? await during("transformContext", config.transformContext(context.messages, signal))
      : context.messages;
    const messages = await during("convertToLlm", config.convertToLlm(transformed));
    const apiKey = (await during("getApiKey", config.getApiKey?.(config.model.provider))) ?? config.apiKey;
    this.#awaited = { kind: "provider", name: config.model.provider };
    // The brand of a transcript is a compile-time mark only: prompt and tools already live in system messages here.
    const transcript = { messages } as TranscriptContext;
    return streamFn(config.model, transcript, { ...config, apiKey, signal });
  }

  #tell(event: Exclude<AssistantMessageEvent, { type: "done" | "error" }>): void | Promise<void> {
    const { context, emit } = this.#options;
    const { partial } = event;
    if (!Array.isArray(partial?.content)) throw new Error(`The stream gave an event without a message: ${event.type}`);
    this.#partial = partial;
    const message = { ...partial };
    const isStart = event.type === "start";
    if (isStart) {
      this.hasStarted = true;
      context.messages.push(partial);
    }
    this.#telling = asListenerError(() =>
      emit(
        isStart
          ? { type: "message_start", message }
          : { type: "message_update", message, assistantMessageEvent: event },
      ),
    );
    return this.#telling;
  }

  #failed(stopReason: "aborted" | "error", text: string): AssistantMessage {
    const message = failedMessage(this.#options.config, stopReason, text);
    return this.#partial ? { ...this.#partial, stopReason, errorMessage: text } : message;
  }
}

/** What a listener threw: it is no failure of the stream. */
class ListenerError extends Error {}

function asListenerError(emit: () => void | Promise<void>): void | Promise<void> {
  try {
    return emit()?.catch((cause: unknown) => {
      throw new ListenerError("", { cause });
    });
  } catch (cause) {
    throw new ListenerError("", { cause });
  }
}

/** A stream that ends without its final event must not hang the run, nor may an answer that is none get into it. */
async function finalMessage(result: Promise<AssistantMessage>, config: AgentLoopConfig): Promise<AssistantMessage> {
  const missing = Symbol("missing");
  const settled = await Promise.race([
    result,
    new Promise<typeof missing>((resolve) => setImmediate(() => resolve(missing))),
  ]);
  if (settled === missing) return failedMessage(config, "error", "The model stream ended without a final event");
  const fault = answerFault(settled);
  if (fault === undefined) {
    // Sums are made from it; an answer is worth more than its price.
    if (settled.usage === undefined || usageFault(settled.usage) !== undefined) {
      return { ...settled, usage: failedMessage(config, "error", "").usage };
    }
    return settled;
  }
  return failedMessage(config, "error", `Provider ${config.model.provider} gave no valid answer: ${fault}`);
}

/** An assistant message for a request that gave none. */
export function failedMessage(
  { model }: Pick<AgentLoopConfig, "model">,
  stopReason: "aborted" | "error",
  errorMessage: string,
  content: AssistantMessage["content"] = [],
): AssistantMessage {
  return {
    role: "assistant",
    content,
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason,
    errorMessage,
    timestamp: Date.now(),
  };
}
