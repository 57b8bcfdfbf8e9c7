import type { StatePaths } from "../paths.js";
import type { JsonLog } from "../storage/json-log.js";
import type { InstanceTable } from "../store/instance-table.js";
import type { HolderPool } from "./holder-pool.js";
import type { RestartLimits } from "./restart-policy.js";

export interface SupervisorOptions {
  /** State folder. */
  folder: string;
  /** The agents' program and its first arguments. Default: `rpc-entry` of the coding agent. */
  agent: string[];
  /** Agents with a process at the same time; further ones wait. */
  maxInstances: number;
  /** Resident memory of an agent, in MB, after which it is started anew; undefined: any. */
  memoryMb: number | undefined;
  /** Time without work after which an agent's process is ended, in s; undefined: never. */
  idleSeconds: number | undefined;
  /** How often agents are asked how they are, and how long they may take, in ms. */
  healthIntervalMs: number;
  healthTimeoutMs: number;
  /** How long an agent may take to its first answer, in ms. */
  startTimeoutMs: number;
  /** Waits of a stop: after the end of its input, and after SIGTERM, in ms. */
  endInputMs: number;
  terminateMs: number;
  restart: RestartLimits;
  /** Holders that wait for agents to come. */
  spareHolders: number;
}

/** What the parts of a supervisor share. */
export interface SupervisorContext {
  readonly options: SupervisorOptions;
  readonly paths: StatePaths;
  /** What tells this state folder from all others, copies of it too. */
  readonly place: string;
  readonly table: InstanceTable;
  readonly holders: HolderPool;
  readonly log: JsonLog;
}
