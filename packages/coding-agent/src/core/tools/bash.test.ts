import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentToolResult } from "@earendil-works/pi-agent-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readProcessTable } from "../process/process-table.js";
import type { BashCommandError } from "./bash/interruption.js";
import {
  type BashToolDetails,
  type BashToolInput,
  type BashToolOptions,
  createBashTool,
  createBashToolDefinition,
} from "./bash.js";

let dir: string;
let tmp: string;
const tmpBefore = process.env["TMPDIR"];
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "bash-test-")));
  tmp = join(dir, "tmp");
  mkdirSync(tmp);
  process.env["TMPDIR"] = tmp;
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
  if (tmpBefore === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = tmpBefore;
});

type Result = AgentToolResult<BashToolDetails | undefined>;
type Run = BashToolInput & { options?: BashToolOptions; signal?: AbortSignal; onUpdate?: (update: Result) => void };

async function bash(run: string | Run): Promise<Result & { text: string }> {
  const { options, signal, onUpdate, ...input }: Run = typeof run === "string" ? { command: run } : run;
  const result = await createBashTool(dir, options).execute("1", input, signal, onUpdate);
  return { ...result, text: textOf(result) };
}

function textOf(result: Result): string {
  return result.content[0]?.type === "text" ? result.content[0].text : "";
}

async function failure(run: Run): Promise<BashCommandError> {
  const error = await bash(run).then(
    () => undefined,
    (reason: unknown) => reason as BashCommandError,
  );
  if (!error) throw new Error("the command succeeded");
  return error;
}

/** Living processes whose command line holds a mark. */
function withMark(mark: string): number[] {
  return readProcessTable()
    .filter((entry) => !entry.zombie)
    .map((entry) => entry.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(mark);
      } catch {
        return false;
      }
    });
}

describe("results", () => {
  it("exit 0: output as is, or (no output)", async () => {
    expect(await bash("echo out; echo err >&2")).toMatchObject({ text: "out\nerr\n", details: undefined });
    expect(await bash("true")).toMatchObject({
      text: "(no output)",
      structuredContent: { output: "", truncated: false, exit_code: 0, wall_time_seconds: expect.any(Number) },
    });
    expect("isError" in (await bash("true"))).toBe(false);
  });

  it.each([
    ["exit 3", "(no output)\n\nCommand exited with code 3"],
    ["echo x; exit 3", "x\n\n\nCommand exited with code 3"],
    ["printf x; exit 3", "x\n\nCommand exited with code 3"],
    ["kill -9 $$", "(no output)\n\nCommand exited with code 137"],
    ["kill -TERM $$", "(no output)\n\nCommand exited with code 143"],
  ])("%s", async (command, text) => {
    expect(await bash(command)).toMatchObject({ text, isError: true });
  });

  it("cut by lines, note before the status", async () => {
    const { text, details } = await bash("seq 1 2500; exit 1");
    const path = details?.fullOutputPath ?? "";
    const shown = Array.from({ length: 2000 }, (_, i) => i + 501).join("\n");
    expect(text).toBe(
      `${shown}\n\n[Showing lines 501-2500 of 2500. Full output: ${path}]\n\nCommand exited with code 1`,
    );
    expect(path).toMatch(/pi-bash-[0-9a-f]{16}\.log$/);
    expect(readFileSync(path, "utf8")).toBe(`${Array.from({ length: 2500 }, (_, i) => i + 1).join("\n")}\n`);
    expect(details?.truncation).toMatchObject({ truncatedBy: "lines", totalLines: 2500, outputLines: 2000 });
  });

  it("cut by bytes", async () => {
    const { text, details } = await bash("for i in $(seq 1 100); do printf '%01000d\\n' $i; done");
    expect(text).toMatch(/\n\n\[Showing lines 50-100 of 100 \(50\.0KB limit\)\. Full output: .*\]$/);
    expect(details?.truncation?.truncatedBy).toBe("bytes");
  });

  it.each([
    ["without", "printf '%060000d' 0"],
    ["with", "printf '%060000d\\n' 0"],
  ])("one line too long, %s a final newline", async (_name, command) => {
    const { text } = await bash(command);
    expect(text).toMatch(/^0{51200}\n\n\[Showing last 50\.0KB of line 1 \(line is 58\.6KB\)\. Full output: .*\]$/);
  });

  it("structured output is raw, and of long output both ends", async () => {
    const { text, structuredContent } = await bash("printf '\\033[31mred\\033[0m\\r\\n1%%\\r2%%\\n'");
    expect(text).toBe("red\n2%\n");
    expect(structuredContent).toMatchObject({ output: "\x1b[31mred\x1b[0m\r\n1%\r2%\n" });
    const long = await bash("head -c 2000000 /dev/zero | tr '\\0' x");
    const { output, truncated, full_output_path } = long.structuredContent as Record<string, string>;
    expect(output).toBe(`${"x".repeat(524288)}\n\n[... 951424 bytes omitted ...]\n\n${"x".repeat(524288)}`);
    expect(truncated).toBe(true);
    expect(full_output_path).toBe(long.details?.fullOutputPath);
  });

  it("a progress bar of a megabyte is one line, not a truncation", async () => {
    const { text, details } = await bash(
      "for i in $(seq 1 20000); do printf '\\rprogress bar line number %d of 20000 .......' $i; done",
    );
    expect(text).toBe("progress bar line number 20000 of 20000 .......");
    expect(details).toBeUndefined();
    expect(readdirSync(tmp)).toEqual([]);
  });
});

