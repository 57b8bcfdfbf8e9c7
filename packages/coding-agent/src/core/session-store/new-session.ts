/** Headers, names and places of new sessions. Source: sessions.md section 1. */
import { join } from "node:path";
import { uuidv7 } from "@earendil-works/pi-ai";
import { getAgentDir } from "../../config.js";
import { CURRENT_SESSION_VERSION, type FileEntry, type SessionHeader } from "./entries.js";
import { isSessionHeader, migrateSessionEntries } from "./parse.js";
import { assertSessionId, defaultSessionDir, resolveUserPath, sessionFileName } from "./paths.js";
import { SessionFile } from "./session-file.js";
import type { SessionFileOptions } from "./session-file-options.js";

export interface NewSessionOptions {
  /** Default: a fresh UUIDv7. */
  id?: string | undefined;
  /** Absolute path of the session this one comes from. */
  parentSession?: string | undefined;
}

/** @throws for an id that cannot be one */
export function newHeader(cwd: string, { id, parentSession }: NewSessionOptions): SessionHeader {
  if (id !== undefined) assertSessionId(id);
  return {
    type: "session",
    version: CURRENT_SESSION_VERSION,
    id: id ?? uuidv7(),
    timestamp: new Date().toISOString(),
    cwd,
    ...(parentSession && { parentSession }),
  };
}

/** A session without entries, its file to come. */
export function newFile(header: SessionHeader, dir: string, options: SessionFileOptions): SessionFile {
  return new SessionFile(header, pathFor(header, dir), options);
}

/** A session that has no file, with copies of these entries, which may be of older formats. */
export function memoryFile(cwd: string, options: NewSessionOptions, entries: readonly FileEntry[]): SessionFile {
  const copies = structuredClone([...entries]);
  migrateSessionEntries(copies);
  const file = new SessionFile(copies.find(isSessionHeader) ?? newHeader(cwd, options), undefined);
  for (const entry of copies) if (entry.type !== "session") file.store.hold(entry);
  file.store.settle();
  return file;
}

/** Where the file of a session lies in its folder. */
export function pathFor({ timestamp, id }: SessionHeader, dir: string): string {
  return join(dir, sessionFileName(timestamp, id));
}

/** The working directory of a session. */
export function cwdOf({ cwd }: SessionHeader): string {
  return typeof cwd === "string" ? cwd : process.cwd();
}

/** The folder for the sessions of a working directory. */
export function dirFor(cwd: string, sessionDir: string | undefined): string {
  return sessionDir ? resolveUserPath(sessionDir) : defaultSessionDir(getAgentDir(), cwd);
}

/** The error for a source that is no session. */
export function cannotFork(path: string): Error {
  return new Error(`Cannot fork: source session file is empty or invalid: ${path}`);
}
