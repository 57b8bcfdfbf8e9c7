import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { instancePaths, statePaths } from "./paths.js";
import { agentProgram } from "./process/spawn.js";
import { RequestError } from "./request-error.js";
import { JsonLog } from "./storage/json-log.js";
import { takeLock } from "./storage/lock.js";
import { isFolder, makePrivateFolder, readOrMake } from "./storage/state-folder.js";
import { InstanceTable } from "./store/instance-table.js";
import { PromptJournal } from "./store/prompt-journal.js";
import type { SupervisorContext, SupervisorOptions } from "./supervisor/context.js";
import { checkHealth } from "./supervisor/health.js";
import { HolderPool } from "./supervisor/holder-pool.js";
import { Instance } from "./supervisor/instance.js";
import { removeDeadSockets } from "./supervisor/leftovers.js";
import { Lifecycle } from "./supervisor/lifecycle.js";
import { Places } from "./supervisor/places.js";
import { Prompts } from "./supervisor/prompts.js";
import { defaultRestartLimits } from "./supervisor/restart-policy.js";
import type { InstanceRecord, PromptOptions, PromptRecord, SpawnOptions } from "./types.js";

export { RequestError } from "./request-error.js";
export type { SupervisorOptions } from "./supervisor/context.js";

/** Everything but the state folder has a default. */
export function supervisorOptions(given: Partial<SupervisorOptions> & { folder: string }): SupervisorOptions {
  return {
    agent: [agentProgram()],
    maxInstances: 100,
    memoryMb: undefined,
    idleSeconds: undefined,
    healthIntervalMs: 10_000,
    healthTimeoutMs: 30_000,
    startTimeoutMs: 120_000,
    endInputMs: 3000,
    terminateMs: 5000,
    restart: defaultRestartLimits,
    spareHolders: 1,
    ...given,
  };
}

interface Live {
  instance: Instance;
  lifecycle: Lifecycle;
}

/** How soon a change of a record is written down when nothing waits for it, in ms. */
const saveDelayMs = 200;

/**
 * The table of agents and what happens to them. One at a time per state folder; what it knows is on the disk, and its
 * agents outlive it.
 */
export class OrchestratorSupervisor {
  readonly startedAt = new Date();
  /** Settles when the agents that were there are taken back, or that failed. */
  readonly ready: Promise<void>;
  readonly #context: SupervisorContext;
  readonly #live = new Map<string, Live>();
  readonly #places: Places;
  readonly #unlock: () => void;
  #saveTimer: NodeJS.Timeout | undefined;
  #healthTimer: NodeJS.Timeout | undefined;
  #isClosing = false;
  #becomeReady: () => void = () => {};

  private constructor(context: SupervisorContext, unlock: () => void) {
    this.#context = context;
    this.#unlock = unlock;
    this.#places = new Places(context.options.maxInstances);
    this.ready = new Promise((resolve) => {
      this.#becomeReady = resolve;
    });
  }

  /**
   * Opens the state folder and takes the agents back that are there.
   * @param prepare what must be possible before any agent is touched
   * @throws when another supervisor has it; what `prepare` throws
   */
  static async open(
    given: Partial<SupervisorOptions> & { folder: string },
    prepare: (supervisor: OrchestratorSupervisor) => Promise<void> = async () => {},
  ): Promise<OrchestratorSupervisor> {
    const options = supervisorOptions({ ...given, folder: resolve(given.folder) });
    const paths = statePaths(options.folder);
    makePrivateFolder(
      options.folder,
      [paths.machine, paths.table, paths.lock].map((path) => basename(path)),
    );
    const unlock = takeLock(paths.lock);
    if (!unlock) throw new Error(`orchestrator is already running: ${paths.socket}`);
    try {
      const machine = readOrMake(paths.machine, () =>
        JSON.stringify({ id: randomUUID(), createdAt: new Date().toISOString() }),
      );
      const context: SupervisorContext = {
        options,
        paths,
        place: placeOf(options.folder, machine),
        table: await InstanceTable.open(paths.table),
        holders: new HolderPool(options.folder, options.spareHolders),
        log: new JsonLog(paths.log),
      };
      const supervisor = new OrchestratorSupervisor(context, unlock);
      await prepare(supervisor);
      await supervisor.#begin();
      return supervisor;
    } catch (error) {
      unlock();
      throw error;
    }
  }

