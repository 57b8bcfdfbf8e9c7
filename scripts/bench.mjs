// Figures: ours, the physical floor and, with --peer "<command>", another program's, taken in turn in one run.
// A table for people; --json <file> writes the same as JSON. --rounds <n> and --only <word> narrow the run.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled, root } from "./lib/setup.mjs";

const { values, rounds, peer } = readArguments();

ensureInstalled();
const built = spawnSync(process.execPath, [join(root, "scripts", "build.mjs"), "--js"], {
  stdio: ["ignore", "ignore", "inherit"],
});
if (built.status !== 0) process.exit(1);

/** @type {Record<string, () => Promise<(context: import("../bench/types.mjs").BenchContext) => Promise<import("../bench/types.mjs").BenchResult[]>>>} */
const benches = {
  start: async () => (await import("../bench/start.mjs")).benchStart,
  search: async () => (await import("../bench/search.mjs")).benchSearch,
  output: async () => (await import("../bench/output.mjs")).benchOutput,
  edit: async () => (await import("../bench/edit.mjs")).benchEdit,
  stream: async () => (await import("../bench/stream.mjs")).benchStream,
  sessions: async () => (await import("../bench/sessions.mjs")).benchSessions,
  turns: async () => (await import("../bench/turns.mjs")).benchTurns,
  tui: async () => (await import("../bench/tui.mjs")).benchTui,
  rpc: async () => (await import("../bench/rpc.mjs")).benchRpc,
  sdk: async () => (await import("../bench/sdk.mjs")).benchSdk,
  extensions: async () => (await import("../bench/extensions.mjs")).benchExtensions,
  orchestrator: async () => (await import("../bench/orchestrator.mjs")).benchOrchestrator,
  "big-sessions": async () => (await import("../bench/big-sessions.mjs")).benchBigSessions,
};
const context = {
  pi: [process.execPath, join(root, "packages", "coding-agent", "dist", "cli.js")],
  ...(peer && { peer }),
  rounds,
};

/** @type {import("../bench/types.mjs").BenchResult[]} */
const results = [];
for (const [name, load] of Object.entries(benches)) {
  if (!name.includes(values.only)) continue;
  try {
    const bench = await load();
    results.push(...(await bench(context)));
  } catch (error) {
    console.error(`The bench "${name}" failed: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}
if (results.length === 0) {
  console.error(`No bench is called so: ${values.only}. There are: ${Object.keys(benches).join(", ")}`);
  process.exit(1);
}
printTable();
const file = resolve(values.json);
mkdirSync(dirname(file), { recursive: true });
const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
writeFileSync(file, `${JSON.stringify({ date: new Date().toISOString(), machine, rounds, results }, null, 2)}\n`);
console.log(`\nMedians of ${rounds} rounds, Node ${process.version}. JSON: ${values.json}`);

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        peer: { type: "string" },
        json: { type: "string", default: join("bench-results", "latest.json") },
        rounds: { type: "string", default: "15" },
        only: { type: "string", default: "" },
      },
    });
    const rounds = Number(values.rounds);
    if (!Number.isInteger(rounds) || rounds < 1)
      throw new Error(`--rounds takes a whole number from 1: ${values.rounds}`);
    const words = values.peer?.split(/\s+/).filter((word) => word !== "");
    // The programs run in a folder of their own, so paths must not depend on this one.
    return { values, rounds, peer: words?.map((word) => (existsSync(word) ? resolve(word) : word)) };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error('Options: --peer "<command>", --rounds <n>, --only <word>, --json <file>');
    process.exit(1);
  }
}

function printTable() {
  const rows = [["bench", "unit", "ours", "floor", "ours/floor", "aim", ...(peer ? ["peer"] : [])]];
  for (const { name, unit, figures, limit, floorIs } of results) {
    const { ours = Number.NaN, floor = Number.NaN } = figures;
    rows.push([
      name,
      unit,
      ours.toFixed(1),
      `${floor.toFixed(1)} (${floorIs})`,
      (ours / floor).toFixed(2),
      aim(limit),
      ...(peer ? [figures["peer"]?.toFixed(1) ?? "-"] : []),
    ]);
  }
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

/** @param {import("../bench/types.mjs").BenchResult["limit"]} limit */
function aim(limit) {
  if (limit?.timesFloor !== undefined) return `<= ${limit.timesFloor} x floor`;
  if (limit?.overFloor !== undefined) return `<= floor + ${limit.overFloor}`;
  return limit?.atMost !== undefined ? `<= ${limit.atMost}` : "-";
}
