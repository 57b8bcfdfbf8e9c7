import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useTerminal } from "../interactive/use-terminal.js";
import { cleanEnvironment, cliPath, usePi } from "../pi.js";

const start = usePi();
const open = useTerminal();

describe("a working directory that is gone", () => {
  const gone =
    "Error: The current working directory no longer exists. Change to an existing directory and try again.\n";
  it.each([
    ["-p x", 1, gone],
    ["--version --offline", 1, gone],
    ["list", 1, gone],
    // Keys are the user's, wherever they are.
    ["auth check --provider scripted", 0, ""],
  ])("pi %s", async (words, code, stderr) => {
    const pi = await start([]);
    const folder = join(pi.home, "gone");
    mkdirSync(folder);
    const script = `cd "${folder}" && rmdir "${folder}" && exec "${process.execPath}" "${cliPath}" ${words}`;
    const env = { ...cleanEnvironment(), HOME: pi.home, PI_CODING_AGENT_DIR: pi.agentDir };
    const run = await new Promise((resolve) => {
      execFile("sh", ["-c", script], { env }, (error, _stdout, stderr) => {
        resolve({ code: error ? error.code : 0, stderr });
      });
    });
    expect(run).toEqual({ code, stderr });
  });
});

describe("errors at a terminal", () => {
  it.each([
    [{}, "\x1b[31mError: Unknown option: --modle\x1b[39m\r\nDid you mean --model?"],
    [{ NO_COLOR: "1" }, "Error: Unknown option: --modle\r\nDid you mean --model?"],
  ])("%j", async (env, expected) => {
    const pi = await start([]);
    const terminal = open(pi, ["--modle", "-p", "x"], { env });
    expect((await terminal.exited).exitCode).toBe(1);
    expect(terminal.output).toContain(expected);
    expect(terminal.output.includes("\x1b[31m")).toBe(!("NO_COLOR" in env));
  });
});
