import { EventStream, type ToolResultMessage } from "@earendil-works/pi-ai";
import { unanswered, withinGrace } from "./abort-grace.js";
import { failedRunEvents } from "./failed-run.js";
import { requestAnswer } from "./request.js";
import { refuseTruncatedCalls, runToolBatch, toolCallsOf } from "./tool-batch.js";
import { declareTools } from "./tool-declarations.js";
import type {
  AgentContext,
  AgentEvent,
  AgentEventSink,
  AgentLoopConfig,
  AgentMessage,
  AgentRequestUpdate,
  AgentTurnContext,
  PrepareRequestContext,
  StreamFn,
} from "./types.js";

/**
 * Runs an agent from new prompts until it has nothing more to do. The result of the stream is all new messages.
 * A throwing hook ends the run with a failed assistant message.
 */
export function agentLoop(
  prompts: AgentMessage[],
  context: AgentContext,
  config: AgentLoopConfig,
  signal: AbortSignal | undefined,
  streamFn: StreamFn,
): EventStream<AgentEvent, AgentMessage[]> {
  return asStream(config, signal, (emit) => runAgentLoop(prompts, context, config, emit, signal, streamFn));
}

/**
 * Goes on from a transcript that ends with a user or tool result message.
 * @throws `Cannot continue: no messages in context`, `Cannot continue from message role: assistant`
 */
export function agentLoopContinue(
  context: AgentContext,
  config: AgentLoopConfig,
  signal: AbortSignal | undefined,
  streamFn: StreamFn,
): EventStream<AgentEvent, AgentMessage[]> {
  assertCanContinue(context);
  return asStream(config, signal, (emit) => runAgentLoopContinue(context, config, emit, signal, streamFn));
}

/** `agentLoop` with a sink the loop waits for. Rejects when a hook or the sink throws. Returns all new messages. */
export async function runAgentLoop(
  prompts: AgentMessage[],
  context: AgentContext,
  config: AgentLoopConfig,
  emit: AgentEventSink,
  signal: AbortSignal | undefined,
  streamFn: StreamFn,
): Promise<AgentMessage[]> {
  const run = new Run(context, config, emit, signal, streamFn);
  const declared = declareTools(run.context, prompts);
  await emit({ type: "agent_start" });
  await emit({ type: "turn_start" });
  await run.add(declared);
  return run.toEnd();
}

/** `agentLoopContinue` with a sink the loop waits for. */
export async function runAgentLoopContinue(
  context: AgentContext,
  config: AgentLoopConfig,
  emit: AgentEventSink,
  signal: AbortSignal | undefined,
  streamFn: StreamFn,
): Promise<AgentMessage[]> {
  assertCanContinue(context);
  const run = new Run(context, config, emit, signal, streamFn);
  await emit({ type: "agent_start" });
  await emit({ type: "turn_start" });
  return run.toEnd();
}

/** One run: its context grows, its model and thinking level may be replaced between requests. */
class Run {
  context: AgentContext;
  #config: AgentLoopConfig;
  readonly #newMessages: AgentMessage[] = [];
  readonly #emit: AgentEventSink;
  readonly #signal: AbortSignal | undefined;
  readonly #streamFn: StreamFn;
  /** A `continue` decision that no request has answered yet. */
  #owesRequest = false;

  constructor(
    context: AgentContext,
    config: AgentLoopConfig,
    emit: AgentEventSink,
    signal: AbortSignal | undefined,
    streamFn: StreamFn,
  ) {
    this.context = { ...context, messages: [...context.messages] };
    this.#config = { ...config };
    this.#emit = emit;
    this.#signal = signal;
    this.#streamFn = streamFn;
  }

  /** Appends messages with their events. */
  async add(messages: AgentMessage[]): Promise<void> {
    for (const message of messages) {
      await this.#emit({ type: "message_start", message });
      this.context.messages.push(message);
      this.#newMessages.push(message);
      await this.#emit({ type: "message_end", message });
    }
  }

