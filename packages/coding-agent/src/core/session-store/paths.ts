/** Where session files live and what they are called. Source: sessions.md section 1. */
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { homeFolder } from "../../config.js";

/** Folder name for the sessions of a working directory. Not reversible: the header's `cwd` is the truth. */
export function encodeCwd(cwd: string): string {
  return `--${resolve(cwd)
    .replace(/^[/\\]/, "")
    .replace(/[/\\:]/g, "-")}--`;
}

/** The default folder for sessions of `cwd`. */
export function defaultSessionDir(agentDir: string, cwd: string): string {
  return join(agentDir, "sessions", encodeCwd(cwd));
}

/** `<ISO time>_<id>.jsonl` with the characters a file system may refuse replaced. */
export function sessionFileName(timestamp: string, id: string): string {
  return `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`;
}

/** Accepts `~`, `file:` URLs and relative paths. */
export function resolveUserPath(path: string, cwd: string = process.cwd()): string {
  if (path.startsWith("file:")) return fileURLToPath(path);
  if (path === "~") return homeFolder();
  if (path.startsWith("~/") || path.startsWith("~\\")) return join(homeFolder(), path.slice(2));
  return isAbsolute(path) ? path : resolve(cwd, path);
}

const idPattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

/** @throws for ids that could not be a file name everywhere */
export function assertSessionId(id: string): void {
  if (idPattern.test(id)) return;
  throw new Error(
    "Session id must be non-empty, contain only alphanumeric characters, '-', '_', and '.', and start and end with an " +
      "alphanumeric character",
  );
}
