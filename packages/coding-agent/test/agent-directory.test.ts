import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { useTerminal } from "./interactive/use-terminal.js";
import { type PiFixture, usePi } from "./pi.js";

/** Every mode in every state of the agent directory. */
const startPi = usePi();
const open = useTerminal();
const isRoot = process.getuid?.() === 0;

let mounted: string | undefined;
afterEach(() => {
  if (mounted) execFileSync("umount", ["-l", mounted]);
  mounted = undefined;
});

/** False where this process may not mount. */
function mount(path: string, ...options: string[][]): boolean {
  try {
    for (const words of options) {
      execFileSync("mount", words, { stdio: "ignore" });
      mounted = path;
    }
    return true;
  } catch {
    return false;
  }
}

/** Puts the agent directory on a disk with no byte left. False where this process may not. */
function fullDisk({ home, agentDir }: PiFixture): boolean {
  const copy = join(home, "copy");
  cpSync(agentDir, copy, { recursive: true });
  if (!mount(agentDir, ["-t", "tmpfs", "-o", "size=32k", "tmpfs", agentDir])) return false;
  cpSync(copy, agentDir, { recursive: true });
  try {
    for (;;) writeFileSync(join(agentDir, "ballast"), Buffer.alloc(4096), { flag: "a" });
  } catch {
    // Full.
  }
  return true;
}

interface State {
  name: string;
  /** False: cannot be made here. */
  make: (pi: PiFixture) => unknown;
  /** The program runs as somebody else. */
  asOther?: true;
  /** What stderr, or the screen, says in one line, while the answer is given. */
  says?: RegExp;
  /** No mode can start; why is this one line. */
  refuses?: RegExp;
}

const somebody = { uid: 1234, gid: 1234 };

/** As the program runs as nobody in particular, so belongs the directory to somebody else. */
function giveAway({ agentDir }: PiFixture, mode: number): void {
  for (const name of readdirSync(agentDir)) chmodSync(join(agentDir, name), 0o644);
  for (const name of ["", ...readdirSync(agentDir)]) chownSync(join(agentDir, name), somebody.uid, somebody.gid);
  chmodSync(agentDir, mode);
}

/** Puts something else in the place of an entry. */
function replace({ agentDir }: PiFixture, name: string, by: "loop" | "dangling" | "pipe"): void {
  const path = join(agentDir, name);
  rmSync(path, { recursive: true, force: true });
  if (by === "pipe") execFileSync("mkfifo", [path]);
  else symlinkSync(by === "loop" ? path : "/nowhere/at/all", path);
}

