import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ScriptedTurn } from "@pi/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { PiFixture } from "./pi.js";

/** How long the slow reader is slow; the full time when soaking. */
const slowSeconds = process.env["PI_SOAK"] ? 30 : 3;

let fixture: PiFixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

async function start(script: ScriptedTurn[], args: string[] = ["--no-session"], env = {}) {
  fixture = await PiFixture.start(script);
  return { pi: fixture, rpc: fixture.rpc(args, env) };
}

const slow: ScriptedTurn = {
  blocks: [{ type: "text", text: "never ends, never ends" }],
  deltaSize: 1,
  eventDelayMs: 100,
};

describe("framing (protocol.md section 1.2)", () => {
  it("a record of 100 MB", async () => {
    const { rpc } = await start([]);
    rpc.send(`{"id":"big","type":"no_such_command","x":"${"y".repeat(100 * 1024 * 1024)}"}\n`);
    expect(await rpc.until(({ id }) => id === "big", "answer")).toMatchObject({
      error: "Unknown command: no_such_command",
    });
    expect((await rpc.call("get_state"))["success"]).toBe(true);
  });

  it("a record in writes of one byte, characters cut in the middle", async () => {
    const { rpc } = await start([]);
    for (const byte of Buffer.from('{"id":"é😀\u2028","type":"get_state"}\r\n')) {
      rpc.child.stdin.write(Buffer.from([byte]));
      await sleep(1);
    }
    expect(await rpc.until(({ id }) => id === "é😀\u2028", "answer")).toMatchObject({ success: true });
  });

  it("a last line without its line feed is answered", async () => {
    const { rpc } = await start([]);
    rpc.child.stdin.end('{"id":"last","type":"get_state"}');
    expect(await rpc.exit).toEqual({ code: 0, signal: null });
    expect(rpc.records).toMatchObject([{ id: "last", success: true }]);
  });

  it("whatever else prints to stdout ends up on stderr", async () => {
    const noise = 'setInterval(() => { console.log("noise"); process.stdout.write("more\\n"); }, 15).unref()';
    const options = `--import data:text/javascript,${encodeURIComponent(noise)}`;
    const { rpc } = await start([{ ...slow, eventDelayMs: 10 }], ["--no-session"], { NODE_OPTIONS: options });
    await rpc.run("Go");
    expect(rpc.garbage.filter((line) => !/^(?:noise|more)$/.test(line))).toEqual([]);
    // Before the program runs, stdout is nobody's; from the first record on it is the protocol's.
    expect(rpc.stderr).toContain("noise\nmore\n");
  });
});

describe("the end (protocol.md section 1.3)", () => {
  it.each<[NodeJS.Signals, number]>([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ])("%s in the middle of a run: %d, and the prompt is stored", async (signal, code) => {
    const { rpc, pi } = await start([slow], []);
    await rpc.ok("prompt", { message: "remember me" });
    await rpc.until(({ type }) => type === "message_update", "delta");
    const before = rpc.records.length;
    rpc.child.kill(signal);
    expect(await rpc.exit).toEqual({ code, signal: null });
    expect(rpc.records.slice(before).every(({ type }) => type === "message_update")).toBe(true);
    const stored = pi
      .sessionEntries()
      .flatMap(({ message }) => (message ? [`${message.role} ${message.stopReason ?? ""}`] : []));
    expect(stored).toEqual(["system ", "user ", "assistant aborted"]);
  });

  it("SIGINT kills the commands that run, then the process by the same signal", async () => {
    const { rpc, pi } = await start([]);
    const marker = join(pi.cwd, "survived");
    rpc.send({ id: "b", type: "bash", command: `echo on; sleep 2; touch ${marker}` });
    await rpc.until(({ type }) => type === "bash_execution_update", "output");
    rpc.child.kill("SIGINT");
    expect(await rpc.exit).toEqual({ code: null, signal: "SIGINT" });
    await sleep(2300);
    expect(existsSync(marker)).toBe(false);
  });

  it("a reader that goes away ends it with 1", async () => {
    const { rpc } = await start([{ ...slow, eventDelayMs: 5 }]);
    await rpc.ok("prompt", { message: "Go" });
    rpc.child.stdout.destroy();
    expect((await rpc.exit).code).toBe(1);
  });
});

describe("a reader that reads slowly", () => {
  it("stalls the run: memory stays bounded, nothing is lost, everything is in order", async () => {
    const deltas = 50_000;
    const text = Array.from({ length: deltas }, (_, index) => String(index % 10_000).padStart(4, "0")).join("");
    const { rpc } = await start([{ blocks: [{ type: "text", text }], deltaSize: 4, chunking: { bytes: 16_384 } }]);
    await rpc.ok("get_state");
    rpc.child.stdout.pause();
    rpc.send({ id: "p", type: "prompt", message: "Go" });
    // A kilobyte a second is next to nothing: what the pipe holds is all that is taken.
    for (let second = 0; second < slowSeconds; second++) {
      await sleep(1000);
      rpc.child.stdout.read(1024);
    }
    const memory = memoryMb(rpc.child.pid);
    rpc.child.stdout.resume();
    await rpc.settled();
    const seen = rpc.records.flatMap(({ assistantMessageEvent: event }) =>
      event?.type === "text_delta" ? [event.delta] : [],
    );
    expect(seen).toHaveLength(deltas);
    expect(seen.join("")).toBe(text);
    expect(memory).toBeLessThan(150);
  }, 120_000);

  it("stalls a direct command too: it goes on when it is read, and nothing is lost", async () => {
    const { rpc, pi } = await start([]);
    await rpc.ok("get_state");
    rpc.child.stdout.pause();
    const size = 30_000_000;
    rpc.send({ id: "b", type: "bash", command: `yes 0123456789 | head -c ${size}; touch done` });
    await sleep(2500);
    expect(existsSync(join(pi.cwd, "done"))).toBe(false);
    expect(memoryMb(rpc.child.pid)).toBeLessThan(150);
    rpc.child.stdout.resume();
    expect(await rpc.until(({ type }) => type === "response", "response", 1)).toMatchObject({ id: "b", success: true });
    const deltas = rpc.records.flatMap(({ type, delta }) => (type === "bash_execution_update" ? [delta.length] : []));
    expect(deltas.reduce((sum, length) => sum + length, 0)).toBe(size);
  });
});

/** Resident memory of another process; 0 where the system does not tell. */
function memoryMb(pid: number | undefined): number {
  const path = `/proc/${pid}/status`;
  if (!readdirSync("/").includes("proc") || !existsSync(path)) return 0;
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(path, "utf8"))?.[1]) / 1024;
}
