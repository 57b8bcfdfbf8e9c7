// RPC mode: the start, streamed deltas from provider to client, and a slow reader.
import { fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inTurn, runProgram } from "./measure.mjs";
import { RpcProcess } from "./rpc-process.mjs";

const deltas = 50_000;

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchRpc({ pi, peer, rounds }) {
  const { server, url } = await deltaServer();
  const home = mkdtempSync(join(tmpdir(), "pi-bench-"));
  const place = rpcPlace(home, url);
  try {
    const start = (/** @type {string[]} */ command) => untilState(command, place);
    const starts = await inTurn(
      {
        floor: () => runProgram([process.execPath, "-e", "0"]),
        ours: () => start(pi),
        ...(peer && { peer: () => start(peer) }),
      },
      rounds,
    );
    const streams = await inTurn(
      { ours: () => streamAll(pi, place), ...(peer && { peer: () => streamAll(peer, place) }) },
      Math.min(rounds, 3),
    );
    return [
      {
        name: "RPC: spawn to first get_state",
        unit: "ms",
        floorIs: "node -e 0",
        figures: figuresOf(starts, "ms"),
        limit: { timesFloor: 3 },
      },
      {
        name: "RPC: memory at first get_state",
        unit: "MB",
        floorIs: "node -e 0",
        figures: figuresOf(starts, "peakMb"),
        limit: { atMost: 90 },
      },
      {
        name: "RPC: CPU per delta, 50,000 of them",
        unit: "µs CPU",
        floorIs: "-",
        figures: figuresOf(streams, "ms"),
        limit: { atMost: 20 },
      },
      {
        name: "RPC: memory after 50,000 deltas",
        unit: "MB",
        floorIs: "-",
        figures: figuresOf(streams, "peakMb"),
        limit: { atMost: 110 },
      },
    ];
  } finally {
    server.disconnect();
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * A working directory and an agent directory with one model.
 * @param {string} home
 * @param {string} url of the scripted server
 */
export function rpcPlace(home, url) {
  const agentDir = join(home, "agent");
  const cwd = join(home, "project");
  for (const dir of [agentDir, cwd]) mkdirSync(dir, { recursive: true });
  const scripted = { baseUrl: url, api: "anthropic-messages", apiKey: "bench", models: [{ id: "scripted" }] };
  writeFileSync(join(agentDir, "models.json"), JSON.stringify({ providers: { scripted } }));
  return { cwd, agentDir, env: { ...process.env, PI_CODING_AGENT_DIR: agentDir, PI_OFFLINE: "1" } };
}

/** @param {string[]} command @param {{ cwd: string, env: NodeJS.ProcessEnv }} place */
async function untilState(command, place) {
  const rpc = new RpcProcess(command, ["--model", "scripted/scripted", "--no-session"], place);
  await rpc.call("get_state");
  const ms = performance.now() - rpc.started;
  const { peakMb } = rpc.usage();
  await rpc.end();
  return { ms, peakMb };
}

/** A provider whose answer is many small deltas; `disconnect()` ends it. */
export async function deltaServer() {
  const server = fork(fileURLToPath(new URL("./stream-server.mjs", import.meta.url)), [`${deltas}`, "4"]);
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    server.once("message", (message) => resolve(`${message}`));
    server.once("exit", (code) => reject(new Error(`the server ended with exit code ${code}`)));
  });
  return { server, url };
}

/**
 * CPU time per delta, in µs, of a whole answer.
 * @param {string[]} command @param {{ cwd: string, env: NodeJS.ProcessEnv }} place @param {string[]} [args]
 */
export async function streamAll(command, place, args = []) {
  const rpc = new RpcProcess(command, ["--model", "scripted/scripted", "--no-session", ...args], place);
  let seen = 0;
  const settled = new Promise((resolve) => {
    rpc.onLine = (line) => {
      if (line.includes('"text_delta"')) seen++;
      else if (line.includes('"agent_settled"')) resolve(undefined);
    };
  });
  await rpc.call("get_state");
  const before = rpc.usage().cpuMs;
  await rpc.call("prompt", { message: "many" });
  await settled;
  const { cpuMs, peakMb } = rpc.usage();
  await rpc.end();
  if (seen !== deltas) throw new Error(`${seen} of ${deltas} deltas arrived`);
  return { ms: ((cpuMs - before) * 1000) / deltas, peakMb };
}

/** @param {Record<string, import("./measure.mjs").Sample>} samples @param {"ms" | "peakMb"} key */
export function figuresOf(samples, key) {
  return Object.fromEntries(Object.entries(samples).map(([name, sample]) => [name, sample[key] ?? Number.NaN]));
}
