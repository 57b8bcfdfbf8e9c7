/** Where extensions have a say in a run. Nothing is hooked that nobody listens to. Source: extensions.md section 6. */
import type { AgentMessage, AgentToolResult, UnansweredWork } from "@earendil-works/pi-agent-core";
import type { ImageContent, ProviderHeaders } from "@earendil-works/pi-ai";
import type {
  CustomMessageInput,
  InputEventResult,
  InputSource,
  ToolCallEvent,
  ToolResultEvent,
  ToolResultEventResult,
} from "../extensions/types.js";
import type { CustomMessage } from "../messages.js";
import type { ActiveTools } from "./active-tools.js";
import type { PromptImages } from "./prompt-images.js";
import type { SessionCore } from "./session-core.js";

/** What starts a run. */
export type RunStart =
  | { messageType: "user"; prompt: string; images: ImageContent[] }
  | { messageType: "custom"; message: CustomMessage };

export class ExtensionHooks {
  readonly #core: SessionCore;
  readonly #tools: ActiveTools;
  readonly #images: PromptImages;
  /** What was told of. */
  readonly #unanswered = new Set<string>();

  constructor(core: SessionCore, tools: ActiveTools, images: PromptImages) {
    this.#core = core;
    this.#tools = tools;
    this.#images = images;
    const { agent } = core;
    agent.beforeToolCall = async ({ toolCall, args }) => this.beforeToolCall(toolCall.id, toolCall.name, args);
    agent.afterToolCall = async ({ toolCall, args, result, isError }) =>
      this.afterToolCall(toolCall.id, toolCall.name, args, result, isError);
    agent.onUnanswered = (work) => this.#tellUnanswered(work);
    agent.transformContext = async (messages) => this.#transformContext(messages);
    const stream = agent.streamFunction;
    agent.streamFunction = (model, context, options) => {
      const hooks = ["before_provider_headers", "before_provider_request", "after_provider_response"];
      const isHeard = [...hooks, "provider_stream_event"].some((name) => core.extensions.hasHandlers(name));
      if (!stream) throw new Error("The agent has nothing to stream with.");
      return stream(model, context, isHeard ? { ...options, ...this.#requestHooks(model) } : options);
    };
  }

  /** Names what held an aborted run, once. */
  #tellUnanswered({ kind, name }: UnansweredWork): void {
    const what = { tool: `The tool "${name}"`, provider: `The provider "${name}"`, hook: `The hook ${name}` }[kind];
    if (this.#unanswered.has(what)) return;
    this.#unanswered.add(what);
    const extensionPath = kind === "tool" ? this.#tools.ownerOf(name) : undefined;
    const error = `${what} did not end when the run was aborted. It is not waited for any more; what it still says is dropped.`;
    const { extensions } = this.#core;
    if (extensionPath === undefined) extensions.reportRuntime("abort", error);
    else extensions.report({ extensionPath, event: "abort", error });
  }

  /** What becomes of a text before it is expanded. */
  async input(
    text: string,
    images: ImageContent[] | undefined,
    source: InputSource,
    streamingBehavior: "steer" | "followUp" | undefined,
  ): Promise<InputEventResult> {
    const { extensions } = this.#core;
    const unchanged = { action: "continue" } as const;
    if (!extensions.hasHandlers("input")) return unchanged;
    const event = { type: "input", text, images, source, ...(streamingBehavior && { streamingBehavior }) } as const;
    return (await extensions.emit<"input">(event)) ?? unchanged;
  }

  /** Lets extensions make the prompt of this run. @returns messages that go along */
  async beforeAgentStart(start: RunStart): Promise<CustomMessage[]> {
    const { extensions } = this.#core;
    if (!extensions.hasHandlers("before_agent_start")) return [];
    const tools = this.#tools;
    const systemPromptOptions = tools.beginRunPrompt();
    const systemPrompt = () => Object.values(tools.promptSections()).join("\n\n");
    const common = {
      type: "before_agent_start",
      systemPromptOptions,
      get systemPrompt() {
        return systemPrompt();
      },
    } as const;
    const event = Object.defineProperties(
      start.messageType === "user"
        ? { ...start, type: "before_agent_start" }
        : { ...start, type: "before_agent_start" },
      Object.getOwnPropertyDescriptors(common),
    ) as typeof start & typeof common;
    const sum = await extensions.emit<"before_agent_start">(event);
    try {
      systemPrompt();
    } catch (error) {
      tools.endRunPrompt();
      extensions.reportRuntime("before_agent_start", error);
    }
    return (sum?.messages ?? []).map((message) => customMessage(message));
  }

  /** @returns why the call may not run; undefined when it may */
  async beforeToolCall(toolCallId: string, toolName: string, input: unknown, parentToolCallId?: string) {
    const { extensions } = this.#core;
    if (!extensions.hasHandlers("tool_call")) return undefined;
    const event = { type: "tool_call", toolCallId, toolName, input, ...(parentToolCallId && { parentToolCallId }) };
    return extensions.emit<"tool_call">(event as ToolCallEvent);
  }

  /** @returns what is other than the tool said; undefined when nothing is */
  async afterToolCall(
    toolCallId: string,
    toolName: string,
    input: unknown,
    result: AgentToolResult<unknown>,
    isError: boolean,
    parentToolCallId?: string,
  ): Promise<ToolResultEventResult | undefined> {
    const changes = await this.#toolResult(toolCallId, toolName, input, result, isError, parentToolCallId);
    const content = changes?.content ?? result.content;
    const fitted = await this.#images.result(content);
    if (fitted === content) return changes;
    // What the structured form describes is still the same.
    const { structuredContent } = changes?.content ? changes : { ...result, ...changes };
    return { ...changes, content: fitted, structuredContent };
  }

  async #toolResult(
    toolCallId: string,
    toolName: string,
    input: unknown,
    result: object,
    isError: boolean,
    parentToolCallId?: string,
  ): Promise<ToolResultEventResult | undefined> {
    const { extensions } = this.#core;
    if (!extensions.hasHandlers("tool_result")) return undefined;
    const event = {
      ...result,
      type: "tool_result",
      toolCallId,
      toolName,
      input,
      isError,
      ...(parentToolCallId && { parentToolCallId }),
    };
    return extensions.emit<"tool_result">(event as ToolResultEvent);
  }

  async #transformContext(messages: AgentMessage[]): Promise<AgentMessage[]> {
    const { extensions } = this.#core;
    let current = messages;
    if (extensions.hasHandlers("context")) {
      const copies = current.map((message) => structuredClone(message));
      const event = { type: "context" as const, messages: copies.filter(({ role }) => role !== "system") };
      await extensions.emit<"context">(event);
      current = withSystemMessages(event.messages, copies);
    }
    if (extensions.hasHandlers("context_with_system")) {
      const event = {
        type: "context_with_system" as const,
        messages: current.map((message) => structuredClone(message)),
      };
      await extensions.emit<"context_with_system">(event);
      if (current[0]?.role === "system" && event.messages[0]?.role !== "system") {
        extensions.reportRuntime("context_with_system", "The leading system message was dropped: no prompt, no tools.");
      }
      current = event.messages;
    }
    return current;
  }

