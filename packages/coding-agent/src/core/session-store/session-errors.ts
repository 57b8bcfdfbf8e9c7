/** Another process writes the session. Nothing was written. Source: sessions.md section 11. */
export class SessionInUseError extends Error {
  override name = "SessionInUseError";
  readonly code = "session_in_use";

  constructor(
    readonly pid: number,
    /** ISO 8601. */
    readonly since: string,
    readonly file: string,
  ) {
    super(`Session is in use by pid ${pid} since ${since}: ${file}. Use --fork.`);
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
