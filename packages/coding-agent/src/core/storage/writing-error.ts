/** A file that could not be written, in words for the user. */
export class UnwritableFileError extends Error {
  override name = "UnwritableFileError";
  /** Of the operating system. */
  readonly code: string;

  constructor(path: string, code: string, reason: string) {
    super(`Cannot write ${path}: ${reason} (${code})`);
    this.code = code;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "no more room is allowed there",
  EROFS: "its file system cannot be written",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  ELOOP: "a link leads in circles",
  ENOENT: "its folder cannot be made",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "a file is in the way",
  EIO: "the disk fails",
};

/** What the operating system says in words; every other error as it is. */
export function writingError(path: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const reason = typeof code === "string" && Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  if (code === undefined || reason === undefined || error instanceof UnwritableFileError) return error;
  return new UnwritableFileError(path, code, reason);
}
