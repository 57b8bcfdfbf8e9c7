import { existsSync, mkdirSync } from "node:fs";
import type { AgentExit } from "../holder/protocol.js";
import { holderSocket, instancePaths } from "../paths.js";
import { isAlive, untilGone } from "../process/identity.js";
import { killTree, markOf } from "../process/tree.js";
import { AgentUnreachableError, endText, RpcProcess } from "../rpc-process.js";
import type { SupervisorContext } from "./context.js";
import type { Instance } from "./instance.js";
import { decideRestart, recentFailures } from "./restart-policy.js";

/** What an end that was asked for leads to. */
type Intent = "stop" | "park" | "renew" | undefined;

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
      if (record.status === "stopping") await this.#lost();
      else this.#events.onWantsPlace();
      return;
    }
    try {
      const socket = holderSocket(this.#context.paths.folder, record.holder.id);
      const { process, state } = await RpcProcess.attach(socket, 0);
      if (!state.agent && !state.exit) {
        // It had not been asked to start the agent, and now it will not.
        process.release();
        this.#events.onWantsPlace();
        return;
      }
      this.#log("info", "taken_back");
      this.#adopt(process);
      if (state.agent) this.instance.update({ pid: state.agent.pid, startTime: state.agent.startTime });
      if (state.exit) return;
      if (record.status === "stopping") {
        await this.stop();
        return;
      }
      await this.#online(state.once);
    } catch (error) {
      if (this.instance.process) {
        // It is there and does not answer.
        this.#log("warn", "no_answer", { error: String(error) });
        this.instance.process.kill();
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

  /** Ends the process and starts another one. */
  async renew(reason: string): Promise<void> {
    this.instance.update({ reason });
    await this.#endFor("renew");
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
    const kill = setTimeout(() => process.kill(), endInputMs + terminateMs);
    const interrupted = await promise;
    clearTimeout(terminate);
    clearTimeout(kill);
    return interrupted;
  }

  async #start(): Promise<void> {
    const { instance } = this;
    const { table, holders, paths, options } = this.#context;
    const own = instancePaths(paths.folder, instance.id);
    mkdirSync(own.folder, { recursive: true, mode: 0o700 });
    const generation = instance.record.generation + 1;
    this.#intent = undefined;
    // A supervisor that crashed may not have come to it: what an earlier process was given must not be given again.
    await instance.prompts.ended();
    instance.clear("pid", "startTime", "holder", "exitCode", "signal", "isStreaming");
    const holder = await holders.take().catch(async (error: Error) => {
      await this.#follow({ code: null, signal: null, error: error.message });
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
      throw new AgentUnreachableError("It was stopped before it had started.");
    }
    this.#adopt(holder.process);
    try {
      const agent = await holder.process.start({
        args: [...options.agent, ...this.#agentArguments()],
        cwd: instance.record.cwd,
        mark: markOf(instance.id, generation),
        stderr: own.stderr,
      });
      instance.update({ pid: agent.pid, startTime: agent.startTime });
      this.#log("info", "started", { pid: agent.pid });
      await this.#online([]);
    } catch (error) {
      // An agent that lives and does not answer must not stay.
      holder.process.kill();
      throw error;
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

  #adopt(process: RpcProcess): void {
    let resolve: (interrupted: string[]) => void = () => {};
    const promise = new Promise<string[]>((done) => {
      resolve = done;
    });
    this.#end = { promise, resolve };
    this.instance.connect(process);
    process.listen({
      onRecord: (seq, line) => this.instance.takeRecord(seq, line),
      onGone: () => this.#noteGone(),
      onExit: (exit) => void this.#ended(process, exit),
    });
  }

  async #online(once: readonly string[]): Promise<void> {
    const { instance } = this;
    const { process } = instance;
    const line = await process?.request({ type: "get_state" }, this.#context.options.startTimeoutMs);
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
    const known: AgentExit = exit === "lost" ? { code: null, signal: null, error: "its holder ended" } : exit;
    if (exit === "lost") await this.#killRest();
    instance.disconnect(exit !== "lost");
    instance.clear("pid", "startTime", "holder", "isStreaming");
    this.#noteGone();
    instance.update({ exitCode: known.code, signal: known.signal });
    const interrupted = await instance.prompts.ended();
    const end = this.#end;
    this.#end = undefined;
    this.#log("info", "ended", { code: known.code, signal: known.signal, intent: this.#intent });
    if (this.#intent === "stop") interrupted.push(...(await this.#stopped("Stopped.")));
    else if (this.#intent === "park") this.#park();
    else if (this.#intent === "renew") this.#restartAfter(0);
    else await this.#follow(known);
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
    await this.#killRest();
    instance.clear("pid", "startTime", "holder", "isStreaming");
    await instance.prompts.ended();
    if (instance.record.status === "stopping") await this.#stopped("Stopped.");
    else await this.#follow({ code: null, signal: null, error: "lost together with its supervisor" });
  }

  /** Its holder is gone. */
  async #killRest(): Promise<void> {
    const { id, pid, startTime = "" } = this.instance.record;
    const isSame = pid !== undefined && isAlive(pid, startTime);
    killTree(isSame ? pid : undefined, markOf(id));
    if (pid !== undefined) await untilGone(pid, startTime);
  }

  async #follow(exit: AgentExit): Promise<void> {
    const { instance } = this;
    const { restart } = this.#context.options;
    const { policy, generation, lastSeenAt } = instance.record;
    const now = Date.now();
    const isFailure = exit.code !== 0;
    const failures = recentFailures([...(instance.record.failures ?? []), ...(isFailure ? [now] : [])], now, restart);
    const reason = `The agent ended${endText(exit)}.`;
    instance.update({ failures, reason });
    // An agent that cannot even start for the first time is told so to whoever asked for it.
    const neverWorked = generation === 1 && lastSeenAt === undefined && exit.code !== null;
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
