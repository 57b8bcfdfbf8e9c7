import { type AgentToolCallOutcome, type AgentToolResult, runToolCall } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, ToolResultMessage } from "@earendil-works/pi-ai";
import type { ExecuteToolOptions } from "../extensions/types.js";
import type { ActiveTools } from "./active-tools.js";
import type { ExtensionHooks } from "./extension-hooks.js";
import { NestedCalls } from "./nested-calls.js";
import type { SessionCore } from "./session-core.js";

/** Tools that call tools: through validation and all hooks, with events, but without an entry of their own. */
export class NestedTools {
  readonly #core: SessionCore;
  readonly #tools: ActiveTools;
  readonly #hooks: ExtensionHooks;
  /** Calls so far, by the call that made them. */
  readonly #counts = new Map<string, number>();
  readonly #calls = new NestedCalls();

  constructor(core: SessionCore, tools: ActiveTools, hooks: ExtensionHooks) {
    this.#core = core;
    this.#tools = tools;
    this.#hooks = hooks;
  }

  /** Failures are outcomes. @throws while no answer of the model is there to belong to */
  async execute(
    name: string,
    args: unknown,
    { signal, onUpdate }: ExecuteToolOptions,
    parentToolCallId: string,
  ): Promise<AgentToolCallOutcome> {
    const { agent } = this.#core;
    const { messages } = agent.state;
    const assistantMessage = messages.findLast((message): message is AssistantMessage => message.role === "assistant");
    if (!assistantMessage) throw new Error("A tool can call tools during a run only.");
    const number = (this.#counts.get(parentToolCallId) ?? 0) + 1;
    this.#counts.set(parentToolCallId, number);
    const id = `${parentToolCallId}/${number}`;
    const call = { toolCallId: id, toolName: name, parentToolCallId };
    const toolCall = { type: "toolCall" as const, id, name, arguments: (args ?? {}) as Record<string, unknown> };
    const ended = this.#calls.begin(id, parentToolCallId, name, toolCall.arguments);
    await this.#tell({ type: "tool_execution_start", ...call, args: toolCall.arguments });
    const outcome = await runToolCall(toolCall, {
      tools: this.#tools.callable,
      assistantMessage,
      context: { messages, tools: agent.state.tools },
      signal,
      beforeToolCall: ({ args: input }) => this.#hooks.beforeToolCall(id, name, input, parentToolCallId),
      afterToolCall: ({ args: input, result, isError }) =>
        this.#hooks.afterToolCall(id, name, input, result, isError, parentToolCallId),
      onUnanswered: agent.onUnanswered,
      onUpdate: (partialResult) => {
        onUpdate?.(partialResult);
        void this.#tell({ type: "tool_execution_update", ...call, args: toolCall.arguments, partialResult });
      },
    });
    const { result, isError, durationMs } = outcome;
    ended({ isError, durationMs, text: textOf(result), usage: result.usage });
    await this.#tell({
      type: "tool_execution_end",
      ...call,
      result,
      isError,
      ...(durationMs !== undefined && { durationMs }),
    });
    return outcome;
  }

  /** Puts what its tool called into a result. */
  addTo(message: ToolResultMessage): void {
    this.#calls.addTo(message);
  }

  /** A run begins: calls of the one before belong to nothing any more. */
  clear(): void {
    this.#counts.clear();
    this.#calls.clear();
  }

  async #tell(event: Parameters<SessionCore["emit"]>[0] & { type: `tool_execution_${string}` }): Promise<void> {
    const { extensions } = this.#core;
    if (extensions.hasHandlers(event.type)) await extensions.emit(event as never);
    this.#core.emit(event);
  }
}

function textOf({ content }: AgentToolResult<unknown>): string {
  return content.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
}
