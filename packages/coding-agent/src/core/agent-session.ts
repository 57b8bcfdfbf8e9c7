import type { Agent, AgentMessage, AgentState, QueueMode, ThinkingLevel } from "@earendil-works/pi-agent-core";
import { cleanupSessionResources, type ImageContent, type Model } from "@earendil-works/pi-ai";
import { type AgentSessionOptions, assembleDuties, type SessionDuties } from "./agent-session/assembly.js";
import type { ContextUsage } from "./agent-session/context-usage.js";
import type { ModelCycleResult, PersistOptions } from "./agent-session/model-control.js";
import { type ReloadOptions, reloadExtensions } from "./agent-session/reload.js";
import type { PromptOptions, QueueOptions } from "./agent-session/runs.js";
import { SessionRecord } from "./agent-session/session-record.js";
import { type NavigateTreeOptions, type NavigateTreeResult, navigateTree } from "./agent-session/tree-navigation.js";
import type { ExecuteBashOptions } from "./agent-session/user-bash.js";
import type { AgentSessionEvent, AgentSessionEventListener } from "./agent-session-events.js";
import type { AgentSessionServices, PromptResources } from "./agent-session-services.js";
import type { CompactionResult } from "./compaction/types.js";
import type { ExtensionRunner } from "./extensions/runner.js";
import type {
  CustomMessageInput,
  ExtensionBindings,
  ReplacedSessionContext,
  SendMessageOptions,
  SendUserMessageOptions,
  SessionShutdownEvent,
  SessionStartEvent,
  SlashCommandInfo,
  ToolDefinition,
  ToolInfo,
  UserMessageInput,
} from "./extensions/types.js";
import type { ScopedModel } from "./models/model-scope.js";
import type { ResourceLoader } from "./resource-loader.js";
import type { SessionManager } from "./session-manager.js";
import type { CacheWarmingMode } from "./settings/settings.js";
import type { BashResult, ChunkListener } from "./tools/user-command.js";

/**
 * One conversation with its tools, model and file: where input, the agent loop and the session meet. A thin desk over
 * the duties in `agent-session/`.
 *
 * Every finished message is on disk before the next event. Listeners hear all events in order.
 */
export class AgentSession extends SessionRecord {
  readonly agent: Agent;
  readonly sessionManager: SessionManager;
  readonly #services: AgentSessionServices;
  readonly #listeners = new Set<AgentSessionEventListener>();
  readonly #startEvent: SessionStartEvent;
  readonly #duties: SessionDuties;
  /** Called when `messages` have become others because another process added to the session. */
  onContextReplaced: (() => void) | undefined;

  constructor(options: AgentSessionOptions) {
    super();
    this.#services = options.services;
    this.sessionManager = options.sessionManager;
    this.#startEvent = options.sessionStartEvent ?? { type: "session_start", reason: "startup" };
    this.#duties = assembleDuties(options, this, (event) => this.#emit(event));
    this.agent = this.#duties.core.agent;
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
    return this.#duties.context.isRead;
  }

  /** As `messages.length`, without reading a long conversation for it. */
  get messageCount(): number {
    return this.#duties.context.isRead ? this.messages.length : this.sessionManager.getContextMessageCount();
  }