  #requestHooks(model: { provider: string; api: string; id: string }) {
    const { extensions } = this.#core;
    return {
      transformHeaders: async (headers: ProviderHeaders) => {
        await extensions.emit<"before_provider_headers">({ type: "before_provider_headers", headers });
        return headers;
      },
      onPayload: async (payload: unknown) => {
        const event = { type: "before_provider_request" as const, payload };
        await extensions.emit<"before_provider_request">(event);
        return event.payload;
      },
      onResponse: async ({ status, headers }: { status: number; headers: Record<string, string> }) => {
        await extensions.emit<"after_provider_response">({ type: "after_provider_response", status, headers });
      },
      ...(extensions.hasHandlers("provider_stream_event") && {
        onProviderStreamEvent: async (data: unknown) => {
          const { provider, api, id } = model;
          await extensions.emit<"provider_stream_event">({
            type: "provider_stream_event",
            provider,
            api,
            model: id,
            data,
          });
        },
      }),
    };
  }
}

/** A message of an extension, complete. */
export function customMessage({ customType, content, display, details }: CustomMessageInput): CustomMessage {
  return {
    role: "custom",
    customType,
    // What a model is sent must be there.
    content: typeof content === "string" || Array.isArray(content) ? content : [],
    display: display !== false,
    ...(details !== undefined && { details }),
    timestamp: Date.now(),
  };
}

/** Puts prompts and declarations back: each after the message it came after, if that is still there. */
export function withSystemMessages(messages: readonly AgentMessage[], before: readonly AgentMessage[]): AgentMessage[] {
  const kept = new Set(messages);
  const after = new Map<AgentMessage | undefined, AgentMessage[]>();
  let anchor: AgentMessage | undefined;
  for (const message of before) {
    if (message.role === "system") after.set(anchor, [...(after.get(anchor) ?? []), message]);
    else if (kept.has(message)) anchor = message;
  }
  const isOwn = (message: AgentMessage) => message.role !== "system";
  return [
    ...(after.get(undefined) ?? []),
    ...messages.filter(isOwn).flatMap((message) => [message, ...(after.get(message) ?? [])]),
  ];
}
