/** Another process writes the session. Nothing was written. Source: sessions.md section 11. */
export class SessionInUseError extends Error {
  override name = "SessionInUseError";
  readonly code = "session_in_use";

  constructor(
    /** 0 = the lock does not say it. */
    readonly pid: number,
    /** ISO 8601. */
    readonly since: string,
    readonly file: string,
  ) {
    super(
      pid > 0
        ? `Session is in use by pid ${pid} since ${since}: ${file}. Use --fork.`
        : `Session is in use by a process that its lock does not name, last seen at ${since}: ${file}. Use --fork.`,
    );
  }
}

/** The session was opened for reading only. Nothing was written. */
export class SessionReadOnlyError extends Error {
  override name = "SessionReadOnlyError";
  readonly code = "session_read_only";

  constructor(
    readonly file: string,
    reason: string,
  ) {
    super(`Session is open for reading only (${reason}): ${file}. Use --fork.`);
  }
}

/** A file that holds something else. It stays as it is. */
export class InvalidSessionError extends Error {
  override name = "InvalidSessionError";

  constructor(readonly file: string) {
    super(`Session file is not a valid pi session: ${file}`);
  }
}

/** What an entry is not kept for: it could never be written. */
export function isRefusal(error: unknown): boolean {
  return error instanceof SessionInUseError || error instanceof SessionReadOnlyError;
}

/** The session could not be written. Its entry is in memory, and is written before any later one. */
export class SessionUnsavedError extends Error {
  override name = "SessionUnsavedError";
  readonly code = "session_unsaved";

  constructor(
    readonly file: string,
    /** Entries that wait. */
    readonly count: number,
    override readonly cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const what = reason.startsWith("Session file ") ? reason : `Session file could not be written: ${file}: ${reason}`;
    super(`${what.replace(/\.$/, "")}. ${entriesAre(count)} kept in memory and written as soon as that works.`);
  }
}

/** As in `1 entry is lost`. */
export function entriesAre(count: number): string {
  return count === 1 ? "1 entry is" : `${count} entries are`;
}

/**
 * For entries whose writing nobody waits for: one that is kept in memory until it can be written is no failure. What the
 * session's file met is told by its diagnostics.
 */
export function unlessUnsaved<T>(append: () => T): T | undefined {
  try {
    return append();
  } catch (error) {
    if (error instanceof SessionUnsavedError) return undefined;
    throw error;
  }
}

/** The directory that a session belongs to is gone. Source: sessions.md section 1. */
export class MissingSessionCwdError extends Error {
  override name = "MissingSessionCwdError";
  readonly code = "missing_session_cwd";

  constructor(readonly issue: { sessionFile?: string | undefined; sessionCwd: string; fallbackCwd: string }) {
    super(
      [
        `Stored session working directory does not exist: ${issue.sessionCwd}`,
        ...(issue.sessionFile === undefined ? [] : [`Session file: ${issue.sessionFile}`]),
        `Current working directory: ${issue.fallbackCwd}`,
      ].join("\n"),
    );
  }
}

/** There is no file to import. Source: sessions.md section 4. */
export class SessionImportFileNotFoundError extends Error {
  override name = "SessionImportFileNotFoundError";
  readonly code = "session_import_file_not_found";

  constructor(readonly path: string) {
    super(`File not found: ${path}`);
  }
}
