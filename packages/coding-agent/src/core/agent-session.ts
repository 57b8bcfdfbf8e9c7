import {
  Agent,
  type AgentEvent,
  type AgentMessage,
  type AgentState,
  type AgentTool,
  type ThinkingLevel,
} from "@earendil-works/pi-agent-core";
import {
  type AssistantMessage,
  clampThinkingLevel,
  getCurrentSystemMessage,
  type ImageContent,
  type Model,
  type SystemMessage,
} from "@earendil-works/pi-ai";
import type { AgentSessionEvent, AgentSessionEventListener } from "./agent-session-events.js";
import type { AgentSessionServices } from "./agent-session-services.js";
import type { ExtensionToolContext } from "./extensions/types.js";
import type { FittedImage } from "./images/fit-image.js";
import { convertToLlm } from "./messages.js";
import { noModelText } from "./models/no-model-text.js";
import type { SessionManager } from "./session-manager.js";
import { buildSystemPromptSections } from "./system-prompt.js";
import type { ToolRegistry } from "./tool-registry.js";
import { wrapToolDefinition } from "./tools/tool-definition-wrapper.js";

export interface AgentSessionOptions {
  services: AgentSessionServices;
  sessionManager: SessionManager;
  tools: ToolRegistry;
  model: Model | undefined;
  thinkingLevel: ThinkingLevel;
}

export interface PromptOptions {
  images?: ImageContent[] | undefined;
}

/**
 * One conversation with its tools, model and file: where input, the agent loop and the session meet.
 *
 * Every finished message is on disk before the next event. Listeners hear all events in order.
 */
export class AgentSession {
  readonly agent: Agent;
  readonly sessionManager: SessionManager;
  readonly #services: AgentSessionServices;
  readonly #tools: ToolRegistry;
  readonly #listeners = new Set<AgentSessionEventListener>();
  #activeToolNames: string[];
  #hasModel: boolean;
  #abortRequested = false;
  /** From the call of `prompt` on, also before its run begins. */
  #isPrompting = false;