const states: State[] = [
  { name: "with nothing in it but the model", make: ({ agentDir }) => rmSync(join(agentDir, "settings.json")) },
  {
    name: "of another user, to be read",
    make: (pi) => {
      if (!isRoot) return false;
      pi.dropRights();
      giveAway(pi, 0o755);
      return true;
    },
    asOther: true,
    says: /^ *Warning: This session is not saved: \S+ cannot be used with the rights of this/m,
  },
  {
    name: "of another user alone",
    make: (pi) => {
      if (!isRoot) return false;
      pi.dropRights();
      giveAway(pi, 0o700);
      return true;
    },
    asOther: true,
    refuses:
      /^Error: The agent directory cannot be used with the rights of this user: \S+\. Set PI_CODING_AGENT_DIR to/m,
  },
  {
    name: "on a file system that cannot be written",
    make: ({ agentDir }) => mount(agentDir, ["--bind", agentDir, agentDir], ["-o", "remount,bind,ro", agentDir]),
    says: /^ *Warning: This session is not saved: \S+ is on a file system that cannot be/m,
  },
  {
    name: "on a full disk",
    make: (pi) => fullDisk(pi),
    says: /^ *Warning: This session is not saved: \S+ is on a full disk\. Name another place with --session-dir\./m,
  },
  {
    name: "a link to nothing",
    make: (pi) => replace(pi, "", "dangling"),
    refuses: /^Error: The agent directory is a link to nothing: /,
  },
  {
    name: "a link in circles",
    make: (pi) => replace(pi, "", "loop"),
    refuses: /^Error: The agent directory is a link that leads in circles: /,
  },
  {
    name: "a file",
    make: ({ agentDir }) => {
      rmSync(agentDir, { recursive: true });
      writeFileSync(agentDir, "");
    },
    refuses: /^Error: The agent directory is a file: /,
  },
  {
    name: "with settings that are a link to nothing",
    make: (pi) => replace(pi, "settings.json", "dangling"),
    says: /^ *Warning: Invalid settings file \S+settings\.json: it is a link to nothing\. Its/m,
  },
  {
    name: "with settings in circles",
    make: (pi) => replace(pi, "settings.json", "loop"),
    says: /^ *Warning: Invalid settings file \S+settings\.json: it is a link that leads in circles\. Its/m,
  },
  {
    name: "with settings that are a pipe nobody writes to",
    make: (pi) => replace(pi, "settings.json", "pipe"),
    says: /^ *Warning: Invalid settings file \S+settings\.json: it is a named pipe, but a file is expected there\. Its/m,
  },
  {
    name: "with a system prompt in circles",
    make: (pi) => replace(pi, "SYSTEM.md", "loop"),
    says: /^ *Warning: SYSTEM\.md is not used: Cannot read \S+: it is a link that leads in circles\. Remove it\./m,
  },
  {
    name: "with a system prompt that leads to nothing",
    make: (pi) => replace(pi, "SYSTEM.md", "dangling"),
    says: /^ *Warning: SYSTEM\.md is not used: Cannot read/m,
  },
  {
    name: "with sessions in circles",
    make: (pi) => replace(pi, "sessions", "loop"),
    says: /^ *Warning: This session is not saved: \S+ is a link that leads in circles\./m,
  },
  {
    name: "with sessions that lead to nothing",
    make: (pi) => replace(pi, "sessions", "dangling"),
    says: /^ *Warning: This session is not saved: \S+ is a link to nothing\./m,
  },
  {
    name: "with trust that cannot be read",
    make: (pi) => replace(pi, "trust.json", "loop"),
    refuses: /^Error: Failed to read trust store \S+trust\.json: it is a link that leads in circles/,
  },
  {
    name: "with trust that is a pipe nobody writes to",
    make: (pi) => replace(pi, "trust.json", "pipe"),
    refuses: /^Error: Failed to read trust store \S+trust\.json: it is a named pipe/,
  },
  {
    name: "with entries of resources that lead nowhere",
    make: (pi) => {
      for (const folder of ["extensions", "skills", "prompts", "themes", "sessions"]) {
        mkdirSync(join(pi.agentDir, folder));
        replace(pi, `${folder}/loop`, "loop");
        for (const suffix of ["ts", "md", "json"]) replace(pi, `${folder}/dangling.${suffix}`, "dangling");
        mkdirSync(join(pi.agentDir, folder, "folder.md"));
      }
    },
  },
];

async function start({ make }: State): Promise<PiFixture | undefined> {
  const pi = await startPi(() => ({ blocks: [{ type: "text", text: "An answer." }] }));
  return make(pi) === false ? undefined : pi;
}

