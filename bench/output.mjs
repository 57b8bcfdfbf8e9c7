// The bash tool taking in much output, beside a bare program that reads the same bytes from the same kind of pipe.
import { tmpdir } from "node:os";
import { createBashTool } from "@earendil-works/pi-coding-agent";
import { inTurn, runProgram } from "./measure.mjs";

const megabytes = 50;
const command = `yes 0123456789abcdef | head -c ${megabytes * 1_000_000}`;
const reader = `
  const child = require("node:child_process").spawn("bash", ["-c", ${JSON.stringify(command)}], { stdio: ["ignore", "pipe", "pipe"] });
  let bytes = 0;
  child.stdout.on("data", (chunk) => { bytes += chunk.length; });
  child.on("close", () => process.exit(bytes === ${megabytes * 1_000_000} ? 0 : 1));
`;

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchOutput({ rounds }) {
  const bash = createBashTool(tmpdir());
  const samples = await inTurn(
    {
      start: () => runProgram([process.execPath, "-e", "0"]),
      copy: () => runProgram([process.execPath, "-e", reader]),
      ours: async () => {
        const started = performance.now();
        const result = await bash.execute("bench", { command });
        const [block] = result.content;
        if (block?.type !== "text" || !block.text.includes("Full output:")) throw new Error("unexpected result");
        return { ms: performance.now() - started };
      },
    },
    Math.min(rounds, 7),
  );
  return [
    {
      name: `bash: ${megabytes} MB of output`,
      unit: "ms",
      floorIs: "bare read of the pipe, start of Node taken off",
      figures: {
        floor: (samples["copy"]?.ms ?? 0) - (samples["start"]?.ms ?? 0),
        ours: samples["ours"]?.ms ?? Number.NaN,
      },
    },
  ];
}
