import { constants } from "node:os";
import type { PromptDisposition } from "../../core/agent-session/runs.js";
import { PromptAbortedError } from "../../core/agent-session/session-ended.js";
import type { AgentSession } from "../../core/agent-session.js";
import type { AgentSessionRuntime } from "../../core/agent-session-runtime.js";
import { parseCommand } from "../../core/extensions/running/commands.js";
import type { ExtensionCommandContextActions } from "../../core/extensions/types.js";
import { killTrackedProcesses } from "../../core/process/tracked-processes.js";
import { fileWorkDone, releaseLocks } from "../../core/storage/at-end.js";
import { JsonEventWriter } from "../json-event.js";
import { type ProtocolOutput, takeOverStdout } from "../output.js";
import { reportSessionDiagnostics } from "../session-diagnostics.js";
import { catchStrayErrors } from "../stray-errors.js";
import { checkedCommand, isCommandType } from "./command-fields.js";
import { commandHandlers, JsonPieces } from "./command-handlers.js";
import { jsonText } from "./json-text.js";
import { RecordReader } from "./record-reader.js";
import type { RpcCommand, RpcCommandType, RpcFailure, RpcRecord } from "./rpc-types.js";
import { RpcUI } from "./rpc-ui.js";

/** How long commands that run when the input ends may go on by themselves, in ms. */
const bashGraceMs = 1500;

/** What a response says of its command. */
type Origin = { id?: unknown; command?: string };
type PromptCommand = Extract<RpcCommand, { type: "prompt" }>;

/** How long the end of the session may take, in ms. */
const disposeGraceMs = 5000;

/** Replace the session: what comes after them must meet the new one. */
const replacing: ReadonlySet<string> = new Set(["new_session", "switch_session", "fork", "clone"]);
/** Never held back: what a replacement waits for may need them. */
const urgent: ReadonlySet<string> = new Set(["abort", "abort_bash", "abort_retry"]);

/**
 * Lets another program drive the session: commands on stdin, responses and events on stdout, one JSON record per line.
 * Ends the process. Source: protocol.md.
 */
export function runRpcMode(
  runtime: AgentSessionRuntime,
  output: ProtocolOutput = takeOverStdout(killTrackedProcesses),
): Promise<never> {
  return new RpcServer(runtime, output).run();
}

