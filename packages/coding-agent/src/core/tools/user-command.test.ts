import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLocalBashOperations } from "../process/local-bash-operations.js";
import { stripControls } from "./output-cleaning.js";
import { parseUserCommand, runUserCommand } from "./user-command.js";

let dir: string;
let tmp: string;
const tmpBefore = process.env["TMPDIR"];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "user-command-test-"));
  tmp = join(dir, "tmp");
  mkdirSync(tmp);
  process.env["TMPDIR"] = tmp;
});
afterEach(() => {
  if (tmpBefore === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = tmpBefore;
  rmSync(dir, { recursive: true, force: true });
});

async function run(command: string, signal?: AbortSignal) {
  const chunks: string[] = [];
  const operations = createLocalBashOperations();
  const result = await runUserCommand(command, { cwd: dir, operations, signal, onChunk: (text) => chunks.push(text) });
  return { ...result, chunks: chunks.join("") };
}

describe("parseUserCommand", () => {
  it.each([
    ["!ls -l ", { command: "ls -l", excludeFromContext: false }],
    ["!! git status", { command: "git status", excludeFromContext: true }],
    ["!!!x", { command: "!x", excludeFromContext: true }],
    ["!\nls", { command: "ls", excludeFromContext: false }],
    ["!", undefined],
    ["!!  ", undefined],
    [" !ls", undefined],
    ["ls", undefined],
  ])("%j", (input, expected) => {
    expect(parseUserCommand(input)).toEqual(expected);
  });
});

describe("runUserCommand", () => {
  it("sanitises the output and reports the exit code", async () => {
    expect(await run("printf '\\033[31mred\\033[0m\\0\\r\\n10%%\\r20%%\\n'; exit 3")).toEqual({
      output: "red\n10%20%\n",
      exitCode: 3,
      cancelled: false,
      truncated: false,
      chunks: "red\n10%20%\n",
    });
    expect(readdirSync(tmp)).toEqual([]);
  });

  it("keeps the end in memory, all of it in a file, and hands all of it out", async () => {
    const { output, truncated, fullOutputPath = "", chunks } = await run("seq 1 60000 | sed 's/$/\\r/'");
    const all = `${Array.from({ length: 60_000 }, (_, i) => i + 1).join("\n")}\n`;
    expect(truncated).toBe(true);
    expect(output.endsWith("\n59999\n60000")).toBe(true);
    expect(output.split("\n")).toHaveLength(2000);
    expect(chunks).toBe(all);
    expect(readFileSync(fullOutputPath, "utf8")).toBe(all);
  });

  it("being cancelled is a result with what came so far", async () => {
    expect(await run("echo x; sleep 20", AbortSignal.timeout(200))).toEqual({
      output: "x\n",
      exitCode: undefined,
      cancelled: true,
      truncated: false,
      chunks: "x\n",
    });
  });

  it("other failures reject", async () => {
    const operations = { exec: () => Promise.reject(new Error("no route")) };
    await expect(runUserCommand("x", { cwd: dir, operations })).rejects.toThrow("no route");
  });

  it("an escape or a character in two chunks is one", async () => {
    const raw = Buffer.from("a\x1b[1;31mé\x1b]0;title\x07😀\x1b[0m\x00b\r\n");
    for (let cut = 0; cut <= raw.length; cut++) {
      const chunks: string[] = [];
      const result = await runUserCommand("x", {
        cwd: dir,
        operations: {
          exec: async (_command, _cwd, { onData }) => {
            await onData(raw.subarray(0, cut));
            await onData(raw.subarray(cut));
            return { exitCode: 0 };
          },
        },
        onChunk: (text) => chunks.push(text),
      });
      expect(result.output).toBe("aé😀b\n");
      expect(chunks.join("")).toBe("aé😀b\n");
    }
  });

  it("an escape that never ends is held back up to 256 characters, then shown", async () => {
    const { output } = await run(`printf '\\033]0;%0300d'; printf x`);
    expect(output).toBe(`0;${stripControls("0".repeat(300))}x`);
  });

  it("goes on from the prefix, in the directory, with an empty stdin", async () => {
    const operations = createLocalBashOperations();
    const result = await runUserCommand("echo $X; pwd; cat", {
      cwd: dir,
      operations,
      commandPrefix: "X=1",
    });
    expect(result.output).toBe(`1\n${realpathSync(dir)}\n`);
  });

  it("cancelled before it starts, it does not start", async () => {
    const operations = { exec: () => Promise.reject(new Error("started")) };
    expect(await runUserCommand("x", { cwd: dir, operations, signal: AbortSignal.abort() })).toEqual({
      output: "",
      exitCode: undefined,
      cancelled: true,
      truncated: false,
    });
  });

  it("cancelled, it keeps all of a long output", async () => {
    const {
      output,
      truncated,
      cancelled,
      fullOutputPath = "",
    } = await run("seq 1 3000; sleep 20", AbortSignal.timeout(500));
    expect({ truncated, cancelled }).toEqual({ truncated: true, cancelled: true });
    expect(output.split("\n").at(-1)).toBe("3000");
    expect(readFileSync(fullOutputPath, "utf8").split("\n")).toHaveLength(3001);
  });

  it("several run at once", async () => {
    const started = performance.now();
    const results = await Promise.all(["a", "b", "c"].map((text) => run(`sleep 0.4; echo ${text}`)));
    expect(results.map(({ output }) => output)).toEqual(["a\n", "b\n", "c\n"]);
    expect(performance.now() - started).toBeLessThan(1100);
  });
});
