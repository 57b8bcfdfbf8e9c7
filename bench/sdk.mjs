// Embedding: a hundred sessions in one process.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startScriptedServer } from "@pi/testkit";
import { inTurn, runProgram } from "./measure.mjs";
import { figuresOf, rpcPlace } from "./rpc.mjs";

const worker = fileURLToPath(new URL("./sdk-worker.mjs", import.meta.url));

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchSdk({ rounds }) {
  const home = mkdtempSync(join(tmpdir(), "pi-bench-"));
  const server = await startScriptedServer({ script: () => ({ blocks: [{ type: "text", text: "ok" }] }) });
  try {
    const { agentDir, cwd } = rpcPlace(home, server.baseUrl("anthropic-messages"));
    const run = async (/** @type {number} */ count) => {
      const { stdout, stderr, code } = await runProgram([process.execPath, worker, `${count}`, agentDir, cwd]);
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    };
    const samples = await inTurn({ floor: () => run(1), ours: () => run(100) }, Math.min(rounds, 5));
    return [
      {
        name: "SDK: memory of 100 sessions that answered a prompt",
        unit: "MB",
        floorIs: "one session",
        figures: figuresOf(samples, "peakMb"),
        limit: { atMost: 250 },
      },
      {
        name: "SDK: 100 sessions, each with a prompt",
        unit: "ms",
        floorIs: "one session",
        figures: figuresOf(samples, "ms"),
      },
    ];
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}
