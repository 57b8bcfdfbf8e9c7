import { readdirSync, rmSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { replaceFile } from "./atomic-file.js";
import { type HeldLock, isLockedByOthers, realPath, withFileLock } from "./file-lock.js";
import { ensurePrivateDir, statIfExists } from "./files.js";
import { jsonProblem, jsonProblemText } from "./json-problem.js";
import { readTextIfExists, reasonOf } from "./read-text.js";
import { readSettledText } from "./settled-read.js";
import { writingError } from "./writing-error.js";

export type JsonFileContent = Record<string, unknown>;

export interface JsonFileOptions {
  /** What the file is called in messages: `credentials file`. */
  title: string;
  /** Age at which its lock counts as abandoned, in ms. */
  staleMs: number;
  /** Nobody but the owner may read it, whatever its rights were. Default: rights stay as they are. */
  isSecret?: true;
  /** The text of a content. Default: indented by two spaces, without a line end. */
  format?: (content: JsonFileContent) => string;
}

/** The file is there but cannot be understood. Its text is not quoted: it may hold secrets. */
export class JsonFileError extends Error {
  override name = "JsonFileError";
  readonly code = "invalid_file";
}

/**
 * A JSON object on disk that several processes read and change: reads are cached by the file's revision and take no
 * lock, changes are made under it, from what is on disk, in one step. A missing file is an empty object.
 */
export class JsonFile {
  readonly path: string;
  readonly #options: JsonFileOptions;
  #revision: string | undefined;
  #content: JsonFileContent | undefined;

  constructor(path: string, options: JsonFileOptions) {
    this.path = path;
    this.#options = options;
  }

  /**
   * The current content. A file that cannot be parsed counts as what it last was.
   * @throws JsonFileError when it never could be parsed
   */
  read(): Readonly<JsonFileContent> {
    try {
      const revision = this.#revisionNow();
      if (this.#content && revision === this.#revision) return this.#content;
      this.#content = this.#parseWhole();
      this.#revision = revision;
    } catch (error) {
      if (!this.#content) throw error;
    }
    return this.#content;
  }

  /** Forgets what was read. */
  reload(): void {
    this.#content = undefined;
  }

  /**
   * Changes the file: `change` gets its content as it is now and returns the new one, or undefined to leave it.
   * Nobody else changes it meanwhile.
   * @throws JsonFileError for a file that cannot be parsed: it is not written over; UnwritableFileError; what `change`
   * throws
   */
  async modify(
    change: (current: JsonFileContent) => Promise<JsonFileContent | undefined>,
    signal?: AbortSignal,
  ): Promise<void> {
    let ofChange: unknown;
    try {
      ensurePrivateDir(dirname(this.path));
      this.#revisionNow();
      await withFileLock(this.path, { staleMs: this.#options.staleMs, signal }, async (lock) => {
        const next = await change(this.#parse(this.#text())).catch((error: unknown) => {
          ofChange = error;
          throw error;
        });
        if (next) this.#write(next, lock);
      });
    } catch (error) {
      throw error === ofChange ? error : writingError(this.path, error);
    }
  }

  #write(content: JsonFileContent, lock: HeldLock): void {
    const target = realPath(this.path);
    lock.assertHeld();
    removeLeftovers(target);
    const { format = indented } = this.#options;
    replaceFile(target, format(content), this.#options.isSecret ? 0o600 : undefined);
    this.#content = content;
    this.#revision = this.#revisionNow();
  }

  /** @throws JsonFileError for what cannot be reached */
  #revisionNow(): string | undefined {
    try {
      return revisionOf(statIfExists(this.path));
    } catch (error) {
      throw this.invalid(reasonOf(error));
    }
  }

  #parse(text: string | undefined): JsonFileContent {
    if (text === undefined || text.trim() === "") return {};
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      const problem = jsonProblem(text);
      throw this.invalid(`it is not valid JSON${problem ? ` (${jsonProblemText(problem)})` : ""}`);
    }
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
      throw this.invalid("expected an object");
    return parsed as JsonFileContent;
  }

  /**
   * What looks like the half of a file is waited for while another program holds the lock, unless there is something to go
   * on with. What is whole is not: others may hold this lock for as long as a server takes to answer.
   */
  #parseWhole(): JsonFileContent {
    const text = this.#text();
    const mayBeHalf = () => isLockedByOthers(this.path, this.#options.staleMs);
    if (text?.trim() !== "") {
      try {
        return this.#parse(text);
      } catch (error) {
        if (!mayBeHalf()) throw error;
      }
    }
    if (this.#content && mayBeHalf()) throw this.invalid("another program is writing it");
    return this.#parse(this.#text((path) => readSettledText(path, this.#options.staleMs)));
  }

  #text(read: (path: string) => string | undefined = readTextIfExists): string | undefined {
    try {
      return read(this.path);
    } catch (error) {
      throw this.invalid(reasonOf(error));
    }
  }

  /** The error for content that cannot be used. @param reason without a full stop, and without a piece of the content */
  invalid(reason: string): JsonFileError {
    return new JsonFileError(`Invalid ${this.#options.title} ${this.path}: ${reason}. Correct or remove it.`);
  }
}

function indented(content: JsonFileContent): string {
  return JSON.stringify(content, null, 2);
}

/** Half-written successors of processes that were killed. Whoever writes holds the lock, so they are nobody's. */
function removeLeftovers(path: string): void {
  const prefix = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(prefix) && name.endsWith(".tmp")) rmSync(join(dirname(path), name), { force: true });
  }
}

function revisionOf(stats: Stats | undefined): string | undefined {
  return stats && `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
}
