// Fifty edits on a file of 5 MB, beside a naive program that scans the file twice for each of them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEditTool } from "@earendil-works/pi-coding-agent";
import { inTurn } from "./measure.mjs";

const edits = 50;
const lines = 100_000;

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchEdit({ rounds }) {
  const dir = mkdtempSync(join(tmpdir(), "pi-bench-edit-"));
  const path = join(dir, "big.txt");
  const text = Array.from(
    { length: lines },
    (_, index) => `line ${index} of a file that is edited in many places\n`,
  ).join("");
  const changes = Array.from({ length: edits }, (_, index) => {
    const line = Math.floor(((index + 0.5) * lines) / edits);
    return { oldText: `line ${line} of a file`, newText: `LINE ${line} of a file` };
  });
  const expected = changes.reduce((result, { oldText, newText }) => result.replace(oldText, newText), text);
  const edit = createEditTool(dir);
  try {
    /** @param {() => Promise<unknown>} run */
    const timed = async (run) => {
      writeFileSync(path, text);
      const started = performance.now();
      await run();
      const ms = performance.now() - started;
      if (readFileSync(path, "utf8") !== expected) throw new Error("the file is not what it should be");
      return { ms };
    };
    const samples = await inTurn(
      {
        floor: () => timed(async () => naive(path, changes)),
        ours: () => timed(() => edit.execute("bench", { path, edits: changes })),
      },
      rounds,
    );
    const { floor, ours } = /** @type {Record<"floor" | "ours", import("./measure.mjs").Sample>} */ (samples);
    return [
      {
        name: `edit: ${edits} edits on ${(text.length / 1e6).toFixed(1)} MB`,
        unit: "ms",
        floorIs: "naive: two scans of the normalised file per edit",
        figures: { floor: floor.ms, ours: ours.ms },
        limit: { timesFloor: 0.5 },
      },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * What a straightforward program does: for every edit it normalises the file, looks for the text and counts it.
 *
 * @param {string} path
 * @param {{ oldText: string, newText: string }[]} changes
 */
function naive(path, changes) {
  let text = readFileSync(path, "utf8");
  for (const { oldText, newText } of changes) {
    const normalised = normalise(text);
    const at = normalised.indexOf(oldText);
    if (at < 0 || normalised.split(oldText).length !== 2) throw new Error("not unique");
    text = text.slice(0, at) + newText + text.slice(at + oldText.length);
  }
  writeFileSync(path, text);
}

/** @param {string} text */
function normalise(text) {
  return text
    .normalize("NFKC")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201C\u201D]/g, '"');
}
