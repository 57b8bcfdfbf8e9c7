import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";

/**
 * Makes the folder, which only its owner may enter.
 * @param ownFiles beginnings of names: any file with one of them says that it is what it shall be
 * @throws when it is somebody else's, or is used for something else: whoever names their home here would be locked out of it
 */
export function makePrivateFolder(path: string, ownFiles: readonly string[]): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(path);
  const self = process.getuid?.();
  if (self !== undefined && uid !== self) {
    throw new Error(`${path} belongs to another user (${uid}). Set PI_ORCHESTRATOR_DIR to a folder of your own.`);
  }
  const names = readdirSync(path);
  if (names.length > 0 && !names.some((name) => ownFiles.some((own) => name.startsWith(own)))) {
    throw new Error(
      `${path} has other files in it, and none of an orchestrator. Set PI_ORCHESTRATOR_DIR to a new or empty folder.`,
    );
  }
  if (self !== undefined && (mode & 0o077) !== 0) chmodSync(path, 0o700);
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The text of a small file, which is made when there is none. Its owner alone may read it. */
export function readOrMake(path: string, make: () => string): string {
  try {
    writeFileSync(path, make(), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(path, "utf8").trim();
}
