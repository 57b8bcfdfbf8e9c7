import type { AgentMessage, QueueMode, ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { ImageContent, Model } from "@earendil-works/pi-ai";
import type { CompactionResult } from "../../core/compaction/types.js";
import type { BashResult } from "../../core/tools/user-command.js";
import { passOnStderr } from "../output.js";
import { ClientProcess } from "./client-process.js";
import { EventCollector } from "./event-collector.js";
import type {
  JsonAgentSessionEvent,
  RpcCommand,
  RpcCommandType,
  RpcExtensionUIResponse,
  RpcResponseData,
} from "./rpc-types.js";

export interface RpcClientOptions {
  /** The program. Default `dist/cli.js`. */
  cliPath?: string;
  cwd?: string;
  /** Added to the environment of this process. */
  env?: Record<string, string>;
  provider?: string;
  model?: string;
  /** Further arguments. */
  args?: string[];
}

export interface ModelInfo {
  provider: string;
  id: string;
  contextWindow: number;
  reasoning: boolean;
}

/** Hears everything that answers no pending command. */
export type RpcEventListener = (event: JsonAgentSessionEvent) => void;

/** How long a command may take, in ms. */
const COMMAND_TIMEOUT_MS = 30_000;
const RUN_TIMEOUT_MS = 60_000;
/** These last as long as what they do. */
const unlimited: ReadonlySet<RpcCommandType> = new Set([
  "bash",
  "compact",
  "abort",
  "new_session",
  "switch_session",
  "fork",
  "clone",
]);

interface Pending {
  resolve(data: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout | undefined;
}

type FieldsOf<Type extends RpcCommandType> = Omit<Extract<RpcCommand, { type: Type }>, "id" | "type">;

/**
 * Drives `pi --mode rpc` as a child process. A failed command rejects with its error; a child that ends rejects all that
 * is pending, and everything after it, with how it ended and what it said on stderr. Source: protocol.md section 8.
 */
export class RpcClient {
  readonly #options: RpcClientOptions;
  #process: ClientProcess | undefined;
  readonly #pending = new Map<string, Pending>();
  #listeners: RpcEventListener[] = [];
  readonly #collectors = new Set<EventCollector>();
  #lastId = 0;

  constructor(options: RpcClientOptions = {}) {
    this.#options = options;
  }

  /**
   * Starts the child.
   * @throws `Client already started`; when it ends at once, how it ended
   */
  async start(): Promise<void> {
    if (this.#process) throw new Error("Client already started");
    const { cliPath = "dist/cli.js", provider, model, args = [], cwd, env } = this.#options;
    const child = new ClientProcess({
      args: [
        cliPath,
        "--mode",
        "rpc",
        ...(provider ? ["--provider", provider] : []),
        ...(model ? ["--model", model] : []),
        ...args,
      ],
      cwd,
      env,
      onRecord: (record) => this.#onRecord(record),
      onEnd: (error) => this.#failAll(error),
    });
    this.#process = child;
    await child.started();
  }

  /** Ends the child: asks first, then forces. What is pending rejects with `Client stopped`. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (!child) return;
    this.#process = undefined;
    this.#failAll(new Error("Client stopped"));
    await child.stop();
  }

  /** Returns a function that ends it. */
  onEvent(listener: RpcEventListener): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  /** What the child has said on stderr. */
  getStderr(): string {
    return this.#process?.stderr ?? "";
  }

  async prompt(
    message: string,
    images?: ImageContent[],
    streamingBehavior?: "steer" | "followUp",
  ): Promise<"started" | "queued" | "handled"> {
    const data = await this.#send("prompt", { message, ...given({ images, streamingBehavior }) });
    return data?.disposition ?? "started";
  }

  async steer(message: string, images?: ImageContent[]): Promise<"handled" | "queued"> {
    return (await this.#send("steer", { message, ...given({ images }) }))?.disposition ?? "queued";
  }

  async followUp(message: string, images?: ImageContent[]): Promise<"handled" | "queued"> {
    return (await this.#send("follow_up", { message, ...given({ images }) }))?.disposition ?? "queued";
  }

  async abort(): Promise<void> {
    await this.#send("abort", {});
  }

  clearQueue(): Promise<{ steering: string[]; followUp: string[] }> {
    return this.#send("clear_queue", {});
  }

  newSession(parentSession?: string): Promise<{ cancelled: boolean }> {
    return this.#send("new_session", given({ parentSession }));
  }

  switchSession(sessionPath: string): Promise<{ cancelled: boolean }> {
    return this.#send("switch_session", { sessionPath });
  }

  clone(): Promise<{ cancelled: boolean }> {
    return this.#send("clone", {});
  }

  fork(entryId: string): Promise<{ text: string; cancelled: boolean }> {
    return this.#send("fork", { entryId });
  }

  getState(): Promise<RpcResponseData["get_state"]> {
    return this.#send("get_state", {});
  }

  async getMessages(): Promise<AgentMessage[]> {
    return (await this.#send("get_messages", {})).messages;
  }

  async getCommands(): Promise<RpcResponseData["get_commands"]["commands"]> {
    return (await this.#send("get_commands", {})).commands;
  }

  setModel(provider: string, modelId: string): Promise<Model> {
    return this.#send("set_model", { provider, modelId });
  }

  cycleModel(): Promise<RpcResponseData["cycle_model"]> {
    return this.#send("cycle_model", {});
  }

  async getAvailableModels(): Promise<ModelInfo[]> {
    return (await this.#send("get_available_models", {})).models;
  }

  async setThinkingLevel(level: ThinkingLevel): Promise<void> {
    await this.#send("set_thinking_level", { level });
  }

  cycleThinkingLevel(): Promise<{ level: ThinkingLevel } | null> {
    return this.#send("cycle_thinking_level", {});
  }

  async getAvailableThinkingLevels(): Promise<ThinkingLevel[]> {
    return (await this.#send("get_available_thinking_levels", {})).levels;
  }

  async setSteeringMode(mode: QueueMode): Promise<void> {
    await this.#send("set_steering_mode", { mode });
  }

  async setFollowUpMode(mode: QueueMode): Promise<void> {
    await this.#send("set_follow_up_mode", { mode });
  }

  compact(customInstructions?: string): Promise<CompactionResult> {
    return this.#send("compact", given({ customInstructions }));
  }

  async setAutoCompaction(enabled: boolean): Promise<void> {
    await this.#send("set_auto_compaction", { enabled });
  }

  async setAutoRetry(enabled: boolean): Promise<void> {
    await this.#send("set_auto_retry", { enabled });
  }

  async abortRetry(): Promise<void> {
    await this.#send("abort_retry", {});
  }

  bash(command: string, { excludeFromContext }: { excludeFromContext?: boolean } = {}): Promise<BashResult> {
    return this.#send("bash", { command, ...given({ excludeFromContext }) });
  }

  async abortBash(): Promise<void> {
    await this.#send("abort_bash", {});
  }

  getSessionStats(): Promise<RpcResponseData["get_session_stats"]> {
    return this.#send("get_session_stats", {});
  }

  exportHtml(outputPath?: string): Promise<{ path: string }> {
    return this.#send("export_html", given({ outputPath }));
  }

  async getForkMessages(): Promise<{ entryId: string; text: string }[]> {
    return (await this.#send("get_fork_messages", {})).messages;
  }

  getEntries(since?: string): Promise<RpcResponseData["get_entries"]> {
    return this.#send("get_entries", given({ since }));
  }

  getTree(): Promise<RpcResponseData["get_tree"]> {
    return this.#send("get_tree", {});
  }

  async getLastAssistantText(): Promise<string | null> {
    return (await this.#send("get_last_assistant_text", {})).text ?? null;
  }

  async setSessionName(name: string): Promise<void> {
    await this.#send("set_session_name", { name });
  }

  /** Answers a dialog of an extension. */
  sendExtensionUIResponse(response: RpcExtensionUIResponse): void {
    this.#running().write(response);
  }

  /** Resolves at the next `agent_settled`: call it while a run is active. */
  async waitForIdle(timeout = RUN_TIMEOUT_MS): Promise<void> {
    await this.#collect(timeout, "Timeout waiting for agent to become idle");
  }

  /** Everything up to and including the next `agent_settled`. */
  collectEvents(timeout = RUN_TIMEOUT_MS): Promise<JsonAgentSessionEvent[]> {
    return this.#collect(timeout, "Timeout collecting events");
  }

  /** Sends a prompt and collects everything until nothing follows. */
  async promptAndWait(
    message: string,
    images?: ImageContent[],
    timeout = RUN_TIMEOUT_MS,
  ): Promise<JsonAgentSessionEvent[]> {
    const collector = this.#collector(timeout, "Timeout collecting events");
    try {
      // A prompt that something else answered has no run to wait for.
      if ((await this.prompt(message, images)) === "handled") collector.finish();
    } catch (error) {
      collector.cancel();
      throw error;
    }
    return collector.events;
  }

  #collect(timeout: number, what: string): Promise<JsonAgentSessionEvent[]> {
    return this.#collector(timeout, what).events;
  }

  #collector(timeout: number, what: string): EventCollector {
    const child = this.#running();
    const collector = new EventCollector(timeout, () => new Error(`${what}. Stderr: ${child.stderr}`));
    this.#collectors.add(collector);
    const forget = () => this.#collectors.delete(collector);
    collector.events.then(forget, forget);
    return collector;
  }

  #send<Type extends RpcCommandType>(type: Type, fields: FieldsOf<Type>): Promise<RpcResponseData[Type]> {
    return new Promise((resolve, reject) => {
      const child = this.#running();
      const id = `req_${++this.#lastId}`;
      const expire = () => {
        this.#pending.delete(id);
        reject(new Error(`Timeout waiting for response to ${type}. Stderr: ${child.stderr}`));
      };
      const timer = unlimited.has(type) ? undefined : setTimeout(expire, COMMAND_TIMEOUT_MS);
      this.#pending.set(id, { resolve: resolve as (data: unknown) => void, reject, timer });
      child.write({ id, type, ...fields });
    });
  }

  /** @throws when there is no child, and how it ended when it has */
  #running(): ClientProcess {
    if (!this.#process) throw new Error("Client not started");
    this.#process.assertAlive();
    return this.#process;
  }

  #onRecord(record: Record<string, unknown>): void {
    const { id, type, success, data, error } = record;
    const pending = type === "response" && typeof id === "string" ? this.#pending.get(id) : undefined;
    if (!pending) {
      const event = record as unknown as JsonAgentSessionEvent;
      for (const collector of [...this.#collectors]) collector.push(event);
      for (const listener of this.#listeners) this.#tell(listener, event);
      return;
    }
    this.#pending.delete(id as string);
    clearTimeout(pending.timer);
    if (success === true) pending.resolve(data);
    else pending.reject(new Error(String(error)));
  }

  /** A listener that fails keeps nothing from the others, and does not end the host. */
  #tell(listener: RpcEventListener, event: JsonAgentSessionEvent): void {
    try {
      listener(event);
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      passOnStderr(`RpcClient: a listener failed at ${event.type}: ${reason}\n`);
    }
  }

  #failAll(error: Error): void {
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#pending.clear();
    for (const collector of [...this.#collectors]) collector.fail(error);
  }
}

/** Without the keys that have no value. */
function given<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}
