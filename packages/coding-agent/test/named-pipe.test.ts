import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cliPath, PiFixture } from "./pi.js";

let pi: PiFixture;
let pipe: string;
beforeEach(async () => {
  pi = await PiFixture.start(() => ({ blocks: [{ type: "text", text: "answer" }] }));
  pipe = join(pi.cwd, "pipe");
  if (process.platform !== "win32") execFileSync("mkfifo", [pipe]);
});
afterEach(() => pi.close());

const refusal = () => `it is a named pipe, which may wait for ever. Give its text as standard input instead: < ${pipe}`;

describe.skipIf(process.platform === "win32")("a pipe that nobody writes to", () => {
  it("is no file to send", async () => {
    const run = await pi.pi(["-p", "@pipe", "x"]);
    expect(run).toMatchObject({ code: 1, stderr: `Error: Could not read file ${pipe}: ${refusal()}\n` });
  });

  it.each(["--system-prompt", "--append-system-prompt"])("is no text for %s", async (option) => {
    const run = await pi.pi(["-p", option, pipe, "x"]);
    expect(run).toMatchObject({ code: 0, stdout: "answer\n" });
    expect(run.stderr).toBe(`Warning: Could not read ${pipe}, so it is used as text: ${refusal()}\n`);
  });

  it("is not what a shell makes of <(command)", async () => {
    const script = `"${process.execPath}" "${cliPath}" --model scripted/m1 -p @<(sleep 0.2; echo late) x </dev/null`;
    const env = { ...process.env, HOME: pi.home, PI_CODING_AGENT_DIR: pi.agentDir };
    const { stdout } = await promisify(execFile)("bash", ["-c", script], { cwd: pi.cwd, env });
    expect(stdout).toBe("answer\n");
    const turn = pi.server.requests[0]?.conversation.turns.at(-1);
    expect(turn?.role === "user" && turn.text).toMatch(/^<file name="\/dev\/fd\/\d+">\nlate\n\n<\/file>\nx$/);
  });
});
