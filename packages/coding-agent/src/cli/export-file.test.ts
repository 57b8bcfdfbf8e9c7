import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../../test/temporary-folder.js";
import { exportFile } from "./export-file.js";

let dir: string;
inTemporaryFolder("pi-export-", (path) => {
  dir = path;
});

describe.skipIf(process.platform === "win32")("--export of what is no file", () => {
  it.each<[string, (path: string) => void, string]>([
    ["a link to nothing", (path) => symlinkSync("/nowhere/at/all", path), "it is a link to nothing"],
    ["a link in circles", (path) => symlinkSync(path, path), "it is a link that leads in circles"],
    ["a link to a device", (path) => symlinkSync("/dev/zero", path), "it is a device"],
    ["a pipe that nobody writes to", (path) => execFileSync("mkfifo", [path]), "it is a named pipe"],
  ])("%s is told by what it is", async (_, make, reason) => {
    const path = join(dir, "s.jsonl");
    make(path);
    const { problem } = await exportFile(path, join(dir, "page.html"));
    expect(problem).toContain(`Cannot read ${path}: ${reason}`);
    expect(problem?.split("\n")).toHaveLength(1);
  });
});
