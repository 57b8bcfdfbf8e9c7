import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLocalBashOperations } from "../process/local-bash-operations.js";
import { runUserCommand } from "./user-command.js";

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
});
