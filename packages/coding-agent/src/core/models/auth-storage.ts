/** `<agentDir>/auth.json`: what the user stored for each provider. Source: llm.md section 11.3. */
import { join } from "node:path";
import type { AuthOperationOptions, Credential, CredentialInfo, CredentialStore } from "@earendil-works/pi-ai";
import { getAgentDir } from "../../config.js";
import { JsonFile, type JsonFileContent } from "../storage/json-file.js";

/** Age at which the lock of the file counts as abandoned, in ms. */
const STALE_MS = 30_000;

/** Where entries lie: a file, or memory. `modify` is a transaction over all of them. */
export interface AuthStorageBackend {
  read(): Readonly<JsonFileContent>;
  modify(
    change: (current: JsonFileContent) => Promise<JsonFileContent | undefined>,
    signal?: AbortSignal,
  ): Promise<void>;
  reload?(): void;
  /** The error for an entry that cannot be used, naming where it lies. */
  invalid?(reason: string): Error;
}

/**
 * Credentials by provider id. Reads are cached by the file's revision and take no lock; changes touch one entry and are
 * made under the file's lock.
 */
export class AuthStorage implements CredentialStore {
  readonly #backend: AuthStorageBackend;
  readonly #pending = new Set<Promise<unknown>>();
  /** Entries that came from here: their keys are configured values, while keys from elsewhere are literal. */
  readonly #own = new WeakSet<Credential>();

  private constructor(backend: AuthStorageBackend) {
    this.#backend = backend;
  }

  /** @param path default `<agentDir>/auth.json`; made with the first change */
  static create(path: string = join(getAgentDir(), "auth.json")): AuthStorage {
    return new AuthStorage(new JsonFile(path, { title: "credentials file", staleMs: STALE_MS, isSecret: true }));
  }

  static fromStorage(backend: AuthStorageBackend): AuthStorage {
    return new AuthStorage(backend);
  }

  static inMemory(data: Readonly<Record<string, Credential>> = {}): AuthStorage {
    let content: JsonFileContent = { ...data };
    let queue: Promise<unknown> = Promise.resolve();
    return new AuthStorage({
      read: () => content,
      modify(change) {
        const result = queue.then(async () => {
          content = (await change(content)) ?? content;
        });
        queue = result.catch(() => undefined);
        return result;
      },
    });
  }

  /** The entry as last read, now; undefined also when the file cannot be understood. */
  get(providerId: string): Credential | undefined {
    try {
      return this.#entry(this.#backend.read(), providerId);
    } catch {
      return undefined;
    }
  }

  /** Whether there is an entry, also one that cannot be used. @throws JsonFileError when the file cannot be understood */
  has(providerId: string): boolean {
    return Object.hasOwn(this.#backend.read(), providerId);
  }

  /** True for an entry of this storage, whose key may be `$NAME` or `!command`. */
  isStored(credential: Credential): boolean {
    return this.#own.has(credential);
  }

  /** @throws JsonFileError when the file or the entry cannot be understood */
  async read(providerId: string): Promise<Credential | undefined> {
    const content = this.#backend.read();
    const problem = entryProblem(content, providerId);
    if (problem !== undefined) throw this.#invalid(problem);
    return this.#entry(content, providerId);
  }

  /** What is wrong with the file or its entries, if anything. */
  getError(): Error | undefined {
    try {
      const content = this.#backend.read();
      const problems = Object.keys(content).flatMap((id) => entryProblem(content, id) ?? []);
      return problems.length > 0 ? this.#invalid(problems.join("; ")) : undefined;
    } catch (error) {
      return error as Error;
    }
  }

  async list(): Promise<readonly CredentialInfo[]> {
    const content = this.#backend.read();
    return Object.keys(content).flatMap((providerId) => {
      const entry = this.#entry(content, providerId);
      return entry ? [{ providerId, type: entry.type }] : [];
    });
  }

  async modify(
    providerId: string,
    change: (current: Credential | undefined) => Promise<Credential | undefined>,
    { signal }: AuthOperationOptions = {},
  ): Promise<Credential | undefined> {
    let inForce: Credential | undefined;
    const write = this.#backend.modify(async (content) => {
      const current = this.#entry(content, providerId);
      const next = await change(current);
      inForce = next ?? current;
      return next && { ...content, [providerId]: next };
    }, signal);
    await this.#tracked(write);
    if (inForce) this.#own.add(inForce);
    return inForce;
  }

  async delete(providerId: string, { signal }: AuthOperationOptions = {}): Promise<void> {
    // No entry, no need of a lock or a file. One that cannot be used can be removed.
    if (!this.has(providerId)) return;
    const write = this.#backend.modify(async (content) => {
      const { [providerId]: _removed, ...rest } = content;
      return rest;
    }, signal);
    await this.#tracked(write);
  }

  /** Forgets what was read. */
  reload(): void {
    this.#backend.reload?.();
  }

  /** Resolves when all changes made so far have ended, one way or the other. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }

  async #tracked(write: Promise<void>): Promise<void> {
    this.#pending.add(write);
    try {
      await write;
    } finally {
      this.#pending.delete(write);
    }
  }

  #entry(content: Readonly<JsonFileContent>, providerId: string): Credential | undefined {
    const value = Object.hasOwn(content, providerId) ? content[providerId] : undefined;
    if (value === undefined || credentialProblem(value) !== undefined) return undefined;
    this.#own.add(value as Credential);
    return value as Credential;
  }

  #invalid(reason: string): Error {
    return this.#backend.invalid?.(reason) ?? new Error(`Invalid credentials: ${reason}. Correct or remove it.`);
  }
}

/** The stored entry of a provider; undefined when there is none. */
export function readStoredCredential(provider: string, authPath?: string): Credential | undefined {
  return AuthStorage.create(authPath).get(provider);
}

function entryProblem(content: Readonly<JsonFileContent>, providerId: string): string | undefined {
  const problem = Object.hasOwn(content, providerId) ? credentialProblem(content[providerId]) : undefined;
  return problem && `entry "${providerId}": ${problem}`;
}

/** Why a value is no credential; never quotes it. */
function credentialProblem(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "expected an object";
  const { type, key, env, access, refresh, expires } = value as Record<string, unknown>;
  if (type === "api_key") {
    if (key !== undefined && typeof key !== "string") return '"key" must be a string';
    return env === undefined || isStrings(env) ? undefined : '"env" must be an object of strings';
  }
  if (type !== "oauth") return '"type" must be "api_key" or "oauth"';
  if (typeof access !== "string") return '"access" must be a string';
  if (refresh !== undefined && typeof refresh !== "string") return '"refresh" must be a string';
  return expires === undefined || typeof expires === "number" ? undefined : '"expires" must be a number';
}

function isStrings(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((member) => typeof member === "string");
}
