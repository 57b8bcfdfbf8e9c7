// The bash tool taking in much output, beside bare programs that read the same bytes from the same kind of pipe.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/lib/setup.mjs";
import { inTurn, runProgram } from "./measure.mjs";

const megabytes = 200;
/** @param {string} line */
const commandOf = (line) => `yes ${line} | head -c ${megabytes * 1_000_000}`;
const command = commandOf("0123456789abcdef");
const wideCommand = commandOf("Größe：0123 日本語、テキスト");
const log = join(tmpdir(), `pi-bench-output-${process.pid}.log`);
/**
 * @param {string} command
 * @param {boolean} writes whether it also writes what it reads to a file, as every log of the full output must
 */
const reader = (command, writes) => `
  const { createWriteStream, unlinkSync } = require("node:fs");
  const started = performance.now();
  const file = ${writes} ? createWriteStream(${JSON.stringify(log)}, { highWaterMark: 1 << 20 }) : undefined;
  const child = require("node:child_process").spawn("bash", ["-c", ${JSON.stringify(command)}], { stdio: ["ignore", "pipe", "pipe"] });
  let bytes = 0;
  child.stdout.on("data", (chunk) => {
    bytes += chunk.length;
    if (!file || file.write(chunk)) return;
    child.stdout.pause();
    file.once("drain", () => child.stdout.resume());
  });
  child.on("close", () => {
    if (bytes !== ${megabytes * 1_000_000}) process.exit(1);
    const done = () => console.log(JSON.stringify({ ms: performance.now() - started, growthMb: 0 }));
    if (!file) return done();
    file.end(() => {
      done();
      unlinkSync(file.path);
    });
  });
`;

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchOutput({ rounds }) {
  /** @param {string[]} args */
  const measured = async (args) => {
    const { stdout, stderr, code } = await runProgram([process.execPath, ...args]);
    if (code !== 0) throw new Error(stderr);
    const { ms, growthMb } = JSON.parse(stdout);
    return { ms, peakMb: growthMb };
  };
  const samples = await inTurn(
    {
      floor: () => measured(["-e", reader(command, false)]),
      writing: () => measured(["-e", reader(command, true)]),
      ours: () => measured([join(root, "bench", "output-worker.mjs"), command]),
      wideFloor: () => measured(["-e", reader(wideCommand, false)]),
      wide: () => measured([join(root, "bench", "output-worker.mjs"), wideCommand]),
    },
    Math.min(rounds, 7),
  );
  const { floor, writing, ours, wideFloor, wide } =
    /** @type {Record<"floor" | "writing" | "ours" | "wideFloor" | "wide", import("./measure.mjs").Sample>} */ (
      samples
    );
  return [
    {
      name: `bash: ${megabytes} MB of output`,
      unit: "ms",
      floorIs: "bare read of the same pipe",
      figures: { floor: floor.ms, ours: ours.ms },
      limit: { timesFloor: 1.5 },
    },
    {
      name: `bash: ${megabytes} MB of output, kept`,
      unit: "ms",
      floorIs: "bare read, and write to a file",
      figures: { floor: writing.ms, ours: ours.ms },
    },
    {
      name: `bash: ${megabytes} MB that are not ASCII`,
      unit: "ms",
      floorIs: "bare read of the same pipe",
      figures: { floor: wideFloor.ms, ours: wide.ms },
    },
    {
      name: `bash: memory growth over ${megabytes} MB`,
      unit: "MB",
      floorIs: "nothing",
      figures: { floor: 0, ours: ours.peakMb ?? Number.NaN },
      limit: { atMost: 60 },
    },
  ];
}
