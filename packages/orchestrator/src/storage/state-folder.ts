import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";

/**
 * Makes the folder, which only its owner may enter.
 * @throws when it is somebody else's
 */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(path);
  const self = process.getuid?.();
  if (self === undefined) return;
  if (uid !== self) {
    throw new Error(`${path} belongs to another user (${uid}). Set PI_ORCHESTRATOR_DIR to a folder of your own.`);
  }
  if ((mode & 0o077) !== 0) chmodSync(path, 0o700);
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
