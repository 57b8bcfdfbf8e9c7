import { resolve } from "node:path";
import type { Agent, AgentMessage, AgentState, QueueMode, ThinkingLevel } from "@earendil-works/pi-agent-core";
import { cleanupSessionResources, type ImageContent, type Model } from "@earendil-works/pi-ai";
import { ActiveTools } from "./agent-session/active-tools.js";
import { AutoRetry } from "./agent-session/auto-retry.js";
import { ContextMeter, type ContextUsage } from "./agent-session/context-usage.js";
import { EntryIds } from "./agent-session/entry-ids.js";
import { expandInput } from "./agent-session/input-expansion.js";
import { MessageQueues } from "./agent-session/message-queues.js";
import { ModelControl, type ModelCycleResult, type PersistOptions } from "./agent-session/model-control.js";
import { PromptImages } from "./agent-session/prompt-images.js";
import { type PromptOptions, Runs } from "./agent-session/runs.js";
import { sessionAgent } from "./agent-session/session-agent.js";
import type { SessionCore } from "./agent-session/session-core.js";
import { type SessionStats, sessionStats } from "./agent-session/statistics.js";
import { Summaries } from "./agent-session/summaries.js";
import { forkablePrompts, lastAssistantText } from "./agent-session/transcript-texts.js";
import { type NavigateTreeOptions, type NavigateTreeResult, navigateTree } from "./agent-session/tree-navigation.js";
import { TurnEvents } from "./agent-session/turn-events.js";
import { type ExecuteBashOptions, UserBash } from "./agent-session/user-bash.js";
import type { AgentSessionEvent, AgentSessionEventListener } from "./agent-session-events.js";
import type { AgentSessionServices, PromptResources } from "./agent-session-services.js";
import type { CompactionResult } from "./compaction/types.js";
import type { ToolDefinition } from "./extensions/types.js";
import type { ScopedModel } from "./models/model-scope.js";
import type { SessionManager } from "./session-manager.js";
import type { ToolRegistry } from "./tool-registry.js";
import type { BashResult } from "./tools/user-command.js";

export interface AgentSessionOptions {
  services: AgentSessionServices;
  sessionManager: SessionManager;
  tools: ToolRegistry;
  model: Model | undefined;
  thinkingLevel: ThinkingLevel;
  scopedModels?: readonly ScopedModel[] | undefined;
}

/**
 * One conversation with its tools, model and file: where input, the agent loop and the session meet. A thin desk over
 * the duties in `agent-session/`.
 *
 * Every finished message is on disk before the next event. Listeners hear all events in order.
 */
export class AgentSession {
  readonly agent: Agent;
  readonly sessionManager: SessionManager;
  readonly #services: AgentSessionServices;
  readonly #listeners = new Set<AgentSessionEventListener>();
  readonly #entryIds: EntryIds;
  #isContextRead = false;
  readonly #models: ModelControl;
  readonly #tools: ActiveTools;
  readonly #queues: MessageQueues;
  readonly #retry: AutoRetry;
  readonly #meter: ContextMeter;
  readonly #summaries: Summaries;
  readonly #bash: UserBash;
  readonly #runs: Runs;

