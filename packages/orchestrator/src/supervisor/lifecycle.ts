import { existsSync, mkdirSync } from "node:fs";
import type { AgentExit } from "../holder/protocol.js";
import { removeDeadSocket } from "../ipc/socket.js";
import { holderSocket, instancePaths } from "../paths.js";
import { untilGone } from "../process/identity.js";
import { markOf } from "../process/tree.js";
import { AgentUnreachableError, endText, RpcProcess } from "../rpc-process.js";
import { lastLines } from "../storage/last-lines.js";
import { isFolder } from "../storage/state-folder.js";
import type { HolderRecord, InstanceRecord } from "../types.js";
import type { SupervisorContext } from "./context.js";
import { attachWithinMs } from "./holder-pool.js";
import type { HeldState, Instance } from "./instance.js";
import { endRest, killHolder } from "./leftovers.js";
import { decideRestart, recentFailures } from "./restart-policy.js";

/** What an end that was asked for leads to. */
type Intent = "stop" | "park" | "renew" | undefined;

/** Of what an agent said last on stderr: lines, and characters. */
const lastWordLines = 3;
const mostOfLastWords = 500;

/** How long a holder has to do what it is told before it is ended itself, in ms. */
const obeyWithinMs = 2000;

export interface LifecycleEvents {
  /** It has no process, and none will come by itself: its place is free. */
  onIdle(): void;
  /** It waits for a place, since its process shall start again. */
  onWantsPlace(): void;
}

/** Starts and ends the process of one instance. One thing at a time, and the table knows of it before it happens. */
export class Lifecycle {
  readonly instance: Instance;
  readonly #context: SupervisorContext;
  readonly #events: LifecycleEvents;
  #intent: Intent;
  /** Why its process is being ended for a failure. */
  #cause: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #starting: Promise<void> | undefined;
  /** Settles when the process of the moment and what follows from its end are over. */
  #end: { promise: Promise<string[]>; resolve(interrupted: string[]): void } | undefined;
  #isRemoved = false;

  constructor(instance: Instance, context: SupervisorContext, events: LifecycleEvents) {
    this.instance = instance;
    this.#context = context;
    this.#events = events;
  }

  /** Its process is being ended on purpose. */
  get isEnding(): boolean {
    return this.#isUnwanted();
  }

