import type { AssistantMessage, ToolResultMessage } from "@earendil-works/pi-ai";
import { executeToolCall, prepareToolCall, refuse } from "./tool-call.js";
import type {
  AgentContext,
  AgentEventSink,
  AgentToolCall,
  AgentToolCallOutcome,
  AgentToolResult,
  RunToolCallOptions,
  ToolCallHooks,
  ToolExecutionMode,
} from "./types.js";

export interface ToolBatchOptions extends ToolCallHooks {
  context: AgentContext;
  signal: AbortSignal | undefined;
  emit: AgentEventSink;
  toolExecution: ToolExecutionMode;
}

export interface ToolBatchResult {
  /** One per call, in the order of the calls. */
  messages: ToolResultMessage[];
  /** Every result asked for the end of the run. */
  terminate: boolean;
}

/**
 * Answers every tool call of a completed assistant message, exactly once each.
 *
 * Parallel: calls are checked one after another, then run together; ends come in completion order, result messages in
 * call order after the last end. Sequential (by option, or when any called tool asks for it): each call goes from start
 * to result message before the next begins. Source: agent-and-tools.md sections A5, A6.
 */
export async function runToolBatch(message: AssistantMessage, options: ToolBatchOptions): Promise<ToolBatchResult> {
  const calls = toolCallsOf(message);
  const sequential =
    options.toolExecution === "sequential" ||
    calls.some((call) => findTool(options.context, call)?.executionMode === "sequential");
  const outcomes = await (sequential ? runInSequence(message, calls, options) : runTogether(message, calls, options));
  return {
    messages: outcomes.messages,
    terminate: outcomes.list.length > 0 && outcomes.list.every((outcome) => outcome.result.terminate === true),
  };
}

/** Answers the calls of a message that was cut by the output limit: their arguments may be incomplete. */
export async function refuseTruncatedCalls(
  message: AssistantMessage,
  { emit }: Pick<ToolBatchOptions, "emit">,
): Promise<ToolResultMessage[]> {
  const messages: ToolResultMessage[] = [];
  for (const call of toolCallsOf(message)) {
    await emitStart(call, emit);
    const { outcome } = refuse(
      call,
      `Tool call "${call.name}" was not executed: the response hit the output token limit, so its arguments may be ` +
        "truncated. Re-issue the tool call with complete arguments.",
    );
    await emitEnd(outcome, emit);
    messages.push(await emitResult(outcome, emit));
  }
  return messages;
}

export function toolCallsOf(message: AssistantMessage): AgentToolCall[] {
  return message.content.filter((block) => block.type === "toolCall");
}

interface Outcomes {
  list: AgentToolCallOutcome[];
  messages: ToolResultMessage[];
}

async function runInSequence(
  message: AssistantMessage,
  calls: AgentToolCall[],
  options: ToolBatchOptions,
): Promise<Outcomes> {
  const list: AgentToolCallOutcome[] = [];
  const messages: ToolResultMessage[] = [];
  for (const call of calls) {
    await emitStart(call, options.emit);
    const updates = new UpdateEmitter(call, options.emit);
    const runOptions = runOptionsOf(message, options, updates);
    const prepared = await prepareToolCall(call, runOptions);
    const outcome = prepared.kind === "refused" ? prepared.outcome : await executeToolCall(call, prepared, runOptions);
    await updates.settled();
    await emitEnd(outcome, options.emit);
    messages.push(await emitResult(outcome, options.emit));
    list.push(outcome);
  }
  return { list, messages };
}

async function runTogether(
  message: AssistantMessage,
  calls: AgentToolCall[],
  options: ToolBatchOptions,
): Promise<Outcomes> {
  const list = new Array<AgentToolCallOutcome>(calls.length);
  const starts: (() => Promise<void>)[] = [];
  for (const [index, call] of calls.entries()) {
    await emitStart(call, options.emit);
    const updates = new UpdateEmitter(call, options.emit);
    const runOptions = runOptionsOf(message, options, updates);
    const prepared = await prepareToolCall(call, runOptions);
    if (prepared.kind === "refused") {
      list[index] = prepared.outcome;
      await emitEnd(prepared.outcome, options.emit);
      continue;
    }
    starts.push(async () => {
      const outcome = await executeToolCall(call, prepared, runOptions);
      list[index] = outcome;
      await updates.settled();
      await emitEnd(outcome, options.emit);
    });
  }
  // All must have ended before a failing listener may end the run: a tool is never left running behind its batch.
  const ends = await Promise.allSettled(starts.map((start) => start()));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
  const messages: ToolResultMessage[] = [];
  for (const outcome of list) messages.push(await emitResult(outcome, options.emit));
  return { list, messages };
}

function runOptionsOf(
  assistantMessage: AssistantMessage,
  { context, signal, beforeToolCall, afterToolCall, onUnanswered }: ToolBatchOptions,
  updates: UpdateEmitter,
): RunToolCallOptions {
  return {
    tools: context.tools ?? [],
    assistantMessage,
    context,
    signal,
    beforeToolCall,
    afterToolCall,
    onUnanswered,
    onUpdate: (partial) => updates.emit(partial),
  };
}

/** Emits the updates of one call in order; the end event waits for them. */
class UpdateEmitter {
  #pending: Promise<void> | undefined;
  readonly #call: AgentToolCall;
  readonly #emit: AgentEventSink;

  constructor(call: AgentToolCall, emit: AgentEventSink) {
    this.#call = call;
    this.#emit = emit;
  }

  emit(partialResult: AgentToolResult): void {
    const send = async () => {
      await this.#emit({
        type: "tool_execution_update",
        toolCallId: this.#call.id,
        toolName: this.#call.name,
        args: this.#call.arguments,
        partialResult,
      });
    };
    this.#pending = this.#pending ? this.#pending.then(send) : send();
    // A failing listener is reported by settled(); until then it must not count as unhandled.
    this.#pending.catch(() => {});
  }

  async settled(): Promise<void> {
    await this.#pending;
  }
}

function findTool(context: AgentContext, call: AgentToolCall) {
  return context.tools?.find((tool) => tool.name === call.name);
}

async function emitStart(call: AgentToolCall, emit: AgentEventSink): Promise<void> {
  await emit({ type: "tool_execution_start", toolCallId: call.id, toolName: call.name, args: call.arguments });
}

async function emitEnd(outcome: AgentToolCallOutcome, emit: AgentEventSink): Promise<void> {
  await emit({
    type: "tool_execution_end",
    toolCallId: outcome.toolCall.id,
    toolName: outcome.toolCall.name,
    result: outcome.result,
    isError: outcome.isError,
    ...(outcome.durationMs !== undefined && { durationMs: outcome.durationMs }),
  });
}

async function emitResult(outcome: AgentToolCallOutcome, emit: AgentEventSink): Promise<ToolResultMessage> {
  const { toolCall, result, isError, durationMs } = outcome;
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId: toolCall.id,
    toolName: toolCall.name,
    content: result.content,
    ...(result.details !== undefined && { details: result.details }),
    ...(result.usage !== undefined && { usage: result.usage }),
    isError,
    ...(durationMs !== undefined && { durationMs }),
    timestamp: Date.now(),
  };
  await emit({ type: "message_start", message });
  await emit({ type: "message_end", message });
  return message;
}