  /** The turns, until no tool call, no queued message and no decision asks for another one. */
  async toEnd(): Promise<AgentMessage[]> {
    let pending = await this.#poll("getSteeringMessages");
    let lastTurn: AgentTurnContext | undefined;
    for (;;) {
      let wantsRequest = true;
      while (wantsRequest || pending.length > 0) {
        if (lastTurn) {
          const prepared = await this.#prepareNextTurn(lastTurn);
          if (pending.length === 0) pending = await this.#poll("getSteeringMessages");
          pending = [...prepared, ...pending];
          await this.#emit({ type: "turn_start" });
        }
        await this.add(declareTools(this.context, pending));
        pending = [];
        this.#owesRequest = false;
        const turn = await this.#turn();
        lastTurn = turn.context;
        if (turn.end) return this.#end();
        wantsRequest = turn.wantsRequest;
        pending = await this.#poll("getSteeringMessages");
      }
      pending = await this.#poll("getFollowUpMessages");
      if (pending.length === 0 && !this.#owesRequest) return this.#end();
    }
  }

  /** One request with its tool calls. */
  async #turn(): Promise<{ context: AgentTurnContext; wantsRequest: boolean; end: boolean }> {
    await this.#prepareRequest();
    const message = await requestAnswer({
      context: this.context,
      config: this.#config,
      signal: this.#signal,
      emit: this.#emit,
      streamFn: this.#streamFn,
    });
    this.#newMessages.push(message);
    const failed = message.stopReason === "error" || message.stopReason === "aborted";
    let toolResults: ToolResultMessage[] = [];
    let wantsRequest = false;
    if (!failed && toolCallsOf(message).length > 0) {
      if (message.stopReason === "length") {
        toolResults = await refuseTruncatedCalls(message, { emit: this.#emit });
        wantsRequest = true;
      } else {
        const batch = await runToolBatch(message, {
          context: this.context,
          signal: this.#signal,
          emit: this.#emit,
          toolExecution: this.#config.toolExecution ?? "parallel",
          beforeToolCall: this.#config.beforeToolCall,
          afterToolCall: this.#config.afterToolCall,
          onUnanswered: this.#config.onUnanswered,
        });
        toolResults = batch.messages;
        wantsRequest = !batch.terminate;
      }
      this.context.messages.push(...toolResults);
      this.#newMessages.push(...toolResults);
    }
    const turn = { message, toolResults, context: this.context, newMessages: this.#newMessages };
    const decision = await this.#ask("finishTurn", this.#config.finishTurn?.(turn, this.#signal));
    await this.#emit({ type: "turn_end", message, toolResults });
    if (decision?.action === "continue") this.#owesRequest = true;
    return { context: turn, wantsRequest, end: failed || decision?.action === "end" };
  }

  async #end(): Promise<AgentMessage[]> {
    await this.#emit({ type: "agent_end", messages: this.#newMessages });
    return this.#newMessages;
  }

  /** Queued messages survive an abort: nothing is taken from the queues once the signal has fired. */
  async #poll(queue: "getSteeringMessages" | "getFollowUpMessages"): Promise<AgentMessage[]> {
    if (this.#signal?.aborted) return [];
    return (await this.#config[queue]?.()) ?? [];
  }

  async #prepareNextTurn(turn: AgentTurnContext): Promise<AgentMessage[]> {
    if (this.#signal?.aborted) return [];
    const update = await this.#ask("prepareNextTurn", this.#config.prepareNextTurn?.(turn));
    if (!update) return [];
    this.#apply(update);
    return update.messages ?? [];
  }

  async #prepareRequest(): Promise<void> {
    if (this.#signal?.aborted) return;
    const request: PrepareRequestContext = {
      context: this.context,
      model: this.#config.model,
      thinkingLevel: this.#config.reasoning ?? "off",
    };
    const update = await this.#ask("prepareRequest", this.#config.prepareRequest?.(request, this.#signal));
    if (update) this.#apply(update);
  }

  /** A hook that holds an aborted run has nothing to say. */
  async #ask<T>(name: string, asked: T | Promise<T>): Promise<T | undefined> {
    const answer = await withinGrace<T>(asked, this.#signal);
    if (answer !== unanswered) return answer;
    this.#config.onUnanswered?.({ kind: "hook", name });
    return undefined;
  }

  #apply({ context, model, thinkingLevel }: AgentRequestUpdate): void {
    if (context) this.context = { ...context, messages: [...context.messages] };
    if (model) this.#config.model = model;
    if (thinkingLevel) this.#config.reasoning = thinkingLevel === "off" ? undefined : thinkingLevel;
  }
}

function assertCanContinue(context: AgentContext): void {
  const last = context.messages.at(-1);
  if (!last) throw new Error("Cannot continue: no messages in context");
  if (last.role === "assistant") throw new Error("Cannot continue from message role: assistant");
}

function asStream(
  config: AgentLoopConfig,
  signal: AbortSignal | undefined,
  run: (emit: AgentEventSink) => Promise<AgentMessage[]>,
): EventStream<AgentEvent, AgentMessage[]> {
  const stream = new EventStream<AgentEvent, AgentMessage[]>(
    (event) => event.type === "agent_end",
    (event) => (event.type === "agent_end" ? event.messages : []),
  );
  run((event) => stream.push(event)).catch((error: unknown) => {
    for (const event of failedRunEvents(config, error, signal?.aborted === true).events) stream.push(event);
  });
  return stream;
}
