import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { runProcess } from "./run-process.js";

const sh = (script: string, options: Parameters<typeof runProcess>[2] = {}) =>
  runProcess("sh", ["-c", script], options);

describe("runProcess", () => {
  it("keeps both streams and the exit code", async () => {
    expect(await sh("echo out; echo err >&2; exit 3")).toEqual({
      stdout: "out\n",
      stderr: "err\n",
      code: 3,
      killed: false,
      truncated: false,
    });
    expect(await sh("pwd; cat; echo $X", { cwd: "/", env: { PATH: process.env["PATH"], X: "1" } })).toMatchObject({
      stdout: "/\n1\n",
    });
  });

  it("ends by signal, timeout and abort as results", async () => {
    expect(await sh("kill -9 $$")).toMatchObject({ code: 137, killed: false });
    expect(await sh("exec sleep 20", { timeout: 50 })).toMatchObject({ code: 143, killed: true });
    expect(await sh("exec sleep 20", { signal: AbortSignal.timeout(50) })).toMatchObject({ code: 143, killed: true });
    expect(await sh("echo x", { signal: AbortSignal.abort() })).toMatchObject({ stdout: "", killed: true });
  });

  it("does not wait for children that hold the pipes", async () => {
    const started = performance.now();
    expect(await sh("sleep 3 & echo done")).toMatchObject({ stdout: "done\n", code: 0 });
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it("drops what is over the buffer, and refuses a senseless one", async () => {
    expect(await sh("printf 12345; sleep 0.1; printf 678 >&2", { maxBuffer: 6 })).toMatchObject({
      stdout: "12345",
      stderr: "6",
      truncated: true,
      code: 0,
    });
    await expect(sh("true", { maxBuffer: 0 })).rejects.toThrow(RangeError);
  });

  it("tells why a program could not start", async () => {
    expect(await runProcess("no-such-program", [])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("ENOENT"),
    });
    expect(await runProcess("true", [], { cwd: `${tmpdir()}/no/such` })).toMatchObject({ code: 1 });
  });
});
