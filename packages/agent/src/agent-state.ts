import {
  createInitialSystemMessage,
  getCurrentSystemPrompt,
  type Model,
  toToolDeclaration,
} from "@earendil-works/pi-ai";
import type { AgentEvent, AgentInitialState, AgentMessage, AgentState, AgentTool, ThinkingLevel } from "./types.js";

/** Stands for "no model chosen yet"; a request with it fails with a clear error. */
const unknownModel: Model = {
  id: "unknown",
  name: "unknown",
  api: "unknown",
  provider: "unknown",
  baseUrl: "",
  reasoning: false,
  input: [],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 0,
  maxTokens: 0,
};

/** The state of an agent, kept up to date by the events of its runs. Assigning `tools` or `messages` copies the array. */
export class LiveAgentState implements AgentState {
  model: AgentState["model"];
  thinkingLevel: ThinkingLevel;
  isStreaming = false;
  streamingMessage: AgentMessage | undefined;
  pendingToolCalls: ReadonlySet<string> = new Set();
  errorMessage: string | undefined;
  #tools: AgentTool[];
  /** Undefined until they are first asked for: a long conversation need not be read to be opened. */
  #messages: AgentMessage[] | undefined;
  readonly #readMessages: () => AgentMessage[];

  constructor(initial: AgentInitialState = {}) {
    this.model = initial.model ?? unknownModel;
    this.thinkingLevel = initial.thinkingLevel ?? "off";
    this.#tools = [...(initial.tools ?? [])];
    const declarations = this.#tools.map((tool) => toToolDeclaration(tool));
    this.#readMessages = () => {
      const messages = [...(initial.messages ?? [])];
      if (messages[0]?.role === "system") return messages;
      const message = createInitialSystemMessage(initial.systemPrompt, declarations);
      return message ? [message, ...messages] : messages;
    };
  }

  get systemPrompt(): string {
    return getCurrentSystemPrompt(this.messages);
  }

  get tools(): AgentTool[] {
    return this.#tools;
  }

  set tools(tools: AgentTool[]) {
    this.#tools = [...tools];
  }

  get messages(): AgentMessage[] {
    this.#messages ??= this.#readMessages();
    return this.#messages;
  }

  set messages(messages: AgentMessage[]) {
    this.#messages = [...messages];
  }

  /** Takes an event in, before any listener sees it. */
  reduce(event: AgentEvent): void {
    switch (event.type) {
      case "message_start":
      case "message_update":
        if (event.message.role === "assistant") this.streamingMessage = event.message;
        return;
      case "message_end":
        this.streamingMessage = undefined;
        this.messages.push(event.message);
        return;
      case "tool_execution_start":
        this.pendingToolCalls = new Set([...this.pendingToolCalls, event.toolCallId]);
        return;
      case "tool_execution_end": {
        const pending = new Set(this.pendingToolCalls);
        pending.delete(event.toolCallId);
        this.pendingToolCalls = pending;
        return;
      }
      case "turn_end":
        if (event.message.role === "assistant" && event.message.errorMessage) {
          this.errorMessage = event.message.errorMessage;
        }
        return;
      case "agent_end":
        this.streamingMessage = undefined;
        return;
      case "agent_start":
      case "turn_start":
      case "tool_execution_update":
        return;
    }
  }
}
