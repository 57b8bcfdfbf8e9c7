// The grep tool beside bare ripgrep on the same tree.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGrepTool } from "@earendil-works/pi-coding-agent";
import { rgPath } from "@vscode/ripgrep";
import { inTurn, runProgram } from "./measure.mjs";

const files = 2000;

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchSearch({ rounds }) {
  const dir = mkdtempSync(join(tmpdir(), "pi-bench-search-"));
  try {
    for (let index = 0; index < files; index++) {
      const folder = join(dir, `d${index % 40}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, `f${index}.txt`),
        `line one\nneedle ${index % 50 === 0 ? "here" : "nowhere"}\n${"x".repeat(500)}\n`,
      );
    }
    const grep = createGrepTool(dir);
    const samples = await inTurn(
      {
        floor: () => runProgram([rgPath, "--no-config", "--json", "--hidden", "--", "needle here", "."], { cwd: dir }),
        ours: async () => {
          const started = performance.now();
          const result = await grep.execute("bench", { pattern: "needle here" });
          const [block] = result.content;
          const text = block?.type === "text" ? block.text : "";
          if (text.split("\n").length !== files / 50) throw new Error(`unexpected result:\n${text}`);
          return { ms: performance.now() - started };
        },
      },
      rounds,
    );
    return [
      {
        name: `grep over ${files} files`,
        unit: "ms",
        floorIs: "bare ripgrep",
        figures: { floor: samples["floor"]?.ms ?? Number.NaN, ours: samples["ours"]?.ms ?? Number.NaN },
        limit: { overFloor: 20 },
      },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
