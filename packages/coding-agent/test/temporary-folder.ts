import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** Gives each test of the file a folder of its own, which is removed after it. */
export function inTemporaryFolder(prefix: string, enter: (path: string) => void): void {
  let path: string;
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), prefix));
    enter(path);
  });
  afterEach(() => {
    rmSync(path, { recursive: true, force: true });
  });
}
