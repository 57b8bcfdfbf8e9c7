import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../../../test/temporary-folder.js";
import { JsonFile, type JsonFileOptions } from "./json-file.js";
import { UnwritableFileError, writingError } from "./writing-error.js";

let dir: string;
inTemporaryFolder("pi-json-file-", (path) => {
  dir = path;
});
const file = (options: Partial<JsonFileOptions> = {}) =>
  new JsonFile(join(dir, "x.json"), { title: "test file", staleMs: 10_000, ...options });
const modeOf = (name: string) => statSync(join(dir, name)).mode & 0o777;

describe.skipIf(process.platform === "win32")("rights", () => {
  it.each<[true | undefined, number]>([
    [undefined, 0o644],
    [true, 0o600],
  ])("of a file that others may read, secret %s: %o", async (isSecret, mode) => {
    writeFileSync(join(dir, "x.json"), "{}");
    chmodSync(join(dir, "x.json"), 0o644);
    await file(isSecret && { isSecret }).modify(async () => ({ a: 1 }));
    expect(modeOf("x.json")).toBe(mode);
    expect(readFileSync(join(dir, "x.json"), "utf8")).toContain('"a": 1');
  });
});

describe.skipIf(process.platform === "win32")("what cannot be written", () => {
  it("a link in circles is said, in reading and in writing", async () => {
    symlinkSync("x.json", join(dir, "x.json"));
    const said = `Invalid test file ${join(dir, "x.json")}: it is a link that leads in circles. Correct or remove it.`;
    expect(() => file().read()).toThrow(said);
    await expect(file().modify(async () => ({}))).rejects.toThrow(said);
  });

  it("a folder that is a link to nothing", async () => {
    rmSync(join(dir, "sub"), { force: true });
    symlinkSync("/nowhere/at/all", join(dir, "sub"));
    const path = join(dir, "sub", "x.json");
    const below = new JsonFile(path, { title: "test file", staleMs: 10_000 });
    await expect(below.modify(async () => ({}))).rejects.toThrow(
      `Cannot write ${path}: its folder cannot be made (ENOENT)`,
    );
  });

  it("what the change itself throws stays as it is", async () => {
    const error = Object.assign(new Error("ENOENT: of something else"), { code: "ENOENT" });
    await expect(
      file().modify(async () => {
        throw error;
      }),
    ).rejects.toBe(error);
  });

  it("a folder in its place is none of its content", () => {
    mkdirSync(join(dir, "x.json"));
    expect(() => file().read()).toThrow("it is a directory, but a file is expected there");
  });
});

describe("writingError", () => {
  it.each([
    ["ENOSPC", "the disk is full"],
    ["EROFS", "its file system cannot be written"],
    ["EACCES", "this user may not write there"],
  ])("%s: %s", (code, reason) => {
    const error = writingError("/x", Object.assign(new Error("raw"), { code }));
    expect(error).toMatchObject({ message: `Cannot write /x: ${reason} (${code})`, code });
    expect(writingError("/y", error)).toBe(error);
    expect(error).toBeInstanceOf(UnwritableFileError);
  });

  it.each([[new Error("x")], [Object.assign(new Error("x"), { code: "locked" })], ["text"], [undefined]])(
    "%s stays",
    (error) => {
      expect(writingError("/x", error)).toBe(error);
    },
  );
});
