/** What the operating system says about a file, in words for the user. */
export function readingError(path: string, error: unknown): Error {
  const { code, path: named } = error as NodeJS.ErrnoException;
  if (code === "EISDIR") {
    const text = `Cannot read ${path}: it is a directory, but a file is expected there. Move it away or name a file.`;
    return Object.assign(new Error(text, { cause: error }), { code, path });
  }
  // Errors of opening name the path, those of reading do not.
  if (named !== undefined || !(error instanceof Error)) return error as Error;
  return Object.assign(new Error(`Cannot read ${path}: ${error.message}`, { cause: error }), { code, path });
}
