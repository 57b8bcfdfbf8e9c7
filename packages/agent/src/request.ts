import type { AssistantMessage, TranscriptContext } from "@earendil-works/pi-ai";
import type { AgentContext, AgentEventSink, AgentLoopConfig, StreamFn } from "./types.js";

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
  const stream = await openStream(options);
  let started = false;
  for await (const event of stream) {
    switch (event.type) {
      case "start":
        started = true;
        context.messages.push(event.partial);
        await emit({ type: "message_start", message: { ...event.partial } });
        break;
      case "done":
      case "error":
        break;
      default: {
        // Only wait where there is something to wait for: this runs once per streamed token.
        const pending = emit({
          type: "message_update",
          message: { ...event.partial },
          assistantMessageEvent: event,
        });
        if (pending) await pending;
      }
    }
    if (event.type === "done" || event.type === "error") break;
  }
  const message = await finalMessage(stream.result(), config);
  message.thinkingLevel = config.reasoning ?? "off";
  if (started) {
    context.messages[context.messages.length - 1] = message;
  } else {
    context.messages.push(message);
    await emit({ type: "message_start", message });
  }
  await emit({ type: "message_end", message });
  return message;
}

async function openStream({ context, config, signal, streamFn }: RequestOptions) {
  const transformed = config.transformContext
    ? await config.transformContext(context.messages, signal)
    : context.messages;
  const messages = await config.convertToLlm(transformed);
  const apiKey = (await config.getApiKey?.(config.model.provider)) ?? config.apiKey;
  // The brand of a transcript is a compile-time mark only: prompt and tools already live in system messages here.
  const transcript = { messages } as TranscriptContext;
  return streamFn(config.model, transcript, { ...config, apiKey, signal });
}

/** A stream that ends without its final event must not hang the run. */
async function finalMessage(result: Promise<AssistantMessage>, config: AgentLoopConfig): Promise<AssistantMessage> {
  const missing = Symbol("missing");
  const settled = await Promise.race([
    result,
    new Promise<typeof missing>((resolve) => setImmediate(() => resolve(missing))),
  ]);
  if (settled !== missing) return settled;
  return failedMessage(config, "error", "The model stream ended without a final event");
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
