import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { createLocalBashOperations } from "./local-bash-operations.js";
import { streamProcess } from "./stream-process.js";
import { killTrackedProcesses } from "./tracked-processes.js";

const cwd = tmpdir();
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("createLocalBashOperations", () => {
  it("rejects with the protocol's messages", async () => {
    const { exec } = createLocalBashOperations();
    const onData = () => undefined;
    await expect(exec("true", cwd, { onData, signal: AbortSignal.abort() })).rejects.toThrow(/^aborted$/);
    await expect(exec("sleep 5", cwd, { onData, signal: AbortSignal.timeout(50) })).rejects.toThrow(/^aborted$/);
    await expect(exec("sleep 5", cwd, { onData, timeout: 0.05 })).rejects.toThrow(/^timeout:0\.05$/);
  });

  it("rejects when the shell cannot start", async () => {
    const { exec } = createLocalBashOperations({ shellPath: tmpdir() });
    await expect(exec("true", cwd, { onData: () => undefined })).rejects.toThrow("EACCES");
  });

  it("reads no more while the receiver is busy, and loses nothing", async () => {
    const { exec } = createLocalBashOperations();
    let busy = 0;
    let most = 0;
    let bytes = 0;
    await exec("head -c 3000000 /dev/zero; head -c 1000000 /dev/zero >&2", cwd, {
      onData: async (data) => {
        most = Math.max(most, ++busy);
        bytes += data.length;
        await pause(2);
        busy--;
      },
    });
    expect(bytes).toBe(4_000_000);
    expect(most).toBeLessThanOrEqual(3);
  });

  it("a busy receiver at the end does not cut the output", async () => {
    const { exec } = createLocalBashOperations();
    let text = "";
    await exec("echo 1; sleep 0.05; echo 2", cwd, {
      onData: async (data) => {
        await pause(300);
        text += data.toString();
      },
    });
    await pause(350);
    expect(text).toBe("1\n2\n");
  });
});

describe("killTrackedProcesses", () => {
  it("ends what runs, with its descendants", async () => {
    const { exec } = createLocalBashOperations();
    const started = performance.now();
    const running = exec("setsid sleep 30 & sleep 30", cwd, { onData: () => undefined });
    await pause(200);
    killTrackedProcesses();
    await expect(running).rejects.toThrow("aborted");
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe("streamProcess", () => {
  it("hands out stdout and keeps stderr", async () => {
    let text = "";
    const result = await streamProcess("sh", ["-c", "echo out; echo err >&2; exit 3"], {
      cwd,
      onStdout: (chunk) => {
        text += chunk.toString();
        return "continue";
      },
    });
    expect(text).toBe("out\n");
    expect(result).toEqual({ exitCode: 3, stderr: "err\n", stopped: false });
  });

  it("stops when enough was seen, on abort, and rejects when it cannot start", async () => {
    const stopping = await streamProcess("yes", [], { cwd, onStdout: () => "stop" });
    expect(stopping.stopped).toBe(true);
    const onStdout = () => "continue" as const;
    await expect(streamProcess("yes", [], { cwd, onStdout, signal: AbortSignal.timeout(50) })).rejects.toThrow(
      "Operation aborted",
    );
    await expect(streamProcess("no-such-program", [], { cwd, onStdout })).rejects.toThrow("ENOENT");
  });
});
