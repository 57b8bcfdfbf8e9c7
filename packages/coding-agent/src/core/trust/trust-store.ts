import { dirname, join, resolve } from "node:path";
import { canonicalFolder } from "../storage/files.js";
import { JsonFile } from "../storage/json-file.js";
import { jsonProblem, jsonProblemText } from "../storage/json-problem.js";
import { reasonOf } from "../storage/read-text.js";
import { readSettledText } from "../storage/settled-read.js";

/** Age at which its lock counts as abandoned. Source: cli-and-config.md section 4.1. */
const lockStaleMs = 10_000;

/** Null: no decision. */
export type ProjectTrustDecision = boolean | null;

export interface ProjectTrustStoreEntry {
  /** The folder that the decision was made for. */
  path: string;
  decision: boolean;
}

export interface ProjectTrustUpdate {
  path: string;
  /** Null takes the decision back. */
  decision: ProjectTrustDecision;
}

/** The store is there and cannot be read: nothing is taken for decided then. */
export class TrustStoreError extends Error {
  override name = "TrustStoreError";
  /** For whoever shows it, as a line of its own. */
  readonly advice = "Correct or remove it. Until then no project with settings of its own can be opened.";
}

/**
 * The user's decisions about projects: `<agentDir>/trust.json`, an object from absolute folders to `true`, `false` or
 * `null`. A decision holds for the folders below too, the nearest one counts. Source: cli-and-config.md section 5.
 */
export class ProjectTrustStore {
  readonly #file: JsonFile;
  /** Decisions that are being stored. */
  readonly #pending = new Map<string, ProjectTrustDecision>();

  constructor(agentDir: string) {
    this.#file = new JsonFile(join(agentDir, "trust.json"), {
      title: "trust store",
      staleMs: lockStaleMs,
      format: sorted,
    });
  }

  /** @throws Error for a store that cannot be read: nothing is taken for trusted then */
  get(cwd: string): ProjectTrustDecision {
    return this.getEntry(cwd)?.decision ?? null;
  }

  /** The decision that holds for a folder, and where it was made. @throws Error as `get` */
  getEntry(cwd: string): ProjectTrustStoreEntry | null {
    const decisions = { ...this.#read(), ...Object.fromEntries(this.#pending) };
    for (let path = canonicalFolder(resolve(cwd)); ; path = dirname(path)) {
      const decision = Object.hasOwn(decisions, path) ? decisions[path] : null;
      if (typeof decision === "boolean") return { path, decision };
      if (dirname(path) === path) return null;
    }
  }

  /** Counts at once; the promise ends when it is stored. @throws Error for a store that cannot be read or written */
  set(cwd: string, decision: ProjectTrustDecision): Promise<void> {
    return this.setMany([{ path: cwd, decision }]);
  }

  /** All in one change. @throws Error as `set` */
  async setMany(updates: ProjectTrustUpdate[]): Promise<void> {
    this.#read();
    const changes = updates.map(({ path, decision }) => [canonicalFolder(resolve(path)), decision] as const);
    for (const [path, decision] of changes) this.#pending.set(path, decision);
    try {
      await this.#file.modify(async (current) => {
        const next = { ...current };
        for (const [path, decision] of changes) {
          if (decision === null) delete next[path];
          else next[path] = decision;
        }
        return next;
      });
    } finally {
      for (const [path, decision] of changes) if (this.#pending.get(path) === decision) this.#pending.delete(path);
    }
  }

  #read(): Record<string, ProjectTrustDecision> {
    const { path } = this.#file;
    let text: string | undefined;
    try {
      text = readSettledText(path, lockStaleMs);
    } catch (error) {
      throw new TrustStoreError(`Failed to read trust store ${path}: ${reasonOf(error)}`);
    }
    const isEmpty = text === undefined || text.trim() === "";
    const problem = isEmpty ? undefined : jsonProblem(text ?? "");
    if (problem) throw new TrustStoreError(`Failed to read trust store ${path}: ${jsonProblemText(problem)}`);
    const value: unknown = isEmpty ? {} : JSON.parse(text ?? "");
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new TrustStoreError(`Invalid trust store ${path}: expected an object`);
    }
    for (const [key, decision] of Object.entries(value)) {
      if (decision !== null && typeof decision !== "boolean") {
        throw new TrustStoreError(
          `Invalid trust store ${path}: value for ${JSON.stringify(key)} must be true, false, or null`,
        );
      }
    }
    return value as Record<string, ProjectTrustDecision>;
  }
}

function sorted(content: Record<string, unknown>): string {
  const entries = Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}
