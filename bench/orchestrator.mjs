// The orchestrator: what it adds to the start of an agent and to a round trip, and its memory with fifty agents.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { OrchestratorClient } from "@earendil-works/pi-orchestrator";
import { inTurn } from "./measure.mjs";
import { figuresOf, rpcPlace } from "./rpc.mjs";
import { RpcProcess } from "./rpc-process.mjs";

const cli = fileURLToPath(new URL("../packages/orchestrator/dist/cli.js", import.meta.url));
const agents = 50;
const roundTrips = 400;
const model = ["--model", "scripted/scripted"];

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchOrchestrator({ pi, rounds }) {
  const home = mkdtempSync(join(tmpdir(), "pi-bench-"));
  const state = join(home, "state");
  // No model is asked: only the program's own ways are measured.
  const place = rpcPlace(home, "http://127.0.0.1:1");
  const env = { ...place.env, PI_ORCHESTRATOR_DIR: state };
  const supervisor = spawn(process.execPath, [cli, "serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => supervisor.stdout.once("data", resolve));
  const client = new OrchestratorClient(state);
  const spawnOne = () => client.call("spawn", { cwd: place.cwd, args: model });
  try {
    const starts = await inTurn(
      {
        floor: async () => {
          const rpc = new RpcProcess(pi, model, place);
          await rpc.call("get_state");
          const ms = performance.now() - rpc.started;
          await rpc.end();
          return { ms };
        },
        ours: async () => {
          // The next spare holder is ready by then.
          await sleep(1500);
          const started = performance.now();
          const { instance } = await spawnOne();
          const ms = performance.now() - started;
          await client.call("stop", { instanceId: instance.id });
          return { ms };
        },
      },
      Math.min(rounds, 7),
    );
    const trips = await measureTrips(pi, place, client, (await spawnOne()).instance.id, rounds);
    while ((await client.call("list", {})).instances.length < agents) await Promise.all([spawnOne(), spawnOne()]);
    const memory = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${supervisor.pid}/status`, "utf8"))?.[1]) / 1024;
    return [
      {
        name: "orchestrator: spawn to ready",
        unit: "ms",
        floorIs: "RPC start",
        figures: figuresOf(starts, "ms"),
        limit: { overFloor: 20 },
      },
      {
        name: "orchestrator: round trip of get_state",
        unit: "ms",
        floorIs: "without it",
        figures: figuresOf(trips, "ms"),
        limit: { overFloor: 0.2 },
      },
      {
        name: `orchestrator: memory with ${agents} agents`,
        unit: "MB",
        floorIs: "-",
        figures: { ours: memory },
        limit: { atMost: 120 },
      },
    ];
  } finally {
    const ended = new Promise((resolve) => supervisor.on("exit", resolve));
    supervisor.kill();
    await ended;
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * Medians of round trips, both ways in turn so that they meet the same machine.
 *
 * @param {string[]} pi
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} place
 * @param {OrchestratorClient} client
 * @param {string} instanceId
 * @param {number} rounds
 */
async function measureTrips(pi, place, client, instanceId, rounds) {
  const rpc = new RpcProcess(pi, model, place);
  /** @type {() => void} */
  let answered = () => {};
  const stream = await client.stream(instanceId, undefined, () => answered());
  const through = () =>
    new Promise((resolve) => {
      const from = performance.now();
      answered = () => resolve(performance.now() - from);
      stream.sendLine('{"id":"b","type":"get_state"}');
    });
  /** @param {() => Promise<number>} trip */
  const median = async (trip) => {
    const times = [];
    for (let count = 0; count < roundTrips; count++) times.push(await trip());
    return { ms: times.sort((a, b) => a - b)[roundTrips / 2] ?? Number.NaN };
  };
  try {
    return await inTurn(
      {
        floor: () => median(async () => (await rpc.call("get_state")).ms),
        ours: () => median(/** @type {() => Promise<number>} */ (through)),
      },
      Math.min(rounds, 7),
    );
  } finally {
    stream.close();
    await rpc.end();
  }
}
