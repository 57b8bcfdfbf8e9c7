import type { Credential, CredentialInfo, CredentialStore } from "./types.js";

/** Credentials that last as long as the process. */
export class InMemoryCredentialStore implements CredentialStore {
  readonly #entries: Map<string, Credential>;
  /** Changes of one provider run one after another. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(entries: Readonly<Record<string, Credential>> = {}) {
    this.#entries = new Map(Object.entries(entries));
  }

  async read(providerId: string): Promise<Credential | undefined> {
    return this.#entries.get(providerId);
  }

  async list(): Promise<readonly CredentialInfo[]> {
    return [...this.#entries].map(([providerId, { type }]) => ({ providerId, type }));
  }

  modify(
    providerId: string,
    change: (current: Credential | undefined) => Promise<Credential | undefined>,
  ): Promise<Credential | undefined> {
    return this.#queued(providerId, async () => {
      const current = this.#entries.get(providerId);
      const next = await change(current);
      if (next) this.#entries.set(providerId, next);
      return next ?? current;
    });
  }

  delete(providerId: string): Promise<void> {
    return this.#queued(providerId, async () => {
      this.#entries.delete(providerId);
    });
  }

  #queued<T>(providerId: string, run: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(providerId) ?? Promise.resolve();
    const result = before.then(run, run);
    this.#queues.set(providerId, result);
    return result;
  }
}