describe("ends", () => {
  it("timeout keeps what was written, and its details", async () => {
    const started = performance.now();
    const error = await failure({ command: "echo before; sleep 20", timeout: 0.3 });
    expect(error.message).toBe("before\n\n\nCommand timed out after 0.3 seconds");
    expect(error.details).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(2000);
    const long = await failure({ command: "seq 1 2500; sleep 20", timeout: 0.5 });
    expect(long.message).toMatch(
      /\n\n\[Showing lines 501-2500 of 2500\. Full output: .*\]\n\nCommand timed out after 0\.5 seconds$/,
    );
    expect(long.details).toMatchObject({ truncation: { totalLines: 2500 }, fullOutputPath: expect.any(String) });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("timeout %d is refused", async (timeout) => {
    expect((await failure({ command: "true", timeout })).message).toBe(
      "Invalid timeout: must be a finite number of seconds",
    );
  });

  it("too long timeouts and missing directories are refused", async () => {
    expect((await failure({ command: "true", timeout: 2147483.648 })).message).toBe(
      "Invalid timeout: maximum is 2147483.647 seconds",
    );
    rmSync(dir, { recursive: true });
    expect((await failure({ command: "true" })).message).toBe(
      `Working directory does not exist: ${dir}\nCannot execute bash commands.`,
    );
  });

  it("abort, before and during", async () => {
    expect((await failure({ command: "true", signal: AbortSignal.abort() })).message).toBe("Command aborted");
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    expect((await failure({ command: "echo x; sleep 20", signal: controller.signal })).message).toBe(
      "x\n\n\nCommand aborted",
    );
  });

  it("a command that ignores SIGTERM is killed within half a second", async () => {
    const started = performance.now();
    const error = await failure({ command: "trap '' TERM; sleep 99.125; sleep 99.125", timeout: 1 });
    expect(error.message).toBe("Command timed out after 1 seconds");
    expect(performance.now() - started).toBeLessThan(2200);
    expect(withMark("99.125")).toEqual([]);
  });

  it("a command that cleans up on SIGTERM may do so", async () => {
    const lock = join(dir, "lock");
    await failure({ command: `touch ${lock}; trap 'rm ${lock}; exit 1' TERM; sleep 20 & wait`, timeout: 0.3 });
    expect(existsSync(lock)).toBe(false);
  });

  it("ten nested children, some in sessions of their own, leave no process", async () => {
    const mark = "86413.25";
    const script = join(dir, "nest.sh");
    writeFileSync(
      script,
      `n=$1; if [ $n -gt 0 ]; then if [ $((n % 3)) = 0 ]; then setsid bash ${script} $((n-1)) & else bash ${script} $((n-1)) & fi; fi; sleep ${mark}; wait`,
    );
    const controller = new AbortController();
    const running = failure({ command: `bash ${script} 9`, signal: controller.signal });
    const deadline = performance.now() + 5000;
    while (withMark(mark).length < 10 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(withMark(mark).length).toBe(10);
    const aborted = performance.now();
    controller.abort();
    expect((await running).message).toBe("Command aborted");
    expect(performance.now() - aborted).toBeLessThan(1500);
    expect([...withMark(mark), ...withMark(script)]).toEqual([]);
  });
});

describe("daemons", () => {
  it("that left parent, group and session end with an aborted command, not with one that ended by itself", async () => {
    const error = await failure({ command: "(setsid sleep 73.625 &); sleep 20", timeout: 0.5 });
    expect(error.message).toBe("Command timed out after 0.5 seconds");
    expect(withMark("73.625")).toEqual([]);
    const bare = await failure({ command: "(env -i setsid sleep 73.750 &); sleep 20", timeout: 0.5 });
    expect(bare.message).toBe("Command timed out after 0.5 seconds");
    expect(withMark("73.750")).toEqual([]);
    await bash("(setsid sleep 73.875 > /dev/null 2>&1 &)");
    const [pid] = withMark("73.875");
    expect(pid).toBeDefined();
    if (pid) process.kill(pid);
  });
});

describe("background children", () => {
  it("that are silent do not hold the call, and survive it", async () => {
    const started = performance.now();
    const { text, details } = await bash("sleep 60.375 & echo done");
    expect(text).toBe("done\n");
    expect(details).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(1000);
    const [pid] = withMark("60.375");
    expect(pid).toBeDefined();
    if (pid) process.kill(pid);
  });

  it("are not ended by a broken pipe when they write later", async () => {
    const file = join(dir, "alive");
    await bash(`(sleep 0.6; echo late; echo later; touch ${file}) & echo done`);
    await expect.poll(() => existsSync(file), { timeout: 3000 }).toBe(true);
  });

  it("that write now and then do not hold the call for a second", async () => {
    const started = performance.now();
    const { text } = await bash("(while :; do echo x; sleep 0.05; done) & echo $! fg");
    expect(performance.now() - started).toBeLessThan(1000);
    process.kill(Number(/^(\d+) fg$/m.exec(text)?.[1]));
  });

  // Without a pause between the lines, so that a busy machine makes none that is long enough to count as the end.
  it("that keep writing are let go; the rest goes to a named file", async () => {
    const stop = join(dir, "stop");
    const started = performance.now();
    const { text, details } = await bash(`(while [ ! -e ${stop} ]; do echo x; done; echo bye) & echo fg`);
    expect(performance.now() - started).toBeGreaterThan(500);
    const path = details?.fullOutputPath ?? "";
    expect(text).toMatch(/^(fg|x)\n/);
    expect(
      text.endsWith(`\n\n[Background processes of this command are still writing output. It goes on in: ${path}]`),
    ).toBe(true);
    writeFileSync(stop, "");
    await expect.poll(() => readFileSync(path, "utf8").slice(-4), { timeout: 10_000 }).toBe("bye\n");
  });

  it("that run into the timeout are ended, with the shell's own end told", async () => {
    const error = await failure({ command: "(while :; do echo x; done) & exit 4", timeout: 0.4 });
    expect(error.message).toMatch(
      /\n\nCommand timed out after 0\.4 seconds\. The shell exited with code 4 after 0\.\d seconds, but background processes it started kept writing output until the timeout\.$/,
    );
  });
});

describe("input and environment", () => {
  it("stdin is empty, there is no terminal", async () => {
    const started = performance.now();
    expect((await bash("cat")).text).toBe("(no output)");
    expect((await bash("cat; [ -t 0 ] || echo no tty")).text).toBe("no tty\n");
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it("rg without a path searches the directory, not stdin", async () => {
    writeFileSync(join(dir, "a.txt"), "foo 1\n");
    const { rgPath } = await import("@vscode/ripgrep");
    const started = performance.now();
    expect((await bash(`PATH="${dirname(rgPath)}:$PATH"; rg foo`)).text).toBe("a.txt:foo 1\n");
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it("takes a here document of 30 KB", async () => {
    const content = "0123456789\n".repeat(2800);
    const started = performance.now();
    expect((await bash(`cat <<'END' | wc -c\n${content}END`)).text.trim()).toBe(String(content.length));
    expect((await bash(`cat <<'END'\n${content.slice(0, 11_000)}END`)).text).toBe(content.slice(0, 11_000));
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it("takes a command too long for one argument", async () => {
    const content = "0123456789\n".repeat(30_000);
    const { text } = await bash(`cat <<'END' | wc -c\n${content}END\ncat; exit 7`);
    expect(text).toBe(`${content.length}\n\n\nCommand exited with code 7`);
  });

  it("runs in the session's directory, after the prefix, changed by the hook", async () => {
    expect((await bash("pwd")).text).toBe(`${dir}\n`);
    expect((await bash({ command: "echo $X", options: { commandPrefix: "X=1" } })).text).toBe("1\n");
    const options: BashToolOptions = {
      commandPrefix: "X=1",
      spawnHook: ({ command, cwd, env }) => ({
        command: `${command}; echo $Y`,
        cwd: join(cwd, ".."),
        env: { ...env, Y: "2" },
      }),
    };
    expect((await bash({ command: "echo $X; pwd", options })).text).toBe(`1\n${join(dir, "..")}\n2\n`);
  });

  it("gives session variables of this session only, and none when not exposed", async () => {
    const before = { PI_SESSION_ID: process.env["PI_SESSION_ID"], PI_PROVIDER: process.env["PI_PROVIDER"] };
    process.env["PI_SESSION_ID"] = "outer";
    process.env["PI_PROVIDER"] = "outer";
    try {
      const ctx = {
        cwd: dir,
        model: { id: "m", provider: "p" },
        thinkingLevel: "low",
        sessionManager: { getSessionId: () => "s", getSessionFile: () => undefined },
      };
      const run = async (options: BashToolOptions) => {
        const definition = createBashToolDefinition(dir, options);
        const command = "echo $PI_SESSION_ID,$PI_SESSION_FILE,$PI_PROVIDER,$PI_MODEL,$PI_REASONING_LEVEL";
        return textOf(await definition.execute("1", { command }, undefined, undefined, ctx as never));
      };
      expect(await run({})).toBe("s,,p,m,low\n");
      expect(await run({ exposeSessionEnvironment: false })).toBe(",,,,\n");
      expect(createBashToolDefinition(dir, { exposeSessionEnvironment: false }).promptGuidelines).toBeUndefined();
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });
});

describe("updates", () => {
  it("begin empty, come at most every 100 ms, and end with everything", async () => {
    const updates: { at: number; text: string | undefined }[] = [];
    const onUpdate = (update: Result) => {
      updates.push({ at: performance.now(), text: update.content.length > 0 ? textOf(update) : undefined });
    };
    await bash({ command: "for i in $(seq 1 40); do echo $i; sleep 0.01; done", onUpdate });
    expect(updates[0]?.text).toBeUndefined();
    expect(updates.length).toBeGreaterThan(3);
    expect(updates.length).toBeLessThan(14);
    expect(updates.at(-1)?.text).toBe(`${Array.from({ length: 40 }, (_, i) => i + 1).join("\n")}\n`);
    const gaps = updates.slice(2, -1).map((update, i) => update.at - (updates[i + 1]?.at ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThan(90);
  });
});

describe("volume", () => {
  it("200 MB pass in bounded memory, all of it in the file", async () => {
    let peak = 0;
    let path: string | undefined;
    const baseline = process.memoryUsage().rss;
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss - baseline);
    }, 20);
    try {
      const { text, details } = await bash("yes | head -c 200000000");
      path = details?.fullOutputPath;
      expect(text).toMatch(/^(y\n){1999}y\n\n\[Showing lines 99998001-100000000 of 100000000\. Full output: /);
      expect(statSync(path ?? "").size).toBe(200_000_000);
    } finally {
      clearInterval(timer);
      // At once, and wherever it went: whatever ends the test run must not leave so much behind.
      for (const name of readdirSync(tmp)) rmSync(join(tmp, name));
      if (path) rmSync(path, { force: true });
    }
    expect(peak).toBeLessThan(150 * 1024 * 1024);
  });
});

describe("custom operations", () => {
  const withExec = (exec: () => Promise<{ exitCode: number | null }>): BashToolOptions => ({ operations: { exec } });
  it("may end without an exit code", async () => {
    const error = await failure({ command: "x", options: withExec(async () => ({ exitCode: null })) });
    expect(error.message).toBe("(no output)\n\nCommand terminated without an exit code");
  });

  it("speak the abort and timeout protocol; other errors pass unchanged", async () => {
    const rejecting = (message: string) => withExec(() => Promise.reject(new Error(message)));
    expect((await failure({ command: "x", options: rejecting("aborted") })).message).toBe("Command aborted");
    expect((await failure({ command: "x", options: rejecting("timeout:7") })).message).toBe(
      "Command timed out after 7 seconds",
    );
    expect((await failure({ command: "x", options: rejecting("no route") })).message).toBe("no route");
  });
});
