import { setMaxListeners } from "node:events";
import {
  collapseSystemMessages,
  type ImageContent,
  type Message,
  type TranscriptContext,
  type UserMessage,
} from "@earendil-works/pi-ai";
import { runAgentLoop, runAgentLoopContinue } from "./agent-loop.js";
import { LiveAgentState } from "./agent-state.js";
import { resolveStreamFn } from "./default-stream-fn.js";
import { failedRunEvents } from "./failed-run.js";
import { MessageQueue } from "./message-queue.js";
import type {
  AgentContext,
  AgentEvent,
  AgentEventSink,
  AgentLoopConfig,
  AgentMessage,
  AgentOptions,
  AgentState,
  QueueMode,
  StreamFn,
} from "./types.js";

type Listener = (event: AgentEvent, signal: AbortSignal) => void | Promise<void>;

/** A run in progress. */
interface ActiveRun {
  controller: AbortController;
  /** Settles when the listeners of `agent_end` have. */
  idle: Promise<void>;
}

/**
 * One agent: a transcript, tools, two queues, and at most one run at a time.
 *
 * Runs never reject: a failure is an assistant message with `stopReason` `error` or `aborted`. Hooks are public
 * properties and are read when a run starts. Source: agent-and-tools.md section A3.
 */
export class Agent {
  readonly state: AgentState;
  streamFunction: StreamFn | undefined;
  convertToLlm: AgentLoopConfig["convertToLlm"];
  transformContext: AgentOptions["transformContext"];
  getApiKey: AgentOptions["getApiKey"];
  onPayload: AgentOptions["onPayload"];
  onResponse: AgentOptions["onResponse"];
  onProviderStreamEvent: AgentOptions["onProviderStreamEvent"];
  beforeToolCall: AgentOptions["beforeToolCall"];
  afterToolCall: AgentOptions["afterToolCall"];
  onUnanswered: AgentOptions["onUnanswered"];
  finishTurn: AgentOptions["finishTurn"];
  prepareRequest: AgentOptions["prepareRequest"];
  prepareNextTurn: AgentOptions["prepareNextTurn"];
  prepareNextTurnWithContext: AgentOptions["prepareNextTurnWithContext"];
  sessionId: AgentOptions["sessionId"];
  thinkingBudgets: AgentOptions["thinkingBudgets"];
  transport: AgentOptions["transport"];
  maxRetryDelayMs: AgentOptions["maxRetryDelayMs"];
  toolExecution: NonNullable<AgentOptions["toolExecution"]>;
  identity: AgentOptions["identity"];

  readonly #state: LiveAgentState;
  readonly #steering: MessageQueue;
  readonly #followUps: MessageQueue;
  readonly #listeners = new Set<Listener>();
  #run: ActiveRun | undefined;

  /** @param options may be left out at run time; `streamFn` is needed unless `setDefaultStreamFn` was called */
  constructor(options: AgentOptions = {} as AgentOptions) {
    this.#state = new LiveAgentState(options.initialState);
    this.state = this.#state;
    this.streamFunction = options.streamFn;
    this.convertToLlm = options.convertToLlm ?? keepModelMessages;
    this.transformContext = options.transformContext;
    this.getApiKey = options.getApiKey;
    this.onPayload = options.onPayload;
    this.onResponse = options.onResponse;
    this.onProviderStreamEvent = options.onProviderStreamEvent;
    this.beforeToolCall = options.beforeToolCall;
    this.afterToolCall = options.afterToolCall;
    this.onUnanswered = options.onUnanswered;
    this.finishTurn = options.finishTurn;
    this.prepareRequest = options.prepareRequest;
    this.prepareNextTurn = options.prepareNextTurn;
    this.prepareNextTurnWithContext = options.prepareNextTurnWithContext;
    this.sessionId = options.sessionId;
    this.thinkingBudgets = options.thinkingBudgets;
    this.transport = options.transport ?? "auto";
    this.maxRetryDelayMs = options.maxRetryDelayMs;
    this.toolExecution = options.toolExecution ?? "parallel";
    this.identity = options.identity;
    this.#steering = new MessageQueue(options.steeringMode ?? "one-at-a-time");
    this.#followUps = new MessageQueue(options.followUpMode ?? "one-at-a-time");
  }