  constructor(options: AgentSessionOptions) {
    const { services, sessionManager, model } = options;
    this.#services = services;
    this.sessionManager = sessionManager;
    this.#entryIds = new EntryIds(sessionManager);
    this.agent = sessionAgent({
      ...options,
      onContextRead: () => {
        this.#isContextRead = true;
      },
    });
    const core = this.#core();
    const images = new PromptImages(services.settingsManager, () => this.model);
    this.#models = new ModelControl(core, options.scopedModels ?? [], model !== undefined);
    this.#tools = new ActiveTools(core, options.tools);
    this.#queues = new MessageQueues(this.agent, images, core.emit);
    this.#retry = new AutoRetry(core);
    this.#meter = new ContextMeter(sessionManager);
    this.#summaries = new Summaries(core, this.#meter);
    this.#bash = new UserBash(core, () => this.#runs.isBusy);
    this.#runs = new Runs(core, {
      queues: this.#queues,
      images,
      tools: this.#tools,
      retry: this.#retry,
      summaries: this.#summaries,
      bash: this.#bash,
      expand: (text) => expandInput(text, services.resources),
    });
    new TurnEvents(core, {
      entryIds: this.#entryIds,
      queues: this.#queues,
      tools: this.#tools,
      retry: this.#retry,
      summaries: this.#summaries,
      runs: this.#runs,
    });
  }

  // -- What it is made of ----------------------------------------------------------------------------------------------

  get settingsManager() {
    return this.#services.settingsManager;
  }

  get modelRuntime() {
    return this.#services.modelRuntime;
  }

  get state(): AgentState {
    return this.agent.state;
  }

  get messages(): AgentMessage[] {
    return this.agent.state.messages;
  }

  /** Whether `messages` have been taken from the session: opening one does not. */
  get isContextRead(): boolean {
    return this.#isContextRead;
  }

  /** As `messages.length`, without reading a long conversation for it. */
  get messageCount(): number {
    return this.#isContextRead ? this.messages.length : this.sessionManager.getContextMessageCount();
  }

  get systemPrompt(): string {
    return Object.values(this.#tools.promptSections()).join("\n\n");
  }

  get sessionId(): string {
    return this.sessionManager.getSessionId();
  }

  get sessionFile(): string | undefined {
    return this.sessionManager.getSessionFile();
  }

  get sessionName(): string | undefined {
    return this.sessionManager.getSessionName();
  }

  /** Hears every event from now on. Returns a function that ends that. */
  subscribe(listener: AgentSessionEventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Aborts, forgets all listeners, ends what providers keep open, and lets others write the session. */
  dispose(): void {
    void this.#runs.abort().finally(() => this.sessionManager.close());
    this.#bash.abort();
    this.#listeners.clear();
    cleanupSessionResources(this.sessionId);
  }

  // -- Prompts and runs ------------------------------------------------------------------------------------------------

  /** From the acceptance of a prompt until `agent_settled`. */
  get isStreaming(): boolean {
    return this.#runs.isBusy;
  }

  get isIdle(): boolean {
    return !this.#runs.isBusy && !this.#summaries.isActive;
  }

  /** @see Runs.prompt */
  prompt(text: string, options: PromptOptions = {}): Promise<void> {
    return this.#runs.prompt(text, options);
  }

  /** Queues a text for the next turn of the run, or of the next run. */
  async steer(text: string, images: readonly ImageContent[] = []): Promise<"handled" | "queued"> {
    this.#queues.add("steering", expandInput(text, this.#services.resources), images);
    return "queued";
  }

  /** Queues a text for when the agent would stop. */
  async followUp(text: string, images: readonly ImageContent[] = []): Promise<"handled" | "queued"> {
    this.#queues.add("followUp", expandInput(text, this.#services.resources), images);
    return "queued";
  }

  /** Empties both queues and returns their texts. */
  clearQueue(): { steering: string[]; followUp: string[] } {
    return this.#queues.clear();
  }

  getSteeringMessages(): string[] {
    return this.#queues.texts("steering");
  }

  getFollowUpMessages(): string[] {
    return this.#queues.texts("followUp");
  }

  get pendingMessageCount(): number {
    return this.#queues.length;
  }

  /** Aborts the run, a pause before a retry, a summary; waits until the session is idle and its results are stored. */
  abort(): Promise<void> {
    return this.#runs.abort();
  }

  waitForIdle(): Promise<void> {
    return this.#runs.waitForIdle();
  }

  /** Takes the messages from the session again, after it was changed from outside. */
  refreshContext(): void {
    this.agent.state.messages = this.sessionManager.buildSessionContext().messages;
  }

  get steeringMode(): QueueMode {
    return this.agent.steeringMode;
  }

  get followUpMode(): QueueMode {
    return this.agent.followUpMode;
  }

  /** Saved in the settings. */
  setSteeringMode(mode: QueueMode): void {
    this.agent.steeringMode = mode;
    this.settingsManager.setSteeringMode(mode);
  }

  /** Saved in the settings. */
  setFollowUpMode(mode: QueueMode): void {
    this.agent.followUpMode = mode;
    this.settingsManager.setFollowUpMode(mode);
  }

  // -- Retry -----------------------------------------------------------------------------------------------------------

  /** Number of the retry in progress; 0 = none. */
  get retryAttempt(): number {
    return this.#retry.attempt;
  }

  /** In the pause before a retry. */
  get isRetrying(): boolean {
    return this.#retry.isWaiting;
  }

  get autoRetryEnabled(): boolean {
    return this.settingsManager.getRetrySettings().enabled;
  }

  /** Saved in the settings. */
  setAutoRetryEnabled(enabled: boolean): void {
    this.settingsManager.setRetryEnabled(enabled);
  }

  /** Ends the pause before a retry; the run ends with it. */
  abortRetry(): void {
    this.#retry.cancel();
  }

  // -- Model and thinking ----------------------------------------------------------------------------------------------

  get model(): Model | undefined {
    return this.#models.model;
  }

  get thinkingLevel(): ThinkingLevel {
    return this.agent.state.thinkingLevel;
  }

  get scopedModels(): readonly ScopedModel[] {
    return this.#models.scope;
  }

  setScopedModels(models: readonly ScopedModel[]): void {
    this.#models.setScope(models);
  }

  /** @throws `No API key for <provider>/<id>` */
  setModel(model: Model, options?: PersistOptions): Promise<void> {
    return this.#models.set(model, options);
  }

  cycleModel(
    direction: "forward" | "backward" = "forward",
    options?: PersistOptions,
  ): Promise<ModelCycleResult | undefined> {
    return this.#models.cycle(direction, options);
  }

  /** Takes the nearest level the model has. */
  setThinkingLevel(level: ThinkingLevel, options?: PersistOptions): void {
    this.#models.setThinkingLevel(level, options);
  }

  cycleThinkingLevel(): ThinkingLevel | undefined {
    return this.#models.cycleThinkingLevel();
  }

  getAvailableThinkingLevels(): ThinkingLevel[] {
    return this.#models.availableThinkingLevels;
  }

  supportsThinking(): boolean {
    return this.#models.supportsThinking;
  }

  // -- Tools -----------------------------------------------------------------------------------------------------------

  getActiveToolNames(): string[] {
    return this.#tools.names;
  }

  getToolDefinition(name: string): ToolDefinition | undefined {
    return this.#tools.definition(name);
  }

  /** Kept tools keep their order, new ones follow; unknown names are ignored. The system prompt follows at once. */
  setActiveToolsByName(names: readonly string[]): void {
    this.#tools.activate(names);
  }

  // -- Compaction and the tree -----------------------------------------------------------------------------------------

  /** A summary of the conversation or of a branch is being made. */
  get isCompacting(): boolean {
    return this.#summaries.isActive;
  }

  get autoCompactionEnabled(): boolean {
    return this.settingsManager.getCompactionSettings(this.model).enabled;
  }

  /** Saved in the settings. */
  setAutoCompactionEnabled(enabled: boolean): void {
    this.settingsManager.setCompactionEnabled(enabled);
  }

  /**
   * Summarises the conversation; aborts a running turn first and does not go on with it.
   * @throws when there is nothing to compact, when it fails and when it is cancelled
   */
  compact(customInstructions?: string): Promise<CompactionResult> {
    this.#assertNoSummary("compaction");
    return this.#summaries.whileManual(async () => {
      await this.#runs.abortRun();
      return this.#summaries.compactByHand(customInstructions);
    });
  }

  abortCompaction(): void {
    this.#summaries.cancel();
  }

  abortBranchSummary(): void {
    this.#summaries.cancel();
  }

  /**
   * Goes to another place of the tree.
   * @throws while a run or a summary is active, for an unknown entry, and when a summary is wanted and fails
   */
  async navigateTree(targetId: string, options: NavigateTreeOptions = {}): Promise<NavigateTreeResult> {
    if (this.isStreaming) {
      throw new Error("Wait for the current response to finish before navigating the session tree.");
    }
    if (this.isCompacting) {
      throw new Error(
        "Wait for the current compaction or tree navigation to finish before navigating the session tree.",
      );
    }
    return this.#summaries.whileManual(() => navigateTree(this.#core(), this.#summaries, targetId, options));
  }

  /** @throws for a name without text */
  setSessionName(name: string): void {
    this.sessionManager.appendSessionInfo(name);
    this.#emit({ type: "session_info_changed", name: this.sessionName });
  }

  // -- Commands of the user --------------------------------------------------------------------------------------------

  get isBashRunning(): boolean {
    return this.#bash.isRunning;
  }

  get hasPendingBashMessages(): boolean {
    return this.#bash.hasHeldMessages;
  }

  /** Runs a command in the session's directory and records it for the model. */
  executeBash(command: string, onChunk?: (text: string) => void, options?: ExecuteBashOptions): Promise<BashResult> {
    return this.#bash.execute(command, onChunk, options);
  }

  /** Records a command that ran elsewhere. */
  recordBashResult(command: string, result: BashResult, options?: { excludeFromContext?: boolean }): void {
    this.#bash.record(command, result, options);
  }

  /** Ends every running command. */
  abortBash(): void {
    this.#bash.abort();
  }

  // -- Looking back ----------------------------------------------------------------------------------------------------

  getSessionStats(): SessionStats {
    return sessionStats(this.sessionManager, this.getContextUsage());
  }

  /** What the system prompt and the prompts of this session are made from. */
  get resources(): PromptResources {
    return this.#services.resources;
  }

  /** Undefined without a model, and for one whose window is not known. */
  getContextUsage(): ContextUsage | undefined {
    const window = this.model?.contextWindow ?? 0;
    return window > 0 ? this.#meter.usage(window) : undefined;
  }

  /** The text of the last assistant message, trimmed; ones that were cut short without text do not count. */
  getLastAssistantText(): string | undefined {
    return lastAssistantText(this.messages);
  }

  /** Prompts a fork can start from, in the order they were sent, of all branches. */
  getUserMessagesForForking(): { entryId: string; text: string }[] {
    return forkablePrompts(this.sessionManager.getEntries());
  }

  /**
   * Writes the whole session as one page, see `exportSessionToHtml`. Returns the path as given; default: the absolute
   * path of `pi-session-<session file base name>.html` in the process's directory.
   */
  async exportToHtml(path?: string, _options?: { themeName?: string }): Promise<string> {
    // A page's parts are large, and most sessions are never exported.
    const { exportSessionToHtml } = await import("./export-html/export-session.js");
    const written = exportSessionToHtml(this.sessionManager, {
      path,
      systemPrompt: this.systemPrompt,
      tools: this.getActiveToolNames().flatMap((name) => this.getToolDefinition(name) ?? []),
    });
    return path ?? resolve(written);
  }

  /** Writes the active branch as a session file, see `exportSessionJsonl`. */
  async exportToJsonl(path?: string): Promise<string> {
    const { exportSessionJsonl } = await import("./session-jsonl.js");
    return exportSessionJsonl(this.sessionManager, path);
  }

  // -- Inside ----------------------------------------------------------------------------------------------------------

  #core(): SessionCore {
    const session = this;
    return {
      agent: this.agent,
      sessionManager: this.sessionManager,
      services: this.#services,
      get model() {
        return session.model;
      },
      emit: (event) => this.#emit(event),
      entryIdOf: (message) => this.#entryIds.of(message),
    };
  }

  #assertNoSummary(what: string): void {
    if (this.#summaries.isManualActive) {
      throw new Error(`Wait for the current compaction or tree navigation to finish before another ${what}.`);
    }
  }

  #emit(event: AgentSessionEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}

export type { PromptOptions };
