import { existsSync, type FSWatcher, statSync, watch } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readTextIfExists } from "../../../core/storage/read-text.js";

const SETTLE_MS = 100;

/** The branch that is checked out in a directory, and when it becomes another one. */
export class GitBranch {
  #branch: string | undefined;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(cwd: string) {
    const folder = gitFolder(cwd);
    if (folder === undefined) return;
    this.#branch = branchOf(folder);
    try {
      // The folder, because git puts a new HEAD in the place of the old one.
      this.#watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name !== null && name !== "HEAD") return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#look(folder), SETTLE_MS);
        this.#timer.unref();
      });
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      // A system without watching: the branch of the start stays.
    }
  }

  /** `detached` when no branch is checked out; undefined outside of repositories. */
  get name(): string | undefined {
    return this.#branch;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#watcher?.close();
    clearTimeout(this.#timer);
  }

  #look(folder: string): void {
    const branch = branchOf(folder);
    if (branch === this.#branch) return;
    this.#branch = branch;
    for (const listener of [...this.#listeners]) listener();
  }
}

function gitFolder(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const path = join(folder, ".git");
    if (existsSync(path)) return followed(path, folder);
    if (dirname(folder) === folder) return undefined;
  }
}

/** In a worktree `.git` is a file that names the folder. */
function followed(path: string, folder: string): string | undefined {
  try {
    if (statSync(path).isDirectory()) return path;
    const named = /^gitdir: (.+)/.exec(readTextIfExists(path) ?? "")?.[1]?.trim();
    return named === undefined ? undefined : resolve(folder, named);
  } catch {
    return undefined;
  }
}

function branchOf(folder: string): string | undefined {
  try {
    const head = (readTextIfExists(join(folder, "HEAD")) ?? "").trim();
    return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? "detached";
  } catch {
    return undefined;
  }
}
