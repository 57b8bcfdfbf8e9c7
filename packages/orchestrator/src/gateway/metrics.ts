import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { memoryOf } from "../process/identity.js";
import type { OrchestratorSupervisor } from "../supervisor.js";
import type { InstanceStatus } from "../types.js";

const statuses: readonly InstanceStatus[] = [
  "queued",
  "starting",
  "online",
  "restarting",
  "stopping",
  "stopped",
  "error",
];

/** What is counted, read when it is asked for. */
export function metricsOf(supervisor: OrchestratorSupervisor): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "pi_orchestrator_" });
  const registers = [registry];
  const records = () => supervisor.instances().map(({ record }) => record);
  new Gauge({
    name: "pi_instances",
    help: "Agents by status",
    labelNames: ["status"],
    registers,
    collect() {
      for (const status of statuses)
        this.set({ status }, records().filter((record) => record.status === status).length);
    },
  });
  new Gauge({
    name: "pi_instance_restarts",
    help: "Starts after an end that was not asked for",
    labelNames: ["instance"],
    registers,
    collect() {
      this.reset();
      for (const { id, restarts } of records()) this.set({ instance: id }, restarts);
    },
  });
  new Gauge({
    name: "pi_instance_memory_bytes",
    help: "Resident memory of an agent's process",
    labelNames: ["instance"],
    registers,
    collect() {
      this.reset();
      for (const { id, pid } of records()) {
        const memory = pid === undefined ? undefined : memoryOf(pid);
        if (memory !== undefined) this.set({ instance: id }, Math.round(memory * 1024 * 1024));
      }
    },
  });
  new Gauge({
    name: "pi_prompts",
    help: "Prompts that are remembered, by state",
    labelNames: ["state"],
    registers,
    collect() {
      this.reset();
      for (const { prompts } of supervisor.instances()) for (const { state } of prompts.list()) this.inc({ state });
    },
  });
  new Gauge({
    name: "pi_stream_subscribers",
    help: "Open streams",
    registers,
    collect() {
      this.set(supervisor.instances().reduce((sum, { subscriberCount }) => sum + subscriberCount, 0));
    },
  });
  return registry;
}
