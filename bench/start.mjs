// How long until something happens: `--version`, and print mode from spawn to the request that the provider receives.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedServer } from "@pi/testkit";
import { inTurn, runProgram } from "./measure.mjs";

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchStart({ pi, peer, rounds }) {
  const bare = () => runProgram([process.execPath, "-e", "0"]);
  const version = await inTurn(
    {
      floor: bare,
      ours: () => succeed(runProgram([...pi, "--version"])),
      ...(peer && { peer: () => succeed(runProgram([...peer, "--version"])) }),
    },
    rounds,
  );
  const help = await ourCommand(pi, ["--help"], bare, rounds);
  const home = mkdtempSync(join(tmpdir(), "pi-bench-"));
  const server = await startScriptedServer({ script: () => ({ blocks: [{ type: "text", text: "ok" }] }) });
  try {
    writeFileSync(join(home, "models.json"), JSON.stringify(modelsJson(server)));
    const env = { ...process.env, PI_CODING_AGENT_DIR: home, PI_OFFLINE: "1" };
    const list = await ourCommand(pi, ["--list-models"], bare, rounds, env);
    const prompt = ["-p", "--model", "scripted/scripted", "hello"];
    /** @param {string[]} command */
    const untilRequest = async (command) => {
      const index = server.requests.length;
      const run = await succeed(runProgram([...command, ...prompt], { cwd: home, env }));
      const request = server.requests[index];
      if (!request) throw new Error(`no request was received from: ${command.join(" ")}`);
      return { ...run, ms: request.receivedAt - run.startedAt };
    };
    const print = await inTurn(
      { floor: bare, ours: () => untilRequest(pi), ...(peer && { peer: () => untilRequest(peer) }) },
      rounds,
    );
    return [
      { name: "pi --version", unit: "ms", floorIs: "node -e 0", figures: times(version), limit: { timesFloor: 1.3 } },
      { name: "pi --help", unit: "ms", floorIs: "node -e 0", figures: times(help), limit: { timesFloor: 1.6 } },
      { name: "pi --list-models", unit: "ms", floorIs: "node -e 0", figures: times(list), limit: { timesFloor: 3 } },
      {
        name: "print mode: spawn to request received",
        unit: "ms",
        floorIs: "node -e 0",
        figures: times(print),
        limit: { timesFloor: 3.5 },
      },
      {
        name: "print mode: peak memory",
        unit: "MB",
        floorIs: "node -e 0",
        figures: peaks(print),
        limit: { atMost: 90 },
      },
    ];
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * A command that answers and ends, against the floor.
 * @param {string[]} pi
 * @param {string[]} args
 * @param {() => Promise<import("./measure.mjs").Sample>} bare
 * @param {number} rounds
 * @param {NodeJS.ProcessEnv} [env]
 */
function ourCommand(pi, args, bare, rounds, env) {
  return inTurn({ floor: bare, ours: () => succeed(runProgram([...pi, ...args], env ? { env } : {})) }, rounds);
}

/** @param {import("@pi/testkit").ScriptedServer} server */
function modelsJson(server) {
  return {
    providers: {
      scripted: {
        baseUrl: server.baseUrl("anthropic-messages"),
        api: "anthropic-messages",
        apiKey: "bench",
        models: [{ id: "scripted" }],
      },
    },
  };
}

/**
 * @template {{ code: number | null, stderr: string }} T
 * @param {Promise<T>} run
 */
async function succeed(run) {
  const result = await run;
  if (result.code !== 0) throw new Error(`ended with exit code ${result.code}: ${result.stderr}`);
  return result;
}

/** @param {Record<string, import("./measure.mjs").Sample>} samples */
function times(samples) {
  return Object.fromEntries(Object.entries(samples).map(([name, { ms }]) => [name, ms]));
}

/** @param {Record<string, import("./measure.mjs").Sample>} samples */
function peaks(samples) {
  return Object.fromEntries(Object.entries(samples).map(([name, { peakMb }]) => [name, peakMb ?? Number.NaN]));
}