  get systemPrompt(): string {
    return Object.values(this.#duties.tools.promptSections()).join("\n\n");
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

  /**
   * Aborts, forgets all listeners, ends what providers keep open, and lets others write the session. What extensions
   * keep of it throws from now on.
   */
  dispose(): void {
    const { core, runs, bash } = this.#duties;
    core.end();
    core.extensions.invalidate();
    bash.abort();
    void Promise.allSettled([runs.abort(), bash.ended()]).then(() => this.sessionManager.close());
    this.#listeners.clear();
    cleanupSessionResources(this.sessionId);
  }

  // -- Prompts and runs ------------------------------------------------------------------------------------------------

  /** From the acceptance of a prompt until `agent_settled`. */
  get isStreaming(): boolean {
    return this.#duties.runs.isBusy || this.#duties.runs.isSettling;
  }

  get isIdle(): boolean {
    return !this.isStreaming && !this.#duties.summaries.isActive;
  }

  /** @see Runs.prompt */
  prompt(text: string, options: PromptOptions = {}): Promise<void> {
    return this.#duties.runs.prompt(text, options);
  }

  /** Queues a text for the next turn of the run, or of the next run. @throws for commands of extensions */
  steer(text: string, images: ImageContent[] = [], options: QueueOptions = {}): Promise<"handled" | "queued"> {
    return this.#duties.runs.queue("steer", text, images, options);
  }

  /** Queues a text for when the agent would stop. @throws for commands of extensions */
  followUp(text: string, images: ImageContent[] = [], options: QueueOptions = {}): Promise<"handled" | "queued"> {
    return this.#duties.runs.queue("followUp", text, images, options);
  }

  /** Empties both queues and returns their texts. */
  clearQueue(): { steering: string[]; followUp: string[] } {
    return this.#duties.queues.clear();
  }

  getSteeringMessages(): string[] {
    return this.#duties.queues.texts("steering");
  }

  getFollowUpMessages(): string[] {
    return this.#duties.queues.texts("followUp");
  }

  /** What was sent and no file holds yet, as it was typed. */
  getUnstoredPrompts(): string[] {
    return this.#duties.runs.unstoredPrompts();
  }

  get pendingMessageCount(): number {
    return this.#duties.queues.length;
  }

  /** Aborts the run, a pause before a retry, a summary; waits until the session is idle and its results are stored. */
  abort(): Promise<void> {
    return this.#duties.runs.abort();
  }

  /** Waits until nothing goes on any more and everybody has heard so. */
  waitForIdle(): Promise<void> {
    return this.#duties.runs.waitForIdle();
  }

  /** As `waitForIdle`, and for prompts of extensions that have not begun yet. */
  waitUntilQuiet(): Promise<void> {
    return this.#duties.runs.waitUntilQuiet();
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
    return this.#duties.retry.attempt;
  }

  /** In the pause before a retry. */
  get isRetrying(): boolean {
    return this.#duties.retry.isWaiting;
  }

  get autoRetryEnabled(): boolean {
    return this.settingsManager.getRetrySettings().enabled;
  }

  /** Saved in the settings. */
  setAutoRetryEnabled(enabled: boolean): void {
    this.settingsManager.setRetryEnabled(enabled);
  }

  /** Saved in the settings; nothing follows from it in this release. */
  setCacheWarmingMode(mode: CacheWarmingMode): void {
    this.settingsManager.setCacheWarmingMode(mode);
  }

  /** Ends the pause before a retry; the run ends with it. */
  abortRetry(): void {
    this.#duties.retry.cancel();
  }

  // -- Model and thinking ----------------------------------------------------------------------------------------------

  get model(): Model | undefined {
    return this.#duties.models.model;
  }

  get thinkingLevel(): ThinkingLevel {
    return this.agent.state.thinkingLevel;
  }

  get scopedModels(): readonly ScopedModel[] {
    return this.#duties.models.scope;
  }

  setScopedModels(models: readonly ScopedModel[]): void {
    this.#duties.models.setScope(models);
  }

  /** @throws `No API key for <provider>/<id>` */
  setModel(model: Model, options?: PersistOptions): Promise<void> {
    return this.#duties.models.set(model, options);
  }

  cycleModel(
    direction: "forward" | "backward" = "forward",
    options?: PersistOptions,
  ): Promise<ModelCycleResult | undefined> {
    return this.#duties.models.cycle(direction, options);
  }

  /** Takes the nearest level the model has. */
  setThinkingLevel(level: ThinkingLevel, options?: PersistOptions): void {
    this.#duties.models.setThinkingLevel(level, options);
  }

  cycleThinkingLevel(): ThinkingLevel | undefined {
    return this.#duties.models.cycleThinkingLevel();
  }

  getAvailableThinkingLevels(): ThinkingLevel[] {
    return this.#duties.models.availableThinkingLevels;
  }

  supportsThinking(): boolean {
    return this.#duties.models.supportsThinking;
  }

  // -- Tools -----------------------------------------------------------------------------------------------------------

  getActiveToolNames(): string[] {
    return this.#duties.tools.names;
  }

  getToolDefinition(name: string): ToolDefinition | undefined {
    return this.#duties.tools.definition(name);
  }

  /** Kept tools keep their order, new ones follow; unknown names are ignored. The system prompt follows at once. */
  setActiveToolsByName(names: readonly string[]): void {
    this.#duties.tools.activate(names);
  }

  // -- Compaction and the tree -----------------------------------------------------------------------------------------

  /** A summary of the conversation or of a branch is being made. */
  get isCompacting(): boolean {
    return this.#duties.summaries.isActive;
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
  async compact(customInstructions?: string): Promise<CompactionResult> {
    this.#assertNoSummary("compaction");
    this.#duties.core.claim();
    return this.#duties.summaries.whileManual(async () => {
      await this.#duties.runs.abortRun();
      return this.#duties.summaries.compactByHand(customInstructions);
    });
  }

  abortCompaction(): void {
    this.#duties.summaries.cancel();
  }

  abortBranchSummary(): void {
    this.#duties.summaries.cancel();
  }

  /**
   * Goes to another place of the tree.
   * @throws while a run or a summary is active, for an unknown entry, and when a summary is wanted and fails
   */
  async navigateTree(targetId: string, options: NavigateTreeOptions = {}): Promise<NavigateTreeResult> {
    this.#duties.core.assertOpen();
    if (this.isStreaming) {
      throw new Error("Wait for the current response to finish before navigating the session tree.");
    }
    if (this.isCompacting) {
      throw new Error(
        "Wait for the current compaction or tree navigation to finish before navigating the session tree.",
      );
    }
    return this.#duties.summaries.whileManual(() =>
      navigateTree(this.#duties.core, this.#duties.summaries, targetId, options),
    );
  }

  /** @throws for a name without text */
  setSessionName(name: string): void {
    this.#duties.core.claim();
    this.sessionManager.appendSessionInfo(name);
    this.#duties.core.extensions.tell<"session_info_changed">({ type: "session_info_changed", name: this.sessionName });
    this.#emit({ type: "session_info_changed", name: this.sessionName });
  }

  // -- Commands of the user --------------------------------------------------------------------------------------------

  get isBashRunning(): boolean {
    return this.#duties.bash.isRunning;
  }

  get hasPendingBashMessages(): boolean {
    return this.#duties.bash.hasHeldMessages;
  }

  /** Runs a command in the session's directory and records it for the model. What `onChunk` returns is waited for. */
  executeBash(command: string, onChunk?: ChunkListener, options?: ExecuteBashOptions): Promise<BashResult> {
    return this.#duties.bash.execute(command, onChunk, options);
  }

  /** Records a command that ran elsewhere. */
  recordBashResult(command: string, result: BashResult, options?: { excludeFromContext?: boolean }): void {
    this.#duties.bash.record(command, result, options);
  }

  /** Ends every running command. */
  abortBash(): void {
    this.#duties.bash.abort();
  }

  // -- Extensions ------------------------------------------------------------------------------------------------------

  /** Another one after a reload. */
  get extensionRunner(): ExtensionRunner {
    return this.#duties.core.extensions;
  }

  get resourceLoader(): ResourceLoader {
    return this.#services.resourceLoader;
  }

  /** Says who is there, and begins the session for its extensions. @throws SessionEndedError */
  async bindExtensions(bindings: ExtensionBindings = {}): Promise<void> {
    this.#duties.core.assertOpen();
    this.#duties.host.bind(bindings);
    await this.#duties.host.start(this.#startEvent);
  }

  /**
   * Reads settings, extensions and resources again, as for a new start; the conversation stays. What extensions keep
   * of before throws. Their load errors are told to whoever hears of errors; the others go on.
   * @throws while a response or a compaction is going on
   */
  async reload(options: ReloadOptions = {}): Promise<void> {
    this.#duties.core.assertOpen();
    if (this.isStreaming) throw new Error("Wait for the current response to finish before reloading.");
    if (this.isCompacting) throw new Error("Wait for compaction to finish before reloading.");
    await reloadExtensions(this.#duties, options);
  }

  /** Tells extensions that the session ends, and waits for them. */
  async endExtensions(event: SessionShutdownEvent): Promise<void> {
    await this.#duties.host.end(event);
  }

  hasExtensionHandlers(type: string): boolean {
    return this.#duties.core.extensions.hasHandlers(type);
  }

  /** Commands of extensions, templates and skills, in this order. */
  getCommands(): SlashCommandInfo[] {
    return this.#duties.host.commands();
  }

  /** All there are, active or not. */
  getAllTools(): ToolInfo[] {
    return this.#duties.tools.infos;
  }

  getCallableToolNames(): string[] {
    return this.#duties.tools.callable.map(({ name }) => name);
  }

  /** @see OutsideMessages.sendUser */
  sendUserMessage(content: UserMessageInput, options?: SendUserMessageOptions): Promise<void> {
    return this.#duties.messages.sendUser(content, options);
  }

  /** @see OutsideMessages.sendCustom */
  sendCustomMessage<T>(message: CustomMessageInput<T>, options?: SendMessageOptions): Promise<void> {
    return this.#duties.messages.sendCustom(message, options);
  }

  /** What commands go on with in the session that has taken the place of theirs. */
  createReplacedSessionContext(): ReplacedSessionContext {
    return this.#duties.host.replacedContext();
  }

  // -- Looking back ----------------------------------------------------------------------------------------------------

  /** What the system prompt and the prompts of this session are made from. */
  get resources(): PromptResources {
    return this.#services.resources;
  }

  /** Undefined without a model, and for one whose window is not known. */
  getContextUsage(): ContextUsage | undefined {
    const window = this.model?.contextWindow ?? 0;
    return window > 0 ? this.#duties.meter.usage(window) : undefined;
  }

  // -- Inside ----------------------------------------------------------------------------------------------------------

  #assertNoSummary(what: string): void {
    if (this.#duties.summaries.isManualActive) {
      throw new Error(`Wait for the current compaction or tree navigation to finish before another ${what}.`);
    }
  }

  #emit(event: AgentSessionEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}

export type { PromptOptions };