class RpcServer {
  readonly #runtime: AgentSessionRuntime;
  readonly #output: ProtocolOutput;
  readonly #events = new JsonEventWriter();
  readonly #ui = new RpcUI(
    (request) => this.#send(request),
    () => this.#readerReady(),
  );
  /** What produces records waits for this: a client that does not read stalls it. */
  readonly #readerReady = () => (this.#isEnding ? undefined : this.#output.ready());
  #unsubscribe = () => {};
  /** Events are dropped once the end has begun. */
  #isEnding = false;
  /** All is done but for what the reader has not taken, and it had time. */
  #isLate = false;
  /** Commands without their response. */
  readonly #inFlight = new Map<Promise<void>, RpcCommandType>();
  /** A prompt is judged when the one before it has been; undefined while none is. */
  #judging: Promise<void> | undefined;
  /** Aborts so far: a prompt that came before one is not begun after it. */
  #aborts = 0;
  /** Settles when no replacement of the session is going on; undefined while there is none. */
  #replacement: Promise<void> | undefined;

  constructor(runtime: AgentSessionRuntime, output: ProtocolOutput) {
    this.#runtime = runtime;
    this.#output = output;
  }

  run(): Promise<never> {
    catchStrayErrors(this.#runtime, "rpc");
    // Handlers may ask the user at once: answers are read while commands still wait.
    void this.#hold(this.#bind(this.#runtime.session));
    this.#runtime.setRebindSession((session) => this.#bind(session));
    this.#handleSignals();
    const reader = new RecordReader((line) => this.#onLine(line));
    process.stdin.on("data", (chunk: Buffer) => reader.push(chunk));
    process.stdin.on("end", () => {
      reader.end();
      void this.#end(0, true);
    });
    process.stdin.on("error", () => void this.#end(0, true));
    return new Promise(() => {});
  }

  async #bind(session: AgentSession): Promise<void> {
    this.#unsubscribe();
    const stopEvents = session.subscribe((event) => {
      if (this.#isEnding) return;
      const isEcho = event.type === "bash_execution_update" && typeof event.id === "object";
      this.#output.write(isEcho ? `${jsonText(event)}\n` : this.#events.line(event));
    });
    const stopReporting = reportSessionDiagnostics(session);
    const stopWaiting = session.agent.subscribe(this.#readerReady);
    this.#unsubscribe = () => {
      stopEvents();
      stopReporting();
      stopWaiting();
    };
    await session.bindExtensions({
      mode: "rpc",
      uiContext: this.#ui.context,
      commandContextActions: this.#commandActions(),
      shutdownHandler: () => void this.#endWhenIdle(),
      onError: ({ extensionPath, event, error }) =>
        this.#send({ type: "extension_error", extensionPath, event, error }),
    });
  }

  /** As the runtime does it; commands of the client wait until a session that is replaced is there. */
  #commandActions(): ExtensionCommandContextActions {
    const actions = this.#runtime.commandContextActions();
    return {
      ...actions,
      newSession: (options) => this.#hold(actions.newSession(options)),
      fork: (entryId, options) => this.#hold(actions.fork(entryId, options)),
      switchSession: (path, options) => this.#hold(actions.switchSession(path, options)),
      reload: () => this.#hold(actions.reload()),
    };
  }

  #send(record: RpcRecord): void {
    if (!this.#isEnding) this.#output.write(`${JSON.stringify(record)}\n`);
  }

  #onLine(line: string): void {
    let record: unknown;
    try {
      record = JSON.parse(line);
    } catch (error) {
      this.#refuse({ command: "parse" }, `Failed to parse command: ${(error as Error).message}`);
      return;
    }
    if (typeof record !== "object" || record === null || Array.isArray(record)) {
      this.#refuse({ command: "parse" }, "Failed to parse command: expected a JSON object");
      return;
    }
    const fields = record as Record<string, unknown>;
    if (fields["type"] === "extension_ui_response") {
      this.#ui.respond(fields);
      return;
    }
    const { id, type } = fields;
    const given = typeof type === "string" ? type : jsonText(type);
    const origin = { ...("id" in fields && { id }), ...(type !== undefined && { command: given }) };
    if (!isCommandType(type)) {
      this.#refuse(origin, `Unknown command: ${given}`);
      return;
    }
    const answered = this.#dispatch(origin, type, fields);
    this.#inFlight.set(answered, type);
    void answered.then(() => this.#inFlight.delete(answered));
  }

  /** Never rejects. */
  async #dispatch(origin: Origin, type: RpcCommandType, record: Record<string, unknown>): Promise<void> {
    try {
      const command = checkedCommand(type, record);
      if (type === "abort") this.#aborts++;
      while (this.#replacement && !urgent.has(type)) await this.#replacement;
      if (command.type === "prompt") await this.#prompt(origin, command);
      else {
        const result = this.#execute(command);
        // Awaited only when there is something to wait for: what is known at once is answered at once.
        this.#respond(origin, result instanceof Promise ? await result : result);
      }
    } catch (error) {
      this.#refuse(origin, error instanceof Error ? error.message : String(error));
    }
  }

  #execute(command: Exclude<RpcCommand, { type: "prompt" }>): unknown {
    const handler = commandHandlers[command.type] as (
      runtime: AgentSessionRuntime,
      command: RpcCommand,
      readerReady: () => Promise<void> | undefined,
    ) => unknown;
    const work = () => handler(this.#runtime, command, this.#readerReady);
    return replacing.has(command.type) ? this.#hold((async () => work())()) : work();
  }

  /** Commands wait until the session is there that they shall meet. */
  #hold<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => {},
      () => {},
    );
    const held = this.#replacement ? Promise.all([this.#replacement, settled]).then(() => {}) : settled;
    this.#replacement = held;
    void held.then(() => {
      if (this.#replacement === held) this.#replacement = undefined;
    });
    return work;
  }

  /** Answered as soon as it is clear what becomes of it, and before the first event of its run. */
  async #prompt(origin: Origin, command: PromptCommand): Promise<void> {
    const { session } = this.#runtime;
    // Commands of extensions are no part of the conversation: they wait for nobody, and nobody for them.
    const named = parseCommand(command.message);
    if (named && session.extensionRunner.getCommand(named.name)) return this.#judge(session, origin, command);
    // At once when no other prompt is being judged: what comes in the next line finds this one begun.
    const judged = this.#judging
      ? this.#judgeAfter(this.#judging, session, origin, command)
      : this.#judge(session, origin, command);
    const settled = judged.catch(() => {});
    this.#judging = settled;
    await settled;
    if (this.#judging === settled) this.#judging = undefined;
    await judged;
  }

  /** In the session it was sent to: one that was replaced meanwhile refuses it. */
  async #judgeAfter(
    previous: Promise<void>,
    session: AgentSession,
    origin: Origin,
    command: PromptCommand,
  ): Promise<void> {
    const aborts = this.#aborts;
    await previous;
    // The session may be about to go: a run in it would end unheard.
    while (this.#replacement) await this.#replacement;
    if (this.#aborts !== aborts) throw new PromptAbortedError();
    await this.#judge(session, origin, command);
  }

  #judge(session: AgentSession, origin: Origin, { message, images, streamingBehavior }: PromptCommand): Promise<void> {
    return new Promise((resolve, reject) => {
      const preflightResult = (disposition: PromptDisposition) => {
        this.#respond(origin, { disposition });
        resolve();
      };
      const options = { images, streamingBehavior, preflightResult, source: "rpc" } as const;
      session.prompt(message, options).catch(reject);
    });
  }

  #respond(origin: Origin, data: unknown): void {
    const head = { ...origin, type: "response", success: true };
    if (!(data instanceof JsonPieces)) {
      this.#output.write(`${jsonText({ ...head, ...(data !== undefined && { data }) })}\n`);
      return;
    }
    this.#output.write(piecesOf(`${jsonText(head).slice(0, -1)},"data":`, data));
  }

  #refuse(origin: Origin, error: string): void {
    const response: RpcFailure = { ...origin, type: "response", success: false, error };
    this.#output.write(`${jsonText(response)}\n`);
  }

  /** SIGINT kills running commands and then this process by the same signal: clients send `abort` instead. */
  #handleSignals(): void {
    const signals: NodeJS.Signals[] = process.platform === "win32" ? ["SIGTERM"] : ["SIGTERM", "SIGHUP"];
    let seen = 0;
    for (const signal of signals) {
      const code = 128 + constants.signals[signal];
      process.on(signal, () => {
        // A second signal ends at once; one during an end that stdin began does not, unless only the reader keeps it.
        if (seen++ > 0 || this.#isLate) process.exit(code);
        killTrackedProcesses();
        void this.#end(code, signal !== "SIGTERM");
      });
    }
    const interrupt = () => {
      killTrackedProcesses();
      releaseLocks();
      process.removeListener("SIGINT", interrupt);
      process.kill(process.pid, "SIGINT");
    };
    process.on("SIGINT", interrupt);
  }

  /** An extension asked for the end: after the command or the run that is going on. */
  async #endWhenIdle(): Promise<void> {
    // The next tick: the command that asked for it is answered first, and so are the others.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#inFlight.size > 0 || !this.#runtime.session.isIdle) {
      await Promise.all(this.#inFlight.keys());
      await this.#runtime.session.waitForIdle();
    }
    await this.#end(0, true);
  }

  /** Resolves when the commands of this type that have come so far have their responses. */
  async #answered(wanted: RpcCommandType): Promise<void> {
    await Promise.all([...this.#inFlight].flatMap(([answered, type]) => (type === wanted ? [answered] : [])));
  }

  async #end(code: number, mustFlush: boolean): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    // Nobody will answer: who asked goes on with the default.
    this.#ui.close();
    if (code === 0) await this.#answered("export_html");
    // A tool that does not heed its signal must not keep the process.
    const grace = new Promise((resolve) => setTimeout(resolve, disposeGraceMs));
    const inOrder = async () => {
      await this.#judging;
      await this.#replacement;
      // Commands of extensions may wait for it.
      await this.#runtime.session.abort();
      await this.#answered("prompt");
      if (code === 0) await Promise.race([this.#answered("bash"), elapsed(bashGraceMs)]);
      await this.#runtime.dispose();
      // What was ended is answered too.
      await Promise.all(this.#inFlight.keys());
      await fileWorkDone();
    };
    await Promise.race([inOrder().catch(() => {}), grace]);
    // A slow reader gets all of it. Who was told to go by a signal does not wait for ever.
    grace.then(() => {
      this.#isLate = true;
    });
    if (mustFlush) await Promise.race([this.#output.drain(), ...(code === 0 ? [] : [grace])]);
    const isAllSaved = this.#runtime.session.sessionManager.getUnsavedEntries().length === 0;
    process.exit(isAllSaved ? code : code || 1);
  }
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function* piecesOf(head: string, pieces: Iterable<string | Uint8Array>): Generator<string | Uint8Array> {
  yield head;
  yield* pieces;
  yield "}\n";
}
