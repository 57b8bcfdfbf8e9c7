/** `<agentDir>/models-store.json`: catalogues that were fetched. Source: llm.md section 12. */
import type { ModelsStore, ModelsStoreEntry, ModelsStoreOperationOptions } from "@earendil-works/pi-ai";
import { JsonFile } from "../storage/json-file.js";

const STALE_MS = 30_000;

/** Fetched catalogues by provider id, with the lock and the caching of auth.json. */
export class ModelsFileStore implements ModelsStore {
  readonly #file: JsonFile;

  constructor(path: string) {
    this.#file = new JsonFile(path, { title: "catalogue cache", staleMs: STALE_MS });
  }

  /** The entry as last read, now. A file that cannot be understood holds nothing: it can be fetched again. */
  get(providerId: string): ModelsStoreEntry | undefined {
    try {
      const content = this.#file.read();
      const entry = Object.hasOwn(content, providerId) ? (content[providerId] as ModelsStoreEntry) : undefined;
      return Array.isArray(entry?.models) ? entry : undefined;
    } catch {
      return undefined;
    }
  }

  async read(providerId: string): Promise<ModelsStoreEntry | undefined> {
    return this.get(providerId);
  }

  async write(
    providerId: string,
    entry: ModelsStoreEntry,
    { signal }: ModelsStoreOperationOptions = {},
  ): Promise<void> {
    await this.#file.modify(async (content) => ({ ...content, [providerId]: entry }), signal);
  }

  async delete(providerId: string, { signal }: ModelsStoreOperationOptions = {}): Promise<void> {
    if (!this.get(providerId)) return;
    await this.#file.modify(async ({ [providerId]: _removed, ...rest }) => rest, signal);
  }
}
