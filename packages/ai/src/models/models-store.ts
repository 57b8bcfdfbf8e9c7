import type { ModelsStore, ModelsStoreEntry } from "./types.js";

/** Fetched catalogues that last as long as the process. */
export class InMemoryModelsStore implements ModelsStore {
  readonly #entries = new Map<string, ModelsStoreEntry>();

  async read(providerId: string): Promise<ModelsStoreEntry | undefined> {
    return this.#entries.get(providerId);
  }

  async write(providerId: string, entry: ModelsStoreEntry): Promise<void> {
    this.#entries.set(providerId, entry);
  }

  async delete(providerId: string): Promise<void> {
    this.#entries.delete(providerId);
  }
}
