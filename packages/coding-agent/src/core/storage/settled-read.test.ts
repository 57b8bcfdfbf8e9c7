import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { inTemporaryFolder } from "../../../test/temporary-folder.js";
import { AuthStorage } from "../models/auth-storage.js";
import { ModelsFileStore } from "../models/models-file-store.js";
import { SettingsManager } from "../settings/settings-manager.js";
import { ProjectTrustStore } from "../trust-manager.js";
import { withFileLock } from "./file-lock.js";
import { readSettledText } from "./settled-read.js";

let dir: string;
let writer: ChildProcess | undefined;
inTemporaryFolder("pi-settled-", (path) => {
  dir = path;
});
afterEach(() => void writer?.kill());

/** Another program, which writes in place: the files are empty, then a half is there, then all. Reading blocks this one. */
async function writeSlowly(files: Record<string, string>): Promise<void> {
  const script = `
    const { mkdirSync, rmdirSync, writeFileSync } = require("node:fs");
    const files = ${JSON.stringify(files)};
    for (const path of Object.keys(files)) { mkdirSync(path + ".lock"); writeFileSync(path, ""); }
    console.log("locked");
    const half = () => { for (const [path, text] of Object.entries(files)) writeFileSync(path, text.slice(0, 9)); };
    const whole = () => {
      for (const [path, text] of Object.entries(files)) { writeFileSync(path, text); rmdirSync(path + ".lock"); }
    };
    setTimeout(half, 200);
    setTimeout(whole, 400);`;
  writer = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(writer.stdout as NodeJS.ReadableStream, "data");
}

describe("a file that another program is writing", () => {
  it("is read once it is whole: settings, trust, credentials, catalogues", async () => {
    const key = { type: "api_key", key: "k" } as const;
    await writeSlowly({
      [join(dir, "settings.json")]: '{"defaultModel":"later"}',
      [join(dir, "trust.json")]: JSON.stringify({ [dir]: true }),
      [join(dir, "auth.json")]: JSON.stringify({ scripted: key }),
      [join(dir, "models-store.json")]: JSON.stringify({ scripted: { models: [] } }),
    });
    const settings = SettingsManager.create(dir, dir);
    expect(settings.getSettings()).toEqual({ defaultModel: "later" });
    expect(settings.drainErrors()).toEqual([]);
    expect(new ProjectTrustStore(dir).get(dir)).toBe(true);
    expect(AuthStorage.create(join(dir, "auth.json")).get("scripted")).toEqual(key);
    expect(new ModelsFileStore(join(dir, "models-store.json")).get("scripted")).toEqual({ models: [] });
    expect(readdirSync(dir).sort()).toEqual(["auth.json", "models-store.json", "settings.json", "trust.json"]);
  });

  it("each of them waits by itself", async () => {
    for (const read of [
      (path: string) => new ProjectTrustStore(path).get(dir),
      (path: string) => AuthStorage.create(join(path, "auth.json")).get("scripted")?.type,
      (path: string) => new ModelsFileStore(join(path, "models-store.json")).get("scripted")?.models.length,
    ]) {
      await writeSlowly({
        [join(dir, "trust.json")]: JSON.stringify({ [dir]: true }),
        [join(dir, "auth.json")]: '{"scripted":{"type":"api_key","key":"k"}}',
        [join(dir, "models-store.json")]: JSON.stringify({ scripted: { models: [1] } }),
      });
      expect(read(dir)).toBeTruthy();
      await once(writer as ChildProcess, "close");
    }
  });

  it("keeps what was read before, where there is something", async () => {
    const path = join(dir, "auth.json");
    writeFileSync(path, '{"scripted":{"type":"api_key","key":"old"}}');
    const storage = AuthStorage.create(path);
    expect(storage.get("scripted")).toMatchObject({ key: "old" });
    mkdirSync(`${path}.lock`);
    for (const half of ["", '{"scr']) {
      writeFileSync(path, half);
      expect(storage.get("scripted")).toMatchObject({ key: "old" });
    }
  });
});

describe("a lock that says nothing about the file", () => {
  const staleMs = 60_000;
  let path: string;
  const text = "{}";
  const lock = () => {
    path = join(dir, "file.json");
    writeFileSync(path, text);
    mkdirSync(`${path}.lock`);
  };

  it("is not waited for when it is abandoned", () => {
    lock();
    utimesSync(`${path}.lock`, 1, 1);
    expect(readSettledText(path, staleMs)).toBe(text);
  });

  it("is not waited for when its holder writes in one step, also through a link", async () => {
    path = join(dir, "file.json");
    writeFileSync(path, text);
    symlinkSync(path, join(dir, "link.json"));
    await withFileLock(path, { staleMs }, async () => {
      expect(readSettledText(path, staleMs)).toBe(text);
      expect(readSettledText(join(dir, "link.json"), staleMs)).toBe(text);
    });
  });

  it("is none of a file that is not there, and none is made", () => {
    path = join(dir, "none.json");
    mkdirSync(`${path}.lock`);
    expect(readSettledText(path, staleMs)).toBeUndefined();
    expect(readdirSync(dir)).toEqual(["none.json.lock"]);
  });

  it("and that is held too long is named", () => {
    lock();
    // Its holder shows that he lives, for ever.
    utimesSync(`${path}.lock`, 9e9, 9e9);
    let now = Date.now();
    const clock = vi.spyOn(Date, "now").mockImplementation(() => {
      now += 20_000;
      return now;
    });
    try {
      expect(() => readSettledText(path, staleMs)).toThrow(`${path}.lock is held by another process. Remove it if`);
    } finally {
      clock.mockRestore();
    }
  });
});
