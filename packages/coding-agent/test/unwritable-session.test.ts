import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
    expect(failed.find(({ type }) => type === "agent_end")?.["messages"].slice(-1)).toMatchObject([
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

  it("the session is not left before what was typed is in its file", async (context) => {
    const pi = await startPi([say("one")]);
    const folder = join(pi.home, "disk");
    if (!mountSmallDisk(folder)) return context.skip("mounting a file system needs more rights");
    const rpc = pi.rpc(["--session-dir", folder]);
    await rpc.run("first");
    const empty = fill(folder);
    await rpc.run(long("typed"));
    const refused = await rpc.call("new_session");
    expect(refused).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Cannot begin another session: \d+ /),
    });
    empty();
    expect(await rpc.ok("new_session")).toEqual({ cancelled: false });
    const [name] = readdirSync(folder).filter((one) => one.endsWith(".jsonl"));
    expect(readFileSync(join(folder, name as string), "utf8")).toContain(long("typed"));
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
    expect(run.stderr.match(/ENOSPC/g)).toHaveLength(1);
    expect(run.stderr).toContain("Lost message: typed");
    expect(readdirSync(folder)).toEqual(["ballast"]);
  });

  it("no clone or fork is made there, and the error says where and what to do", async (context) => {
    const pi = await startPi([say("one"), say("two")]);
    const folder = join(pi.home, "disk");
    if (!mountSmallDisk(folder)) return context.skip("mounting a file system needs more rights");
    const rpc = pi.rpc(["--session-dir", folder]);
    for (const text of ["first", "second"]) await rpc.run(text);
    const { sessionFile } = await rpc.ok("get_state");
    const { messages } = await rpc.ok("get_fork_messages");
    const makeRoom = fill(folder);
    const error = expect.stringMatching(
      /^Session file could not be written: \/.*\.jsonl: ENOSPC.* Make room or allow writing there, then try again\.$/,
    );
    expect(await rpc.call("clone")).toMatchObject({ success: false, error });
    expect(await rpc.call("fork", { entryId: messages[1].entryId })).toMatchObject({ success: false, error });
    expect(await rpc.ok("get_state")).toMatchObject({ sessionFile });
    makeRoom();
    expect(await rpc.ok("clone")).toMatchObject({ cancelled: false });
    rpc.child.stdin.end();
    expect(await rpc.exit).toMatchObject({ code: 0 });
  });
});