  /** Starts a process, which goes on with the session there is. @throws why it did not come online */
  start(): Promise<void> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** After a restart of the supervisor: the process that may still be there, or what follows from its end. */
  async takeBack(): Promise<void> {
    const { record } = this.instance;
    if (!record.holder) {
      if (record.status === "stopping" || record.status === "online") await this.#lost();
      else this.#events.onWantsPlace();
      return;
    }
    const { healthTimeoutMs, startTimeoutMs } = this.#context.options;
    try {
      const socket = holderSocket(this.#context.paths.folder, record.holder.id);
      const { process, state } = await RpcProcess.attach(socket, 0, Math.min(healthTimeoutMs, attachWithinMs));
      if (!state.agent && !state.exit) {
        // It had not been asked to start the agent, and now it will not.
        process.release();
        this.#events.onWantsPlace();
        return;
      }
      this.#log("info", "taken_back");
      void this.#adopt(process, state);
      if (state.agent) this.instance.update({ pid: state.agent.pid, startTime: state.agent.startTime });
      if (state.exit) return;
      if (record.status === "stopping") {
        await this.stop();
        return;
      }
      await this.#online(state.once, record.status === "online" ? healthTimeoutMs : startTimeoutMs);
    } catch (error) {
      if (this.instance.process) {
        // It is there and does not answer.
        this.#log("warn", "no_answer", { error: String(error) });
        this.fail("It did not answer.");
        return;
      }
      await this.#lost();
    }
  }

  /** Ends the process by asking, then by force, with all it started. Returns the ids of prompts that got lost. */
  async stop(): Promise<string[]> {
    return this.#endFor("stop");
  }

  /** Ends an idle process; the next prompt starts another one. */
  async park(reason: string): Promise<void> {
    this.instance.update({ reason });
    await this.#endFor("park");
  }

  /** Ends the process in order, for a failure: what follows is what follows from every failure. */
  async renew(reason: string): Promise<void> {
    this.#cause = reason;
    this.instance.update({ reason });
    await this.#endFor("renew");
  }

  /** Ends the process at once, for a failure. */
  fail(reason: string): void {
    this.#cause = reason;
    this.instance.update({ reason });
    this.#kill();
  }

  /** It will not come back. */
  remove(): void {
    this.#isRemoved = true;
    clearTimeout(this.#timer);
  }

  async #endFor(intent: Intent): Promise<string[]> {
    clearTimeout(this.#timer);
    this.#intent = intent;
    this.instance.update({ status: intent === "renew" ? "restarting" : "stopping" });
    await this.#context.table.save();
    if (!this.instance.process) await this.#starting?.catch(() => {});
    const { process } = this.instance;
    if (!process || !this.#end) {
      if (intent === "stop") return this.#stopped("Stopped.");
      return [];
    }
    const { promise } = this.#end;
    const { endInputMs, terminateMs } = this.#context.options;
    process.endInput();
    const terminate = setTimeout(() => process.terminate(), endInputMs);
    const kill = setTimeout(() => this.#kill(), endInputMs + terminateMs);
    const interrupted = await promise;
    clearTimeout(terminate);
    clearTimeout(kill);
    return interrupted;
  }

  /** Through its holder; one that does not obey ends as well. */
  #kill(): void {
    const { process, record } = this.instance;
    const { holder } = record;
    if (!process) return;
    process.kill();
    setTimeout(() => {
      if (!process.isOver && holder) killHolder(holder, this.#context.paths.folder);
    }, obeyWithinMs).unref();
  }

  async #start(): Promise<void> {
    const { instance } = this;
    const { table, holders, paths, options } = this.#context;
    const own = instancePaths(paths.folder, instance.id);
    mkdirSync(own.folder, { recursive: true, mode: 0o700 });
    const generation = instance.record.generation + 1;
    this.#intent = undefined;
    this.#cause = undefined;
    // A supervisor that crashed may not have come to it: what an earlier process was given must not be given again.
    await instance.prompts.ended(false);
    instance.clear("pid", "startTime", "holder", "exitCode", "signal", "isStreaming");
    const holder = await holders.take().catch(async (error: Error) => {
      await this.#follow({ code: null, signal: null, error: error.message }, error.message);
      throw error;
    });
    instance.update({
      status: generation === 1 ? "starting" : "restarting",
      generation,
      holder: { id: holder.id, pid: holder.pid },
    });
    // Whoever comes after a crash must know where to look before there is anything to find.
    await table.save();
    if (this.#isUnwanted()) {
      holder.process.release();
      throw stoppedEarly(instance.id);
    }
    const end = this.#adopt(holder.process);
    try {
      const agent = await holder.process.start(
        {
          args: [...options.agent, ...this.#agentArguments()],
          cwd: instance.record.cwd,
          mark: markOf(this.#context.place, instance.id, holder.id),
          stderr: own.stderr,
        },
        options.startTimeoutMs,
      );
      instance.update({ pid: agent.pid, startTime: agent.startTime });
      this.#log("info", "started", { pid: agent.pid });
      await this.#online([], options.startTimeoutMs);
    } catch (error) {
      // An agent that lives and does not answer must not stay.
      if (!holder.process.isOver) this.fail((error as Error).message);
      // What follows from its end says why in full.
      await end;
      const { id, status, reason } = instance.record;
      if (this.#intent === "stop") throw stoppedEarly(id);
      throw new AgentUnreachableError(
        `Instance ${id} is ${status}: ${reason ?? (error as Error).message} See pi-orchestrator logs ${id}.`,
      );
    }
  }

  #isUnwanted(): boolean {
    return this.#intent !== undefined;
  }

  #agentArguments(): string[] {
    const { provider, model, args = [], sessionFile } = this.instance.record;
    return [
      ...(provider ? ["--provider", provider] : []),
      ...(model ? ["--model", model] : []),
      ...args,
      // A session of which nothing was ever written is begun anew.
      ...(sessionFile !== undefined && existsSync(sessionFile) ? ["--session", sessionFile] : []),
    ];
  }

  /** Resolves when its end, and what follows from it, are over. */
  #adopt(process: RpcProcess, held?: HeldState): Promise<string[]> {
    let resolve: (interrupted: string[]) => void = () => {};
    const promise = new Promise<string[]>((done) => {
      resolve = done;
    });
    this.#end = { promise, resolve };
    this.instance.connect(process, held);
    process.listen({
      onRecord: (seq, line) => this.instance.takeRecord(seq, line),
      onGone: () => this.#noteGone(),
      onExit: (exit) => void this.#ended(process, exit),
    });
    return promise;
  }

  async #online(once: readonly string[], timeoutMs: number): Promise<void> {
    const { instance } = this;
    const { process } = instance;
    const line = await process?.request({ type: "get_state" }, timeoutMs);
    if (!process || !line || instance.process !== process) throw new AgentUnreachableError("The agent ended.");
    const { data } = JSON.parse(line) as { data: { sessionId: string; sessionFile?: string; isStreaming: boolean } };
    const { sessionId, sessionFile, isStreaming } = data;
    if (this.#isUnwanted()) return;
    instance.update({
      status: "online",
      sessionId,
      isStreaming,
      lastSeenAt: new Date().toISOString(),
      ...(sessionFile !== undefined && { sessionFile }),
    });
    void this.#context.table.save();
    void instance.prompts.online(process, once);
  }

  async #ended(process: RpcProcess, exit: AgentExit | "lost"): Promise<void> {
    const { instance } = this;
    process.release();
    const { record } = instance;
    const known: AgentExit = exit === "lost" ? { code: null, signal: null, error: "its holder ended" } : exit;
    this.#noteGone();
    const left = exit === "lost" ? this.#endLeft(record) : undefined;
    instance.disconnect(exit !== "lost");
    instance.clear("pid", "startTime", "holder", "isStreaming");
    instance.update({ exitCode: known.code, signal: known.signal });
    if (exit === "lost") await this.#untilGone(record, left);
    const interrupted = await instance.prompts.ended(exit !== "lost");
    const reason = await this.#reasonOf(known);
    // A stop that comes until here waits for this end; one that comes later finds what has followed from it.
    const end = this.#end;
    this.#end = undefined;
    this.#log("info", "ended", { code: known.code, signal: known.signal, intent: this.#intent });
    if (this.#intent === "stop") interrupted.push(...(await this.#stopped("Stopped.")));
    else if (this.#intent === "park") this.#park();
    else await this.#follow(known, reason);
    end?.resolve(interrupted);
  }

  /** The table says so at once; what follows from it takes a look into the session first. */
  #noteGone(): void {
    const { status, policy } = this.instance.record;
    if (status === "stopping" || status === "restarting") return;
    this.instance.update({ status: policy === "never" ? "stopping" : "restarting" });
  }

  /** Nothing is known of the process but that it is gone; what it may have left is ended. */
  async #lost(): Promise<void> {
    const { instance } = this;
    const { record } = instance;
    this.#noteGone();
    const left = this.#endLeft(record);
    instance.clear("pid", "startTime", "holder", "isStreaming");
    instance.update({});
    await this.#untilGone(record, left);
    await instance.prompts.ended(false);
    const exit: AgentExit = { code: null, signal: null, error: "lost together with its supervisor" };
    if (record.status === "stopping") await this.#stopped("Stopped.");
    else await this.#follow(exit, await this.#reasonOf(exit));
  }

  /** Its holder is gone, or of no use. Returns the agent's process, if it is to be waited for. */
  #endLeft(record: InstanceRecord): number | undefined {
    if (record.holder) killHolder(record.holder, this.#context.paths.folder);
    return endRest(record, this.#context.place);
  }

  /** Until then, the agent's locks look like those of a process that runs. */
  async #untilGone({ startTime = "", holder }: InstanceRecord, pid: number | undefined): Promise<void> {
    if (holder) await this.#removeSocket(holder);
    if (pid !== undefined) await untilGone(pid, startTime);
  }

  async #removeSocket({ id }: HolderRecord): Promise<void> {
    await removeDeadSocket(holderSocket(this.#context.paths.folder, id));
  }

  async #follow(exit: AgentExit, reason: string): Promise<void> {
    const { instance } = this;
    const { restart } = this.#context.options;
    const { policy, generation, lastSeenAt } = instance.record;
    const now = Date.now();
    const isFailure = exit.code !== 0 || this.#cause !== undefined;
    const failures = recentFailures([...(instance.record.failures ?? []), ...(isFailure ? [now] : [])], now, restart);
    // An agent that cannot even start for the first time is told so to whoever asked for it.
    const neverWorked = generation === 1 && lastSeenAt === undefined && exit.code !== null;
    instance.update({ failures, reason });
    const decision = decideRestart(policy, { isFailure, failures, now, random: Math.random() }, restart);
    if (neverWorked || decision.kind === "give_up") {
      instance.update({
        status: "error",
        reason: neverWorked ? reason : `${reason} Given up after ${failures.length} failures.`,
      });
      await this.#rest(instance.record.reason ?? reason);
    } else if (decision.kind === "stopped") await this.#stopped(reason);
    else {
      instance.update({ restarts: instance.record.restarts + 1 });
      this.#restartAfter(decision.delayMs);
    }
  }

  async #reasonOf(exit: AgentExit): Promise<string> {
    if (this.#cause !== undefined) return this.#cause;
    const { cwd, id } = this.instance.record;
    if (!isFolder(cwd)) return `Its folder is gone: ${cwd}.`;
    const reason = `The agent ended${endText(exit)}.`;
    if (!exit.code) return reason;
    const { stderr } = instancePaths(this.#context.paths.folder, id);
    const lastWords = (await lastLines(stderr, lastWordLines)).join(" ");
    return lastWords === "" ? reason : `${reason} It said last: ${lastWords.slice(-mostOfLastWords)}`;
  }

  #restartAfter(delayMs: number): void {
    this.instance.update({ status: "restarting" });
    void this.#context.table.save();
    if (this.#isRemoved) return;
    this.#timer = setTimeout(() => this.#events.onWantsPlace(), delayMs);
  }

  #park(): void {
    this.instance.update({ status: "stopped" });
    void this.#context.table.save();
    // A prompt that came meanwhile wants it back.
    if (this.instance.prompts.hasUnfinished) this.#events.onWantsPlace();
    else this.#events.onIdle();
  }

  #stopped(reason: string): Promise<string[]> {
    this.instance.update({ status: "stopped" });
    return this.#rest(reason);
  }

  async #rest(reason: string): Promise<string[]> {
    const interrupted = await this.instance.prompts.abandon(reason);
    await this.#context.table.save();
    this.#events.onIdle();
    return interrupted;
  }

  #log(level: "info" | "warn", event: string, fields: object = {}): void {
    const { id, generation } = this.instance.record;
    this.#context.log.write(level, event, { instance: id, generation, ...fields });
  }
}

function stoppedEarly(id: string): Error {
  return new AgentUnreachableError(`Instance ${id} was stopped before it had started.`);
}
