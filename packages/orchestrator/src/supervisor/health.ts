import { memoryOf } from "../process/identity.js";
import type { SupervisorContext } from "./context.js";
import type { Instance } from "./instance.js";
import type { Lifecycle } from "./lifecycle.js";

/** Looks after one instance: whether it answers, how much memory it has, whether it has anything to do. */
export async function checkHealth(instance: Instance, lifecycle: Lifecycle, context: SupervisorContext): Promise<void> {
  const { process, record } = instance;
  if (!process || record.status !== "online") return;
  const { options, log } = context;
  try {
    await instance.refreshState(options.healthTimeoutMs);
  } catch (error) {
    // It may have ended meanwhile, which is nothing to be looked after here.
    if (instance.process !== process || instance.record.status !== "online" || lifecycle.isEnding) return;
    log.write("warn", "no_answer", { instance: instance.id, error: String(error) });
    lifecycle.fail("It did not answer.");
    return;
  }
  const memory = record.pid === undefined ? undefined : memoryOf(record.pid);
  const memoryLimit = record.memoryMb ?? options.memoryMb;
  if (memory !== undefined && memoryLimit !== undefined && memory > memoryLimit) {
    log.write("warn", "memory", { instance: instance.id, memoryMb: Math.round(memory), limit: memoryLimit });
    await lifecycle.renew(`It used ${Math.round(memory)} MB; ${memoryLimit} MB are allowed.`);
    return;
  }
  const idleLimit = record.idleSeconds ?? options.idleSeconds;
  if (idleLimit !== undefined && isIdle(instance) && Date.now() - instance.lastActive > idleLimit * 1000) {
    log.write("info", "idle", { instance: instance.id });
    await lifecycle.park(`It had nothing to do for ${idleLimit} s. The next prompt starts it again.`);
  }
}

function isIdle({ record, prompts, dialogs }: Instance): boolean {
  return !record.isStreaming && !prompts.hasUnfinished && dialogs.size === 0;
}
