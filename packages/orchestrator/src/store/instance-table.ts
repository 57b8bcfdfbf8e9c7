import { readFile } from "node:fs/promises";
import { LatestWriter, replaceFile } from "../storage/atomic-file.js";
import { type InstanceRecord, instanceStatuses, restartPolicies } from "../types.js";

/** The records of all instances, on the disk as they are in memory. */
export class InstanceTable {
  readonly #records = new Map<string, InstanceRecord>();
  readonly #writer: LatestWriter;

  private constructor(readonly path: string) {
    this.#writer = new LatestWriter(() =>
      replaceFile(path, `${JSON.stringify({ version: 1, instances: this.all() }, null, 1)}\n`),
    );
  }

  /** @throws for a file that is no table: nobody may lose their agents over it */
  static async open(path: string): Promise<InstanceTable> {
    const table = new InstanceTable(path);
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return table;
      throw error;
    }
    const instances = instancesOf(text);
    if (!instances) throw new Error(`${path} is no instance table. Move it away to begin with an empty one.`);
    for (const record of instances) table.#records.set(record.id, record);
    return table;
  }

  all(): InstanceRecord[] {
    return [...this.#records.values()];
  }

  get(id: string): InstanceRecord | undefined {
    return this.#records.get(id);
  }

  put(record: InstanceRecord): void {
    this.#records.set(record.id, record);
  }

  delete(id: string): void {
    this.#records.delete(id);
  }

  /** Resolves when the table is on the disk as it is at the time of the call, or newer. */
  save(): Promise<void> {
    return this.#writer.save();
  }
}

/** Undefined for what is no table, or has records that are none. */
function instancesOf(text: string): InstanceRecord[] | undefined {
  try {
    const { instances } = JSON.parse(text) as { instances?: unknown };
    return Array.isArray(instances) && instances.every(isRecord) ? instances : undefined;
  } catch {
    return undefined;
  }
}

/** What is needed to take care of an instance. */
function isRecord(value: unknown): value is InstanceRecord {
  if (typeof value !== "object" || value === null) return false;
  const { id, cwd, status, policy, generation, restarts, holder } = value as { [field: string]: unknown };
  return (
    [id, cwd].every((text) => typeof text === "string" && text !== "") &&
    instanceStatuses.includes(status as InstanceRecord["status"]) &&
    restartPolicies.includes(policy as InstanceRecord["policy"]) &&
    [generation, restarts].every((count) => Number.isSafeInteger(count)) &&
    (holder === undefined || isHolder(holder))
  );
}

function isHolder(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { id, pid } = value as { [field: string]: unknown };
  return typeof id === "string" && Number.isSafeInteger(pid);
}