describe.skipIf(process.platform === "win32")("a session that may only be read", () => {
  const time = "2026-11-30T08:27:32.913Z";
  const header = (version: number, cwd: string) =>
    `${JSON.stringify({ type: "session", version, id: "s1", timestamp: time, cwd })}\n`;
  const message = { role: "user", content: "kept words", timestamp: 1 };
  const entry = `${JSON.stringify({ type: "message", id: "a", parentId: null, timestamp: time, message })}\n`;

  /** A session in a folder of its own, with these rights. */
  async function sessionWith(
    text: (cwd: string) => string,
    fileMode: number,
    folderMode: number,
    script: ScriptedTurn[],
  ) {
    const pi = await startPi(script);
    const folder = join(pi.home, "talks");
    const path = join(folder, "s.jsonl");
    mkdirSync(folder);
    writeFileSync(path, text(pi.cwd));
    pi.dropRights();
    chmodSync(path, fileMode);
    chmodSync(folder, folderMode);
    return { pi, path, folder, before: readFileSync(path) };
  }

  const current = (cwd: string) => header(3, cwd) + entry;

  it.each<[string, (cwd: string) => string, number, number]>([
    ["its folder is for reading only", current, 0o600, 0o500],
    ["its file is for reading only", current, 0o400, 0o700],
    ["its file, torn, is for reading only", (cwd) => `${current(cwd)}{"type":"mess`, 0o400, 0o700],
    ["folder and file are for reading only, the file torn", (cwd) => `${current(cwd)}{"type":"mess`, 0o400, 0o500],
    ["its format is older, its folder for reading only", (cwd) => header(2, cwd) + entry, 0o600, 0o500],
  ])("%s: RPC mode opens it, and says so", async (_, text, fileMode, folderMode) => {
    const { pi, path, before } = await sessionWith(text, fileMode, folderMode, [say("never")]);
    const rpc = pi.rpc(["--session", path]);
    const { entries } = await rpc.ok("get_entries");
    expect(entries).toMatchObject([{ id: "a", message }]);
    expect(await rpc.ok("get_state")).toMatchObject({ sessionFile: path });
    expect(rpc.stderr).toMatch(/^Warning: Session file .*s\.jsonl/m);
    const run = await rpc.run("what was typed");
    expect(run.find(({ type }) => type === "agent_end")?.["messages"].slice(-1)).toMatchObject([
      {
        stopReason: "error",
        errorMessage: expect.stringMatching(
          /^Session (?:file (?:could not be written|cannot be locked for writing)|is open for reading only)/,
        ),
      },
    ]);
    expect(pi.server.requests).toHaveLength(0);
    // Switching to it is the same.
    expect(await rpc.ok("switch_session", { sessionPath: path })).toMatchObject({ cancelled: false });
    rpc.child.stdin.end();
    expect(await rpc.exit).toEqual({ code: 0, signal: null });
    expect(readFileSync(path)).toEqual(before);
  });

  it("its format is newer: RPC mode opens it, says so, and refuses a prompt", async () => {
    const { pi, path, before } = await sessionWith((cwd) => header(4, cwd) + entry, 0o600, 0o700, [say("never")]);
    const rpc = pi.rpc(["--session", path]);
    expect(await rpc.ok("get_entries")).toMatchObject({ entries: [{ id: "a", message }] });
    expect(rpc.stderr).toMatch(/^Warning: Session file has a newer format \(version 4\)/m);
    const text = expect.stringMatching(/^Session is open for reading only \(its format version 4 is newer than 3\)/);
    expect(await rpc.call("prompt", { message: "typed" })).toMatchObject({ success: false, error: text });
    rpc.child.stdin.end();
    await rpc.exit;
    expect(readFileSync(path)).toEqual(before);
  });

  it("an empty file that is for reading only: as well", async () => {
    const { pi, path } = await sessionWith(() => "", 0o400, 0o700, [say("never")]);
    const rpc = pi.rpc(["--session", path]);
    expect(await rpc.ok("get_state")).toMatchObject({ sessionFile: path });
    expect(rpc.stderr).toMatch(/^Warning: Session file .*s\.jsonl/m);
  });

  it("what is typed is kept, and written once that is allowed", async () => {
    const { pi, path, folder } = await sessionWith(current, 0o400, 0o500, [say("yes")]);
    const rpc = pi.rpc(["--session", path]);
    await rpc.run("what was typed");
    chmodSync(folder, 0o700);
    chmodSync(path, 0o600);
    await rpc.run("again");
    rpc.child.stdin.end();
    await rpc.exit;
    const texts = readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).message);
    const typed = texts.filter((one) => one?.role === "user").map(({ content }) => content[0].text ?? content);
    expect(typed).toEqual(["kept words", "what was typed", "again"]);
  });

  it.each([
    [0o600, 0o500],
    [0o400, 0o700],
  ])("print mode asks no model first (file %o, folder %o)", async (fileMode, folderMode) => {
    const { pi, path, before } = await sessionWith(current, fileMode, folderMode, [say("never")]);
    const run = await pi.pi(["--session", path, "-p", "x"]);
    expect(run).toMatchObject({ stdout: "", code: 1 });
    expect(run.stderr).toContain(path);
    expect(pi.server.requests).toHaveLength(0);
    expect(readFileSync(path)).toEqual(before);
  });
});

describe.skipIf(process.platform === "win32")("a new session in a folder that may only be read", () => {
  it.each([[[]], [["--session-id", "mine"]]])("is kept in memory, and said: %j", async (args) => {
    const pi = await startPi([say("an answer")]);
    const sessions = join(pi.agentDir, "sessions");
    mkdirSync(sessions);
    pi.dropRights();
    chmodSync(sessions, 0o500);
    const run = await pi.pi([...args, "-p", "x"]);
    expect(run).toMatchObject({ stdout: "an answer\n", code: 0 });
    expect(run.stderr).toMatch(/^Warning: This session is not saved: \/.* Name another place with --session-dir\.$/m);
    expect(readdirSync(sessions)).toEqual([]);
  });

  it("is an error when that folder was named", async () => {
    const pi = await startPi([say("never")]);
    const folder = join(pi.home, "talks");
    mkdirSync(folder);
    pi.dropRights();
    chmodSync(folder, 0o500);
    const run = await pi.pi(["--session-dir", folder, "-p", "typed"]);
    expect(run).toMatchObject({ stdout: "", code: 1 });
    expect(run.stderr).toContain(folder);
    expect(pi.server.requests).toHaveLength(0);
  });
});