  /** The signal of the current run. */
  get signal(): AbortSignal | undefined {
    return this.#run?.controller.signal;
  }

  get steeringMode(): QueueMode {
    return this.#steering.mode;
  }

  set steeringMode(mode: QueueMode) {
    this.#steering.mode = mode;
  }

  get followUpMode(): QueueMode {
    return this.#followUps.mode;
  }

  set followUpMode(mode: QueueMode) {
    this.#followUps.mode = mode;
  }

  /**
   * Adds a listener. Listeners are awaited one after another, in order, before the run goes on.
   * @returns a function that removes it
   */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Runs from a new prompt until the agent is idle.
   * @throws while a run is active
   */
  prompt(message: AgentMessage | AgentMessage[]): Promise<void>;
  prompt(text: string, images?: ImageContent[]): Promise<void>;
  async prompt(input: string | AgentMessage | AgentMessage[], images: ImageContent[] = []): Promise<void> {
    if (this.#run) {
      throw new Error(
        "Agent is already processing a prompt. Use steer() or followUp() to queue messages, or wait for completion.",
      );
    }
    await this.#start(promptMessages(input, images), false);
  }

  /**
   * Goes on from the transcript: with its last user or tool result message, or else with queued messages.
   * @throws while a run is active, and when there is nothing to go on from
   */
  async continue(): Promise<void> {
    if (this.#run) throw new Error("Agent is already processing. Wait for completion before continuing.");
    const last = this.#state.messages.at(-1);
    if (!this.#state.messages.some((message) => message.role !== "system")) {
      throw new Error("No messages to continue from");
    }
    if (last?.role !== "assistant") return this.#start(undefined, false);
    const steering = this.#steering.drain();
    if (steering.length > 0) return this.#start(steering, true);
    const followUps = this.#followUps.drain();
    if (followUps.length > 0) return this.#start(followUps, false);
    throw new Error("Cannot continue from message role: assistant");
  }

  /** Queues a message for the next turn of the current run. */
  steer(message: AgentMessage): void {
    this.#steering.add(message);
  }

  /** Queues a message for when the agent would stop. */
  followUp(message: AgentMessage): void {
    this.#followUps.add(message);
  }

  clearSteeringQueue(): void {
    this.#steering.clear();
  }

  clearFollowUpQueue(): void {
    this.#followUps.clear();
  }

  clearAllQueues(): void {
    this.clearSteeringQueue();
    this.clearFollowUpQueue();
  }

  hasQueuedMessages(): boolean {
    return !this.#steering.isEmpty || !this.#followUps.isEmpty;
  }

  /** What the next drain would take: steering first, else follow-up. */
  peekQueuedMessages(): AgentMessage[] {
    return this.#steering.isEmpty ? this.#followUps.peek() : this.#steering.peek();
  }

  /** Aborts the current run. Queued messages stay queued. */
  abort(): void {
    this.#run?.controller.abort();
  }

  /** Resolves once no run is active and the listeners of its `agent_end` are done. */
  async waitForIdle(): Promise<void> {
    await this.#run?.idle;
  }

  /**
   * Forgets the conversation and the queues; the current system prompt and tools stay declared.
   * @throws while a run is active
   */
  reset(): void {
    if (this.#run) throw new Error("Agent is already processing. Wait for completion before resetting.");
    const system = this.#state.messages.filter((message) => message.role === "system");
    this.#state.messages = collapseSystemMessages({ messages: system } as TranscriptContext).messages;
    this.#state.errorMessage = undefined;
    this.clearAllQueues();
  }

  /** @param prompts undefined = go on without a new message */
  async #start(prompts: AgentMessage[] | undefined, skipFirstSteering: boolean): Promise<void> {
    const controller = new AbortController();
    // Every tool call of a batch listens, and there may be more than the ten of which Node warns.
    setMaxListeners(0, controller.signal);
    let becomeIdle = () => {};
    const idle = new Promise<void>((resolve) => {
      becomeIdle = resolve;
    });
    this.#run = { controller, idle };
    this.#state.isStreaming = true;
    this.#state.errorMessage = undefined;
    const emit: AgentEventSink = (event) => this.#emit(event, controller.signal);
    try {
      const config = this.#config(skipFirstSteering, controller.signal);
      const context: AgentContext = { messages: this.#state.messages, tools: this.#state.tools };
      const streamFn = resolveStreamFn(this.streamFunction);
      await (prompts
        ? runAgentLoop(prompts, context, config, emit, controller.signal, streamFn)
        : runAgentLoopContinue(context, config, emit, controller.signal, streamFn));
    } catch (error) {
      await this.#reportFailure(error, controller.signal, emit);
    } finally {
      this.#state.isStreaming = false;
      this.#state.streamingMessage = undefined;
      this.#state.pendingToolCalls = new Set();
      this.#run = undefined;
      becomeIdle();
    }
  }

  /** A listener that fails again while it hears of a failure must not keep the others from hearing it. */
  async #reportFailure(error: unknown, signal: AbortSignal, emit: AgentEventSink): Promise<void> {
    for (const event of failedRunEvents(this.#state, error, signal.aborted).events) {
      try {
        await emit(event);
      } catch {
        // The first failure is the one that is reported.
      }
    }
  }

  /** Constant work per event while no listener has anything to wait for. */
  #emit(event: AgentEvent, signal: AbortSignal): void | Promise<void> {
    this.#state.reduce(event);
    const listeners = [...this.#listeners];
    for (let index = 0; index < listeners.length; index++) {
      const pending = listeners[index]?.(event, signal);
      if (pending) return this.#emitRest(pending, listeners.slice(index + 1), event, signal);
    }
  }

  async #emitRest(pending: Promise<void>, rest: Listener[], event: AgentEvent, signal: AbortSignal): Promise<void> {
    await pending;
    for (const listener of rest) await listener(event, signal);
  }

  #config(skipFirstSteering: boolean, signal: AbortSignal): AgentLoopConfig {
    let skipSteering = skipFirstSteering;
    const { prepareNextTurn, prepareNextTurnWithContext } = this;
    return {
      model: this.#state.model,
      reasoning: this.#state.thinkingLevel === "off" ? undefined : this.#state.thinkingLevel,
      convertToLlm: this.convertToLlm,
      transformContext: this.transformContext,
      getApiKey: this.getApiKey,
      onPayload: this.onPayload,
      onResponse: this.onResponse,
      onProviderStreamEvent: this.onProviderStreamEvent,
      beforeToolCall: this.beforeToolCall,
      afterToolCall: this.afterToolCall,
      onUnanswered: this.onUnanswered,
      finishTurn: this.finishTurn,
      prepareRequest: this.prepareRequest,
      prepareNextTurn: prepareNextTurnWithContext
        ? (turn) => prepareNextTurnWithContext(turn, signal)
        : prepareNextTurn && (() => prepareNextTurn(signal)),
      sessionId: this.sessionId,
      thinkingBudgets: this.thinkingBudgets,
      transport: this.transport,
      maxRetryDelayMs: this.maxRetryDelayMs,
      toolExecution: this.toolExecution,
      identity: this.identity,
      getSteeringMessages: async () => {
        if (skipSteering) {
          skipSteering = false;
          return [];
        }
        return this.#steering.drain();
      },
      getFollowUpMessages: async () => this.#followUps.drain(),
    };
  }
}

function promptMessages(input: string | AgentMessage | AgentMessage[], images: ImageContent[]): AgentMessage[] {
  if (typeof input !== "string") return Array.isArray(input) ? input : [input];
  const message: UserMessage = {
    role: "user",
    content: [{ type: "text", text: input }, ...images],
    timestamp: Date.now(),
  };
  return [message];
}

const modelRoles = new Set(["system", "user", "assistant", "toolResult"]);

function keepModelMessages(messages: AgentMessage[]): Message[] {
  return messages.filter((message) => modelRoles.has(message.role)) as Message[];
}
