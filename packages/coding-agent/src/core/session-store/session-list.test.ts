import fs, { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listAllSessions, listSessions } from "./session-list.js";

const { readdirSync } = fs;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pi-list-"));
  for (const name of ["a", "b"]) {
    mkdirSync(join(root, name));
    const header = { type: "session", version: 3, id: name, timestamp: "2026-11-30T08:27:32.689Z", cwd: `/${name}` };
    writeFileSync(join(root, name, "s.jsonl"), `${JSON.stringify(header)}\n`);
  }
});
afterEach(() => {
  fs.readdirSync = readdirSync;
  syncBuiltinESMExports();
  rmSync(root, { recursive: true, force: true });
});

it("a folder that may not be read hides no session of others", async () => {
  fs.readdirSync = ((path: string) => {
    if (path === join(root, "a")) throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
    return readdirSync(path);
  }) as typeof readdirSync;
  syncBuiltinESMExports();
  expect((await listAllSessions(root)).map(({ id }) => id)).toEqual(["b"]);
});

it.skipIf(process.platform === "win32")(
  "a folder that leads in circles is told, and is none without sessions",
  async () => {
    const loop = join(root, "loop");
    symlinkSync(loop, loop);
    const text = `Session folder cannot be read: ${loop} is a link that leads in circles`;
    await expect(listAllSessions(loop)).rejects.toThrow(text);
    await expect(listSessions([loop], { partialEvery: 1 })).rejects.toThrow(text);
    expect((await listAllSessions(root)).map(({ id }) => id).sort()).toEqual(["a", "b"]);
  },
);