describe.each(states)("an agent directory $name", (state) => {
  const { says, refuses, asOther } = state;
  const expectSaid = (stderr: string) => {
    if (refuses ?? says) expect(stderr).toMatch((refuses ?? says) as RegExp);
    expect(stderr).not.toMatch(/^ +at |has crashed/m);
    // One line for one thing, and one for what to do where a mode cannot start.
    expect(stderr.trim().split("\n").length).toBeLessThanOrEqual(refuses ? 2 : 1);
  };

  it("print and JSON mode", { timeout: 60_000 }, async (context) => {
    const pi = await start(state);
    if (!pi) return context.skip("needs more rights");
    const print = await pi.pi(["-p", "x"]);
    expectSaid(print.stderr);
    expect(print).toMatchObject(refuses ? { stdout: "", code: 1 } : { stdout: "An answer.\n", code: 0 });
    const json = await pi.pi(["--mode", "json", "x"]);
    expectSaid(json.stderr);
    expect(json.code).toBe(refuses ? 1 : 0);
    expect(json.stdout.includes("An answer.")).toBe(!refuses);
  });

  it("RPC mode", { timeout: 60_000 }, async (context) => {
    const pi = await start(state);
    if (!pi) return context.skip("needs more rights");
    const rpc = pi.rpc();
    if (refuses) expect(await rpc.exit).toMatchObject({ code: 1 });
    else {
      await rpc.run("x");
      rpc.child.stdin.end();
      expect(await rpc.exit).toMatchObject({ code: 0 });
    }
    expectSaid(rpc.stderr);
  });

  it("interactive mode", { timeout: 60_000 }, async (context) => {
    const pi = await start(state);
    if (!pi) return context.skip("needs more rights");
    const other = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    const terminal = open(pi, [], {
      columns: 300,
      rows: 40,
      ...(asOther && { command: (file, words) => ["setpriv", [...other, file, ...words]] }),
    });
    if (refuses) {
      expect((await terminal.exited).exitCode).toBe(1);
      expect(terminal.all().join("\n").trimStart()).toMatch(refuses);
      expect(terminal.all().join("\n")).not.toContain("has crashed");
      return;
    }
    await terminal.ready();
    terminal.type("hello", "\r");
    await terminal.shows("An answer.");
    if (says) expect(terminal.text()).toMatch(says);
  });
});

describe("an agent directory that is missing", () => {
  it("is made with the first session", async () => {
    const pi = await startPi([{ blocks: [{ type: "text", text: "An answer." }] }]);
    const models = join(pi.home, "models.json");
    renameSync(join(pi.agentDir, "models.json"), models);
    rmSync(pi.agentDir, { recursive: true });
    const none = await pi.run(["-p", "x"]);
    expect(none).toMatchObject({
      stdout: "",
      code: 1,
      stderr: expect.stringMatching(/^No models available\. [^\n]*\n$/),
    });
    mkdirSync(pi.agentDir);
    cpSync(models, join(pi.agentDir, "models.json"));
    expect(await pi.pi(["-p", "x"])).toMatchObject({ stdout: "An answer.\n", stderr: "", code: 0 });
    expect(readdirSync(pi.agentDir).sort()).toEqual(["models.json", "sessions"]);
  });
});

describe("settings that cannot be kept", () => {
  it("are said once, and hold for this process", async (context) => {
    const pi = await startPi([]);
    const isMounted = mount(pi.agentDir, ["--bind", pi.agentDir, pi.agentDir], ["-o", "remount,bind,ro", pi.agentDir]);
    if (!isMounted) return context.skip("needs more rights");
    const rpc = pi.rpc();
    for (const enabled of [true, false, true]) await rpc.ok("set_auto_compaction", { enabled });
    expect(await rpc.ok("get_state")).toMatchObject({ autoCompactionEnabled: true });
    rpc.child.stdin.end();
    expect(await rpc.exit).toMatchObject({ code: 0 });
    expect(
      rpc.stderr.match(
        /Could not save settings: Cannot write \S+settings\.json: its file system cannot be written \(EROFS\)/g,
      ),
    ).toHaveLength(1);
  });

  it("on a full disk the file stays whole", async (context) => {
    const pi = await startPi([]);
    if (!fullDisk(pi)) return context.skip("needs more rights");
    const rpc = pi.rpc();
    await rpc.ok("set_auto_compaction", { enabled: false });
    rpc.child.stdin.end();
    expect(await rpc.exit).toMatchObject({ code: 0 });
    expect(rpc.stderr).toMatch(
      /^Warning: Could not save settings: Cannot write \S+settings\.json: the disk is full \(ENOSPC\)$/m,
    );
    expect(readdirSync(pi.agentDir).sort()).toEqual(["ballast", "models.json", "settings.json"]);
    rmSync(join(pi.agentDir, "ballast"));
    const doctor = await pi.run(["doctor"]);
    expect(doctor.stdout).toMatch(/^ok {4}Settings/m);
  });
});
