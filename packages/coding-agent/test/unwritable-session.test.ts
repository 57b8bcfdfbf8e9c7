import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedTurn } from "@pi/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { usePi } from "./pi.js";

const startPi = usePi();
const say = (text: string): ScriptedTurn => ({ blocks: [{ type: "text", text }] });

let disk: string | undefined;
afterEach(() => {
  if (disk) execFileSync("umount", ["-l", disk]);
  disk = undefined;
});

/** A file system of 64 KB; undefined where this process may not mount one. */
function mountSmallDisk(path: string): string | undefined {
  mkdirSync(path);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", path], { stdio: "ignore" });
    disk = path;
  } catch {
    disk = undefined;
  }
  return disk;
}

/** Leaves no byte free. */
function fill(folder: string): () => void {
  const path = join(folder, "ballast");
  try {
    for (let written = 0; written < 100; written++) writeFileSync(path, Buffer.alloc(4096), { flag: "a" });
  } catch {
    // Full.
  }
  return () => rmSync(path);
}

const long = (word: string) => `${word} `.repeat(2000);

describe("a full disk", () => {
  it("what was typed is kept, and in the file once there is room", async (context) => {
    const pi = await startPi([say("one"), say("two")]);
    const folder = join(pi.home, "disk");
    if (!mountSmallDisk(folder)) return context.skip("mounting a file system needs more rights");
    const rpc = pi.rpc(["--session-dir", folder]);
    await rpc.run("first");
    const empty = fill(folder);
    const failed = await rpc.run(long("typed"));
    expect(failed.find(({ type }) => type === "agent_end")?.["messages"]).toMatchObject([
      { stopReason: "error", errorMessage: expect.stringMatching(/^Session file could not be written: .*ENOSPC/) },
    ]);
    const { entries } = await rpc.ok("get_entries");
    expect(JSON.stringify(entries)).toContain(long("typed"));
    empty();
    await rpc.run("after");
    rpc.child.stdin.end();
    expect(await rpc.exit).toEqual({ code: 0, signal: null });
    const [name] = readdirSync(folder).filter((one) => one.endsWith(".jsonl"));
    const lines = readFileSync(join(folder, name as string), "utf8")
      .trimEnd()
      .split("\n");
    const texts = lines.map((line) => JSON.parse(line).message).filter((message) => message?.role === "user");
    expect(texts.map(({ content }) => content[0].text)).toEqual(["first", long("typed"), "after"]);
    expect(rpc.stderr).toMatch(/^Warning: Session file could not be written/);
    expect(rpc.stderr).toContain("is in the session file now");
    expect(rpc.stderr).not.toContain("Lost message");
    expect(JSON.stringify(pi.server.requests[1]?.conversation)).toContain(long("typed"));
  });

  it("the end of the process says what is lost", async (context) => {
    const pi = await startPi([say("one")]);
    const folder = join(pi.home, "disk");
    if (!mountSmallDisk(folder)) return context.skip("mounting a file system needs more rights");
    const rpc = pi.rpc(["--session-dir", folder]);
    await rpc.run("first");
    fill(folder);
    await rpc.run(long("typed"));
    rpc.child.stdin.end();
    await rpc.exit;
    expect(rpc.stderr).toMatch(
      /Error: Entries that could not be written .* process: 2\. File: .*\.jsonl\n {2}Lost message: typed /,
    );
  });

  it("print mode says it too", async (context) => {
    const pi = await startPi([say("one")]);
    const folder = join(pi.home, "disk");
    if (!mountSmallDisk(folder)) return context.skip("mounting a file system needs more rights");
    fill(folder);
    const run = await pi.pi(["--session-dir", folder, "-p", long("typed")]);
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toMatch(/^Session file .*ENOSPC/m);
    expect(run.stderr).toContain("Lost message: typed");
    expect(readdirSync(folder)).toEqual(["ballast"]);
  });
});
