import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writePieces, writePiecesInTurns } from "./atomic-file.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "pi-atomic-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe.each([
  ["at once", async (path: string, pieces: Iterable<Uint8Array>) => writePieces(path, pieces)],
  ["in turns", writePiecesInTurns],
])("a file that is replaced %s", (_how, write) => {
  it("has all pieces, and keeps its mode", async () => {
    const path = join(dir, "a", "file");
    await write(path, [Buffer.from("one "), Buffer.from("two")]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(join(dir, "old"), "old", { mode: 0o644 });
    await write(join(dir, "old"), [Buffer.from("new")]);
    expect([readFileSync(path, "utf8"), readFileSync(join(dir, "old"), "utf8")]).toEqual(["one two", "new"]);
    expect(statSync(join(dir, "old")).mode & 0o777).toBe(0o644);
  });

  it("stays as it was when its pieces cannot be made", async () => {
    const path = join(dir, "file");
    writeFileSync(path, "old");
    function* pieces() {
      yield Buffer.from("half");
      throw new Error("no more");
    }
    await expect(write(path, pieces())).rejects.toThrow("no more");
    expect(readdirSync(dir)).toEqual(["file"]);
    expect(readFileSync(path, "utf8")).toBe("old");
  });

  it("is named when it cannot be written, not the one that was to take its place", async () => {
    const loop = join(dir, "loop");
    symlinkSync(loop, loop);
    writeFileSync(join(dir, "plain"), "");
    for (const [path, reason] of [
      [loop, "a link leads in circles (ELOOP)"],
      [join(dir, "plain", "file"), "a file is in the way (EEXIST)"],
    ] as const) {
      await expect(write(path, [])).rejects.toThrow(`Cannot write ${path}: ${reason}`);
    }
    expect(readdirSync(dir).sort()).toEqual(["loop", "plain"]);
  });

  it("and is named when the disk is full", async () => {
    const { writeSync } = fs;
    try {
      fs.writeSync = () => {
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      };
      syncBuiltinESMExports();
      await expect(write(join(dir, "file"), [Buffer.from("x")])).rejects.toThrow(
        `Cannot write ${join(dir, "file")}: the disk is full (ENOSPC)`,
      );
    } finally {
      fs.writeSync = writeSync;
      syncBuiltinESMExports();
    }
    expect(readdirSync(dir)).toEqual([]);
  });

  it("is no folder", async () => {
    await expect(write(dir, [])).rejects.toThrow("it is a directory. Name a file.");
  });
});

it("in turns, other work has its own between two slow pieces", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  function* slow() {
    for (let piece = 0; piece < 5; piece++) {
      const end = performance.now() + 30;
      while (performance.now() < end);
      yield Buffer.from("x");
    }
  }
  await writePiecesInTurns(join(dir, "file"), slow());
  clearInterval(timer);
  expect(turns).toBeGreaterThan(2);
});
