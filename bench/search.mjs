// The grep and find tools beside bare ripgrep on the same tree.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFindTool, createGrepTool } from "@earendil-works/pi-coding-agent";
import { rgPath } from "@vscode/ripgrep";
import { inTurn, runProgram } from "./measure.mjs";

const files = 20_000;

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchSearch({ rounds }) {
  const dir = mkdtempSync(join(tmpdir(), "pi-bench-search-"));
  try {
    for (let index = 0; index < files; index++) {
      const folder = join(dir, `d${index % 200}`);
      mkdirSync(folder, { recursive: true });
      const name = index % 400 === 0 ? `special${index}.md` : `f${index}.txt`;
      writeFileSync(
        join(folder, name),
        `line one\nneedle ${index % 400 === 0 ? "here" : "nowhere"}\n${"x".repeat(500)}\n`,
      );
    }
    const tools = { grep: createGrepTool(dir), find: createFindTool(dir) };
    /**
     * @param {"grep" | "find"} tool
     * @param {string} pattern
     */
    const timed = async (tool, pattern) => {
      const started = performance.now();
      const result = await tools[tool].execute("bench", { pattern });
      const ms = performance.now() - started;
      const [block] = result.content;
      const text = block?.type === "text" ? block.text : "";
      if (text.split("\n").length !== files / 400) throw new Error(`unexpected result:\n${text}`);
      return { ms };
    };
    /** @param {string[]} args */
    const bare = (args) => runProgram([rgPath, "--no-config", "--hidden", ...args], { cwd: dir });
    const grep = await inTurn(
      { floor: () => bare(["--json", "--", "needle here", "."]), ours: () => timed("grep", "needle here") },
      rounds,
    );
    const find = await inTurn(
      { floor: () => bare(["--files", "--glob", "special*.md"]), ours: () => timed("find", "special*.md") },
      rounds,
    );
    return [row("grep", grep), row("find", find)];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * @param {string} tool
 * @param {Record<string, import("./measure.mjs").Sample>} samples
 * @returns {import("./types.mjs").BenchResult}
 */
function row(tool, samples) {
  const { floor, ours } = /** @type {Record<"floor" | "ours", import("./measure.mjs").Sample>} */ (samples);
  return {
    name: `${tool} over ${files} files`,
    unit: "ms",
    floorIs: "bare ripgrep",
    figures: { floor: floor.ms, ours: ours.ms },
    limit: { overFloor: 20 },
  };
}
