// Figures: ours, the physical floor and, with --peer "<command>", another program's, taken in turn in one run.
// A table for people; --json <file> writes the same as JSON. --rounds <n> and --only <word> narrow the run.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled, root } from "./lib/setup.mjs";

const { values } = parseArgs({
  options: {
    peer: { type: "string" },
    json: { type: "string", default: join("bench-results", "latest.json") },
    rounds: { type: "string", default: "15" },
    only: { type: "string", default: "" },
  },
});

ensureInstalled();
const built = spawnSync(process.execPath, [join(root, "scripts", "build.mjs"), "--js"], {
  stdio: ["ignore", "ignore", "inherit"],
});
if (built.status !== 0) process.exit(1);

const { benchStart } = await import("../bench/start.mjs");
const { benchSearch } = await import("../bench/search.mjs");
const { benchOutput } = await import("../bench/output.mjs");
const { benchEdit } = await import("../bench/edit.mjs");
const { benchStream } = await import("../bench/stream.mjs");
const { benchTurns } = await import("../bench/turns.mjs");
const benches = {
  start: benchStart,
  search: benchSearch,
  output: benchOutput,
  edit: benchEdit,
  stream: benchStream,
  turns: benchTurns,
};
const peer = values.peer?.split(/\s+/).filter((word) => word !== "");
const context = {
  pi: [process.execPath, join(root, "packages", "coding-agent", "dist", "cli.js")],
  ...(peer && { peer }),
  rounds: Number(values.rounds),
};

/** @type {import("../bench/types.mjs").BenchResult[]} */
const results = [];
for (const [name, bench] of Object.entries(benches)) {
  if (name.includes(values.only)) results.push(...(await bench(context)));
}
printTable();
const file = resolve(values.json);
mkdirSync(dirname(file), { recursive: true });
const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
writeFileSync(
  file,
  `${JSON.stringify({ date: new Date().toISOString(), machine, rounds: context.rounds, results }, null, 2)}\n`,
);
console.log(`\nMedians of ${values.rounds} rounds, Node ${process.version}. JSON: ${values.json}`);

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