  get context(): SupervisorContext {
    return this.#context;
  }

  get queued(): number {
    return this.#places.waiting;
  }

  instances(): Instance[] {
    return [...this.#live.values()].map(({ instance }) => instance);
  }

  /** @throws RequestError `Unknown instance: <id>` */
  instance(id: string): Instance {
    return this.#find(id).instance;
  }

  /**
   * Makes an instance, and resolves when it is online or waits for a place.
   * @throws RequestError for options that cannot be; why the agent did not start
   */
  async spawn(options: SpawnOptions): Promise<InstanceRecord> {
    if (this.#isClosing) throw new RequestError("shutting_down", "The orchestrator is shutting down.");
    const { instanceId: id = randomUUID(), cwd, policy = "on-failure", ...rest } = options;
    const known = this.#live.get(id);
    if (known) return known.instance.record;
    if (!/^[\w-]{1,64}$/.test(id)) {
      throw new RequestError("invalid_request", `Not an instance id: ${id}. Use letters, digits, - and _, at most 64.`);
    }
    if (!isFolder(cwd)) {
      throw new RequestError("invalid_request", `Not a directory: ${cwd}. Name one that exists as cwd.`);
    }
    const record: InstanceRecord = {
      id,
      status: "starting",
      cwd: resolve(cwd),
      createdAt: new Date().toISOString(),
      policy,
      generation: 0,
      restarts: 0,
      ...rest,
    };
    const live = await this.#add(record);
    const { table } = this.#context;
    if (!this.#places.ask(id)) {
      live.instance.update({ status: "queued" });
      await table.save();
      return live.instance.record;
    }
    await live.lifecycle.start();
    const { status } = live.instance.record;
    if (status === "online" || status === "restarting") return live.instance.record;
    throw new RequestError("wrong_state", `Instance ${id} was stopped before it had started.`);
  }

  /** Ends an instance and takes it from the table. Returns the ids of prompts that will not run. */
  async stop(id: string): Promise<string[]> {
    const { lifecycle, instance } = this.#find(id);
    const interrupted = await lifecycle.stop();
    lifecycle.remove();
    this.#live.delete(id);
    this.#context.table.delete(id);
    await this.#context.table.save();
    this.#leavePlace(id);
    await instance.prompts.close();
    rmSync(instancePaths(this.#context.paths.folder, id).folder, { recursive: true, force: true });
    return interrupted;
  }

  /**
   * Takes a prompt: when this resolves, it is on the disk.
   * @throws RequestError when there is nobody who will ever run it
   */
  async prompt(id: string, options: PromptOptions): Promise<PromptRecord> {
    const { instance } = this.#find(id);
    instance.assertTakesPrompts();
    const { promptId, message, images, streamingBehavior = "followUp" } = options;
    if (promptId !== undefined && !/^[\w.-]{1,100}$/.test(promptId)) {
      throw new RequestError(
        "invalid_request",
        `Not a prompt id: ${promptId}. Use letters, digits, . - and _, at most 100.`,
      );
    }
    const command = { type: "prompt", message, streamingBehavior, ...(images && { images }) };
    const prompt = await instance.prompts.accept(command, promptId);
    this.#wake(instance);
    return prompt;
  }

  /** Ends all agents, or leaves them to their holders for the supervisor that comes next. */
  async close({ keepAgents = false } = {}): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    clearInterval(this.#healthTimer);
    this.#context.log.write("info", "closing", { keepAgents });
    if (!keepAgents) {
      const running = [...this.#live.values()].filter(({ instance }) => instance.record.status !== "error");
      await Promise.all(running.map(({ lifecycle }) => lifecycle.stop().catch(() => [])));
    }
    for (const { lifecycle } of this.#live.values()) lifecycle.remove();
    clearTimeout(this.#saveTimer);
    await this.#context.table.save();
    await this.#context.holders.close();
    this.#unlock();
  }

  async #begin(): Promise<void> {
    const { table, log, options, holders } = this.#context;
    log.write("info", "serving", { pid: process.pid, instances: table.all().length });
    const lives: Live[] = [];
    await removeDeadSockets(options.folder);
    for (const record of table.all()) lives.push(await this.#add(record));
    const hasProcess = (live: Live) => live.instance.record.holder !== undefined;
    for (const { instance } of lives.filter(hasProcess)) this.#places.keep(instance.id);
    await Promise.all(
      lives.map(async (live) => {
        const { status, policy } = live.instance.record;
        if (hasProcess(live)) await live.lifecycle.takeBack();
        else if (status === "starting" || status === "restarting" || status === "queued")
          this.#wantPlace(live.instance.id);
        else if (status === "stopping" || status === "online") await live.lifecycle.takeBack();
        else if (status === "stopped" && (policy === "always" || live.instance.prompts.hasUnfinished)) {
          this.#wantPlace(live.instance.id);
        }
      }),
    );
    await table.save();
    this.#becomeReady();
    this.#healthTimer = setInterval(() => void this.#checkAll(), options.healthIntervalMs);
    holders.fill();
  }

  async #add(record: InstanceRecord): Promise<Live> {
    const { table, paths } = this.#context;
    const own = instancePaths(paths.folder, record.id);
    mkdirSync(own.folder, { recursive: true, mode: 0o700 });
    const journal = await PromptJournal.open(own.prompts);
    const makePrompts = (of: Instance) =>
      new Prompts({
        journal,
        sessionFile: () => of.record.sessionFile,
        askSession: () => of.refreshState(),
        onChange: (prompt) => of.promptChanged(prompt),
      });
    const instance = new Instance(record, makePrompts, {
      onChange: ({ record: changed }) => {
        table.put(changed);
        this.#saveSoon();
      },
      onPrompt: (prompted) => this.#wake(prompted),
    });
    const lifecycle = new Lifecycle(instance, this.#context, {
      onIdle: () => this.#leavePlace(record.id),
      onWantsPlace: () => this.#wantPlace(record.id),
    });
    const live = { instance, lifecycle };
    this.#live.set(record.id, live);
    table.put(record);
    return live;
  }

  /** A prompt brings back what was parked, or had ended. */
  #wake({ id, record, prompts }: Instance): void {
    if (record.status === "stopped" && prompts.hasUnfinished) this.#wantPlace(id);
  }

  #wantPlace(id: string): void {
    const live = this.#live.get(id);
    if (!live || this.#isClosing) return;
    if (this.#places.ask(id)) this.#start(live);
    else live.instance.update({ status: "queued" });
  }

  #leavePlace(id: string): void {
    for (const next of this.#places.leave(id)) {
      const live = this.#live.get(next);
      if (live && !this.#isClosing) this.#start(live);
    }
  }

  #start({ lifecycle, instance }: Live): void {
    lifecycle.start().catch((error: Error) => {
      this.#context.log.write("warn", "start_failed", { instance: instance.id, error: error.message });
    });
  }

  async #checkAll(): Promise<void> {
    await Promise.all(
      [...this.#live.values()].map((live) => checkHealth(live.instance, live.lifecycle, this.#context)),
    );
  }

  #saveSoon(): void {
    this.#saveTimer ??= setTimeout(() => {
      this.#saveTimer = undefined;
      this.#context.table.save().catch((error: Error) => {
        this.#context.log.write("error", "table_not_written", { error: error.message });
      });
    }, saveDelayMs);
  }

  #find(id: string): Live {
    const live = this.#live.get(id);
    if (!live) throw new RequestError("unknown_instance", `Unknown instance: ${id}`);
    return live;
  }
}

/** Tells a state folder from all others: from one that was there before it, and from its copies. */
function placeOf(folder: string, machine: string): string {
  return createHash("sha256")
    .update(`${realpathSync(folder)}\n${machine}`)
    .digest("hex")
    .slice(0, 16);
}
