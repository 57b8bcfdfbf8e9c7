import { removeDeadSocket } from "../ipc/socket.js";
import { holderSocket, newHolderId } from "../paths.js";
import { spawnHolder } from "../process/spawn.js";
import { RpcProcess } from "../rpc-process.js";
import type { HolderRecord } from "../types.js";

/** How long a holder may take to its first answer, in ms. */
export const attachWithinMs = 10_000;

export interface AttachedHolder extends HolderRecord {
  process: RpcProcess;
}

/** Holders that wait for an agent: a start then takes no longer than that of the agent itself. */
export class HolderPool {
  readonly #folder: string;
  #spares: Promise<AttachedHolder>[] = [];
  #isClosed = false;

  /** @param size how many wait at most */
  constructor(
    folder: string,
    readonly size: number,
  ) {
    this.#folder = folder;
  }

  fill(): void {
    while (!this.#isClosed && this.#spares.length < this.size) {
      const spare = this.#start();
      // Told to whoever takes it.
      spare.catch(() => {});
      this.#spares.push(spare);
    }
  }

  /** A holder that is this supervisor's already. */
  async take(): Promise<AttachedHolder> {
    const spare = this.#spares.shift();
    try {
      const holder = await (spare ?? this.#start());
      if (holder.process.isOver) {
        await removeDeadSocket(holderSocket(this.#folder, holder.id));
        return await this.#start();
      }
      return holder;
    } catch (error) {
      if (spare) return this.#start();
      throw error;
    } finally {
      // The agent's own start comes first.
      setTimeout(() => this.fill(), 500).unref();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const spare of this.#spares.splice(0)) (await spare.catch(() => undefined))?.process.release();
  }

  async #start(): Promise<AttachedHolder> {
    const id = newHolderId();
    const socket = holderSocket(this.#folder, id);
    const child = spawnHolder(socket);
    const ready = await new Promise<boolean>((resolve) => {
      child.once("error", () => resolve(false));
      child.once("exit", () => resolve(false));
      child.stdout?.once("data", () => resolve(true));
    });
    if (!ready || child.pid === undefined) throw new Error("A holder process could not be started.");
    child.stdout?.destroy();
    child.unref();
    const { process } = await RpcProcess.attach(socket, 0, attachWithinMs);
    return { id, pid: child.pid, process };
  }
}
