import { validateToolArguments } from "@earendil-works/pi-ai";
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
  { tools, assistantMessage, context, beforeToolCall, signal }: RunToolCallOptions,
): Promise<PreparedCall | RefusedCall> {
  try {
    if (signal?.aborted) return refuse(toolCall, aborted);
    const tool = tools.find((candidate) => candidate.name === toolCall.name);
    if (!tool) return refuse(toolCall, `Tool ${toolCall.name} not found`);
    const raw = toolCall.arguments;
    const repaired = tool.prepareArguments && !toolCall.argumentsError ? tool.prepareArguments(raw) : raw;
    const args: unknown = validateToolArguments(tool, { ...toolCall, arguments: repaired });
    const verdict = await beforeToolCall?.({ assistantMessage, toolCall, args, context }, signal);
    if (signal?.aborted) return refuse(toolCall, aborted);
    if (verdict?.block) {
      const call = refuse(toolCall, verdict.reason ?? "Tool execution was blocked");
      if (verdict.terminate) call.outcome.result.terminate = true;
      return call;
    }
    return { kind: "prepared", tool, args };
  } catch (error) {
    return refuse(toolCall, messageOf(error));
  }
}

/** Steps 6-7: runs a prepared call and lets `afterToolCall` change the result. */
export async function executeToolCall(
  toolCall: AgentToolCall,
  { tool, args }: PreparedCall,
  { assistantMessage, context, afterToolCall, signal, onUpdate }: RunToolCallOptions,
): Promise<AgentToolCallOutcome> {
  const startedAt = performance.now();
  let settled = false;
  let result: AgentToolResult;
  let isError: boolean;
  try {
    result = await tool.execute(toolCall.id, args, signal, (partial) => {
      if (!settled) onUpdate?.(partial);
    });
    result = { ...result, content: result?.content ?? [] };
    isError = result.isError === true;
  } catch (error) {
    result = errorResult(messageOf(error), detailsOf(error));
    isError = true;
  }
  settled = true;
  const durationMs = Math.round(performance.now() - startedAt);
  if (!afterToolCall) return { toolCall, result, isError, durationMs };
  try {
    const changes = await afterToolCall({ assistantMessage, toolCall, args, context, result, isError }, signal);
    if (changes) {
      result = applyChanges(result, changes);
      isError = changes.isError ?? isError;
    }
  } catch (error) {
    result = errorResult(messageOf(error));
    isError = true;
  }
  return { toolCall, result, isError, durationMs };
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A tool that rejects may still have something to show: it hangs it on the error. */
function detailsOf(error: unknown): unknown {
  return error instanceof Error && "details" in error && error.details !== undefined ? error.details : {};
}
