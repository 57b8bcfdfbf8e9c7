import { validateToolArguments } from "@earendil-works/pi-ai";
import { unanswered, withinGrace } from "./abort-grace.js";
import { errorText } from "./error-text.js";
import { soundResult } from "./sound-result.js";
import type {
  AfterToolCallResult,
  AgentTool,
  AgentToolCall,
  AgentToolCallOutcome,
  AgentToolResult,
  RunToolCallOptions,
} from "./types.js";

/** A call that may run: steps 1-5 of the pipeline are behind it. */
interface PreparedCall {
  kind: "prepared";
  tool: AgentTool;
  args: unknown;
}

/** A call that was refused before it ran. */
interface RefusedCall {
  kind: "refused";
  outcome: AgentToolCallOutcome;
}

type ToolOutcome = Pick<AgentToolCallOutcome, "result" | "isError">;

const aborted = "Operation aborted";

/**
 * Runs one call through the whole pipeline, without events: lookup, argument repair, validation, `beforeToolCall`,
 * `execute`, `afterToolCall`. Never rejects: every failure is an error result. Source: agent-and-tools.md section A5.
 */
export async function runToolCall(toolCall: AgentToolCall, options: RunToolCallOptions): Promise<AgentToolCallOutcome> {
  const call = await prepareToolCall(toolCall, options);
  return call.kind === "refused" ? call.outcome : executeToolCall(toolCall, call, options);
}

/** Steps 1-5: everything that can refuse a call before it runs. */
export async function prepareToolCall(
  toolCall: AgentToolCall,
  { tools, assistantMessage, context, beforeToolCall, onUnanswered, signal }: RunToolCallOptions,
): Promise<PreparedCall | RefusedCall> {
  try {
    if (signal?.aborted) return refuse(toolCall, aborted);
    const tool = tools.find((candidate) => candidate.name === toolCall.name);
    if (!tool) return refuse(toolCall, `Tool ${toolCall.name} not found`);
    const raw = toolCall.arguments;
    const repaired = tool.prepareArguments && !toolCall.argumentsError ? tool.prepareArguments(raw) : raw;
    const args: unknown = validateToolArguments(tool, { ...toolCall, arguments: repaired });
    const asked = beforeToolCall?.({ assistantMessage, toolCall, args, context }, signal);
    const verdict = await withinGrace(asked, signal);
    if (verdict === unanswered) onUnanswered?.({ kind: "hook", name: "beforeToolCall" });
    if (verdict === unanswered || signal?.aborted) return refuse(toolCall, aborted);
    if (verdict?.block) {
      const call = refuse(toolCall, verdict.reason ?? "Tool execution was blocked");
      if (verdict.terminate) call.outcome.result.terminate = true;
      return call;
    }
    return { kind: "prepared", tool, args };
  } catch (error) {
    return refuse(toolCall, errorText(error));
  }
}

/** Steps 6-7: runs a prepared call and lets `afterToolCall` change the result. */
export async function executeToolCall(
  toolCall: AgentToolCall,
  { tool, args }: PreparedCall,
  { assistantMessage, context, afterToolCall, onUnanswered, signal, onUpdate }: RunToolCallOptions,
): Promise<AgentToolCallOutcome> {
  const startedAt = performance.now();
  let settled = false;
  let outcome: ToolOutcome;
  try {
    const executed = tool.execute(toolCall.id, args, signal, (partial) => {
      if (!settled) onUpdate?.(soundResult(tool.name, partial).result);
    });
    const returned = await withinGrace(executed, signal);
    if (returned === unanswered) {
      onUnanswered?.({ kind: "tool", name: tool.name });
      outcome = { result: errorResult(aborted), isError: true };
    } else {
      const { result, isMalformed } = soundResult(tool.name, returned);
      outcome = { result, isError: isMalformed || result.isError === true };
    }
  } catch (error) {
    outcome = thrownOutcome(tool, error);
  }
  settled = true;
  const durationMs = Math.round(performance.now() - startedAt);
  if (afterToolCall) {
    try {
      const answered = await withinGrace(
        afterToolCall({ assistantMessage, toolCall, args, context, ...outcome }, signal),
        signal,
      );
      if (answered === unanswered) onUnanswered?.({ kind: "hook", name: "afterToolCall" });
      const changes = answered === unanswered ? undefined : answered;
      // Also without changes: the hook had the result itself in its hands.
      const { result, isMalformed } = soundResult(
        tool.name,
        changes ? applyChanges(outcome.result, changes) : outcome.result,
      );
      outcome = { result, isError: isMalformed || (changes?.isError ?? outcome.isError) };
    } catch (error) {
      outcome = { result: errorResult(errorText(error)), isError: true };
    }
  }
  return { toolCall, ...outcome, durationMs };
}

function thrownOutcome(tool: AgentTool, error: unknown): ToolOutcome {
  return { result: soundResult(tool.name, errorResult(errorText(error), detailsOf(error))).result, isError: true };
}

/** An outcome for a call that never ran. */
export function refuse(toolCall: AgentToolCall, text: string): RefusedCall {
  return { kind: "refused", outcome: { toolCall, result: errorResult(text), isError: true } };
}

function applyChanges(result: AgentToolResult, changes: AfterToolCallResult): AgentToolResult {
  const next = { ...result };
  if (changes.content !== undefined) {
    next.content = changes.content;
    // The structured form described the old content.
    if (changes.structuredContent === undefined) delete next.structuredContent;
  }
  if (changes.details !== undefined) next.details = changes.details as AgentToolResult["details"];
  if (changes.structuredContent !== undefined) next.structuredContent = changes.structuredContent;
  if (changes.isError !== undefined) next.isError = changes.isError;
  if (changes.usage !== undefined) next.usage = changes.usage;
  if (changes.terminate !== undefined) next.terminate = changes.terminate;
  return next;
}

function errorResult(text: string, details: unknown = {}): AgentToolResult {
  return { content: [{ type: "text", text }], details: details as AgentToolResult["details"] };
}

/** A tool that rejects may still have something to show: it hangs it on the error. */
function detailsOf(error: unknown): unknown {
  try {
    return error instanceof Error && "details" in error && error.details !== undefined ? error.details : {};
  } catch {
    return {};
  }
}