  constructor({ services, sessionManager, tools, model, thinkingLevel }: AgentSessionOptions) {
    this.#services = services;
    this.#tools = tools;
    this.#activeToolNames = tools.active;
    this.#hasModel = model !== undefined;
    this.sessionManager = sessionManager;
    this.agent = new Agent({
      initialState: {
        ...(model && { model }),
        thinkingLevel: model ? clampThinkingLevel(model, thinkingLevel) : "off",
        messages: sessionManager.buildSessionContext().messages,
      },
      sessionId: sessionManager.getSessionId(),
      convertToLlm,
      thinkingBudgets: services.settingsManager.getSettings().thinkingBudgets,
      transport: services.settingsManager.getSettings().transport,
      streamFn: (requested, context, options) =>
        services.modelRuntime.streamSimple(requested, context, { ...this.#requestOptions(), ...options }),
    });
    this.agent.state.tools = this.#agentTools();
    this.agent.subscribe((event) => this.#onAgentEvent(event));
  }

  get settingsManager() {
    return this.#services.settingsManager;
  }

  get modelRuntime() {
    return this.#services.modelRuntime;
  }

  get state(): AgentState {
    return this.agent.state;
  }

  get model(): Model | undefined {
    return this.#hasModel ? this.agent.state.model : undefined;
  }

  get thinkingLevel(): ThinkingLevel {
    return this.agent.state.thinkingLevel;
  }

  get messages(): AgentMessage[] {
    return this.agent.state.messages;
  }

  get isStreaming(): boolean {
    return this.#isPrompting || this.agent.state.isStreaming;
  }

  get systemPrompt(): string {
    return Object.values(this.#promptSections()).join("\n\n");
  }

  get sessionId(): string {
    return this.sessionManager.getSessionId();
  }

  get sessionFile(): string | undefined {
    return this.sessionManager.getSessionFile();
  }

  /** Hears every event from now on. Returns a function that ends that. */
  subscribe(listener: AgentSessionEventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  getActiveToolNames(): string[] {
    return [...this.#activeToolNames];
  }

  /** Kept tools keep their order, new ones follow; unknown names are ignored. The system prompt follows at once. */
  setActiveToolsByName(names: readonly string[]): void {
    const wanted = names.filter((name) => this.#tools.definitions.has(name));
    const kept = this.#activeToolNames.filter((name) => wanted.includes(name));
    this.#activeToolNames = [...new Set([...kept, ...wanted])];
    this.agent.state.tools = this.#agentTools();
  }

  /**
   * Sends a prompt and resolves when the whole run is over. What goes wrong in the run is the last message.
   * @throws when there is no model, no key for it, or a run is active
   */
  async prompt(text: string, { images = [] }: PromptOptions = {}): Promise<void> {
    if (this.#isPrompting) {
      throw new Error(
        "Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message.",
      );
    }
    this.#isPrompting = true;
    try {
      if (!this.model) throw new Error(noModelText);
      await this.modelRuntime.requireAuth(this.model);
      this.#abortRequested = false;
      const user = await this.#userMessage(text, images);
      const patch = this.#systemPatch();
      await this.agent.prompt(patch ? [patch, user] : [user]);
    } finally {
      this.#isPrompting = false;
    }
    this.#emit({ type: "agent_settled", aborted: this.#abortRequested });
  }

  /** Images are made to fit the model; what was done to them is said after the text. */
  async #userMessage(text: string, images: readonly ImageContent[]): Promise<AgentMessage> {
    const fitted = await Promise.all(images.map((image) => this.#fitImage(image)));
    const hints = fitted.flatMap((image) => image.hints);
    return {
      role: "user",
      content: [
        { type: "text", text: [text, ...(hints.length > 0 ? [hints.join("\n")] : [])].join("\n\n") },
        ...fitted.flatMap(({ image }) => image ?? []),
      ],
      timestamp: Date.now(),
    };
  }

  async #fitImage({ data, mimeType }: ImageContent): Promise<FittedImage> {
    const resize =
      this.settingsManager.getSettings().images?.autoResize === false
        ? false
        : (this.model?.inputLimits?.images?.resize ?? {});
    const { fitImage } = await import("./images/fit-image.js");
    return fitImage(Buffer.from(data, "base64"), mimeType, resize);
  }

  /** Aborts the run and waits until it has ended; its results are in the session then. */
  async abort(): Promise<void> {
    this.#abortRequested = true;
    this.agent.abort();
    await this.agent.waitForIdle();
  }

  waitForIdle(): Promise<void> {
    return this.agent.waitForIdle();
  }

  /** The text of the last assistant message. */
  getLastAssistantText(): string | undefined {
    const last = this.messages.findLast((message): message is AssistantMessage => message.role === "assistant");
    return last?.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  }

  /** Aborts and forgets all listeners. */
  dispose(): void {
    this.agent.abort();
    this.#listeners.clear();
  }

  #onAgentEvent(event: AgentEvent): void {
    this.#emit(event.type === "agent_end" ? { ...event, willRetry: false } : event);
    if (event.type === "message_end") this.#persist(event.message);
  }

  /** Roles with an entry kind of their own are stored where they arise. */
  #persist(message: AgentMessage): void {
    switch (message.role) {
      case "system":
      case "user":
      case "assistant":
      case "toolResult":
        this.sessionManager.appendMessage(message);
        return;
      case "custom":
        this.sessionManager.appendCustomMessageEntry(
          message.customType,
          message.content,
          message.display,
          message.details,
        );
        return;
      case "bashExecution":
      case "branchSummary":
      case "compactionSummary":
        return;
    }
  }

  #emit(event: AgentSessionEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** What changed in the system prompt since the transcript last declared it; undefined when nothing did. */
  #systemPatch(): SystemMessage | undefined {
    const declared = getCurrentSystemMessage(this.messages)?.sections ?? {};
    const wanted = this.#promptSections();
    const sections: Record<string, string | null> = {};
    for (const [name, value] of Object.entries(wanted)) if (declared[name] !== value) sections[name] = value;
    for (const [name, value] of Object.entries(declared)) {
      if (value !== null && wanted[name] === undefined) sections[name] = null;
    }
    if (Object.keys(sections).length === 0) return undefined;
    return { role: "system", content: "", sections, timestamp: Date.now() };
  }

  #promptSections(): Record<string, string> {
    const { cwd, resources } = this.#services;
    return buildSystemPromptSections({
      cwd,
      tools: this.#activeDefinitions(),
      customPrompt: resources.systemPrompt,
      appendSystemPrompt: resources.appendSystemPrompt,
      contextFiles: resources.contextFiles,
      docs: resources.docs,
    });
  }

  #activeDefinitions() {
    return this.#activeToolNames.flatMap((name) => this.#tools.definitions.get(name) ?? []);
  }

  #agentTools(): AgentTool[] {
    return this.#activeDefinitions().map((definition) => wrapToolDefinition(definition, () => this.#toolContext()));
  }

  /** Getters, so that a tool that runs for long sees the state of the moment. */
  #toolContext(): ExtensionToolContext {
    const session = this;
    return {
      get cwd() {
        return session.#services.cwd;
      },
      get model() {
        return session.model;
      },
      get thinkingLevel() {
        return session.thinkingLevel;
      },
      get sessionManager() {
        return session.sessionManager;
      },
      get tools() {
        return session.agent.state.tools;
      },
      executeTool() {
        return Promise.reject(new Error("Tools cannot call other tools in this release."));
      },
    };
  }

  #requestOptions() {
    const { settingsManager } = this.#services;
    const retry = settingsManager.getSettings().retry?.provider;
    const idleTimeoutMs = settingsManager.getHttpIdleTimeoutMs();
    return {
      timeoutMs: retry?.timeoutMs ?? idleTimeoutMs,
      idleTimeoutMs,
      maxRetries: retry?.maxRetries,
      maxRetryDelayMs: retry?.maxRetryDelayMs,
    };
  }
}
