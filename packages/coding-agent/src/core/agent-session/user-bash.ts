import type { BashExecutionMessage } from "../messages.js";
import { type BashOperations, createLocalBashOperations } from "../process/local-bash-operations.js";
import { unlessUnsaved } from "../session-store/session-errors.js";
import type { BashResult, ChunkListener } from "../tools/user-command.js";
import type { SessionCore } from "./session-core.js";

export interface ExecuteBashOptions {
  /** Kept and shown, but never sent to the model. Default false. */
  excludeFromContext?: boolean | undefined;
  /** Given back in `bash_execution_update` as it is. */
  id?: unknown;
  /** Default: a shell on this machine. */
  operations?: BashOperations | undefined;
}

/** Commands the user runs. Several may run at once, also beside a run of the agent. Source: protocol.md section 3.4. */
export class UserBash {
  readonly #core: SessionCore;
  readonly #isRunActive: () => boolean;
  readonly #running = new Map<AbortController, Promise<unknown>>();
  /** Messages of commands that ended during a run: the transcript takes them when it has ended. */
  #held: BashExecutionMessage[] = [];

  constructor(core: SessionCore, isRunActive: () => boolean) {
    this.#core = core;
    this.#isRunActive = isRunActive;
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  get hasHeldMessages(): boolean {
    return this.#held.length > 0;
  }

  /**
   * Runs a command in the session's directory and records it. A failing command is a result, and so is a cancelled one.
   * Extensions may say where it runs, or what came of it.
   * @throws when the shell cannot be started, and when the session cannot be written or an extension that was asked fails:
   *   it does not run then
   */
  async execute(
    command: string,
    onChunk: ChunkListener | undefined,
    options: ExecuteBashOptions = {},
  ): Promise<BashResult> {
    this.#core.claim();
    // From here on it can be ended, also while extensions are asked.
    const abort = new AbortController();
    const work = this.#runAndRecord(command, onChunk, options, abort.signal);
    this.#running.set(abort, work);
    try {
      return await work;
    } finally {
      this.#running.delete(abort);
    }
  }

  async #runAndRecord(
    command: string,
    onChunk: ChunkListener | undefined,
    options: ExecuteBashOptions,
    signal: AbortSignal,
  ): Promise<BashResult> {
    const result = await this.#run(command, onChunk, options, signal);
    this.record(command, result, options);
    return result;
  }

  async #run(
    command: string,
    onChunk: ChunkListener | undefined,
    options: ExecuteBashOptions,
    signal: AbortSignal,
  ): Promise<BashResult> {
    const { services } = this.#core;
    const asked = options.operations ? undefined : await this.#ask(command, options);
    if (asked?.result) return asked.result;
    const { shellPath, shellCommandPrefix } = services.settingsManager.getSettings();
    const { runUserCommand } = await import("../tools/user-command.js");
    return runUserCommand(command, {
      cwd: services.cwd,
      operations: options.operations ?? asked?.operations ?? createLocalBashOperations({ shellPath }),
      commandPrefix: shellCommandPrefix,
      signal,
      onChunk: (delta) => {
        this.#core.emit({
          type: "bash_execution_update",
          ...(options.id !== undefined && { id: options.id }),
          delta,
        });
        return onChunk?.(delta);
      },
    });
  }

  async #ask(command: string, { excludeFromContext = false }: ExecuteBashOptions) {
    const { extensions, services } = this.#core;
    if (!extensions.hasHandlers("user_bash")) return undefined;
    const answer = await extensions.emit<"user_bash">({
      type: "user_bash",
      command,
      excludeFromContext,
      cwd: services.cwd,
    });
    if (answer && "failure" in answer) throw new Error(answer.failure);
    return answer;
  }

  /** Puts a command that has ended into the transcript: at once, or when the current run has ended. */
  record(
    command: string,
    result: BashResult,
    { excludeFromContext }: { excludeFromContext?: boolean | undefined } = {},
  ) {
    const { output, exitCode, cancelled, truncated, fullOutputPath } = result;
    this.#held.push({
      role: "bashExecution",
      command,
      output,
      exitCode,
      cancelled,
      truncated,
      ...(fullOutputPath !== undefined && { fullOutputPath }),
      timestamp: Date.now(),
      ...(excludeFromContext && { excludeFromContext }),
    });
    if (!this.#isRunActive()) this.flush();
  }

  /** Ends every running command. */
  abort(): void {
    for (const running of this.#running.keys()) running.abort();
  }

  /** Resolves when none runs any more. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Puts held messages into the transcript. */
  flush(): void {
    if (this.#held.length === 0) return;
    // Read before anything is appended: a session that was only opened so far would come with it already.
    const { messages } = this.#core.agent.state;
    for (const message of this.#held.splice(0)) {
      unlessUnsaved(() => this.#core.sessionManager.appendMessage(message));
      messages.push(message);
    }
  }
}
