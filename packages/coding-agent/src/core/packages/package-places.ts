import { createHash } from "node:crypto";
import { join } from "node:path";
import { CONFIG_DIR_NAME } from "../../config.js";
import type { GitSource, NpmSource, ParsedSource } from "./package-source.js";

/** `temporary`: for one start (`-e`). */
export type PackageScope = "user" | "project" | "temporary";

/** Where packages lie. Source: extensions.md section 10.2. */
export class PackagePlaces {
  readonly #agentDir: string;
  readonly #cwd: string;

  constructor(cwd: string, agentDir: string) {
    this.#cwd = cwd;
    this.#agentDir = agentDir;
  }

  /** The folder of a package, whether it is there or not. */
  folder(source: ParsedSource, scope: PackageScope): string {
    switch (source.type) {
      case "local":
        return source.path;
      case "npm":
        return join(this.npmRoot(source, scope), "node_modules", source.name);
      case "git": {
        const { host, path } = source;
        if (scope !== "temporary") return join(this.#base(scope), "git", host, path);
        return join(this.#temporary, `git-${host}`, hash(`${host}/${path}@${source.ref ?? ""}`), path);
      }
    }
  }

  /** Where npm installs. */
  npmRoot(source: NpmSource, scope: PackageScope): string {
    if (scope === "temporary") return join(this.#temporary, "npm", hash(source.spec));
    return join(this.#base(scope), "npm");
  }

  /** What is made ready once before anything is put there. */
  installRoot(source: NpmSource | GitSource, scope: PackageScope): string {
    if (source.type === "npm") return this.npmRoot(source, scope);
    return scope === "temporary" ? this.#temporary : join(this.#base(scope), "git");
  }

  /** What the settings of a scope are relative to. */
  settingsDir(scope: PackageScope): string {
    return scope === "temporary" ? this.#cwd : this.#base(scope);
  }

  get #temporary(): string {
    return join(this.#agentDir, "tmp", "extensions");
  }

  #base(scope: PackageScope): string {
    return scope === "project" ? join(this.#cwd, CONFIG_DIR_NAME) : this.#agentDir;
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
