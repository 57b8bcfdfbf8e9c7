// What extensions add to a start, once their files are transpiled.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inTurn, runProgram } from "./measure.mjs";
import { deltaServer, rpcPlace, streamAll } from "./rpc.mjs";

const worker = fileURLToPath(new URL("./extensions-worker.mjs", import.meta.url));
const handlers = `pi.on("turn_start", () => {}); pi.registerCommand(import.meta.url, { async handler() {} });`;
const plain = `export default (pi) => { ${handlers} };`;
const withTool = `import { Type } from "typebox";
export default (pi) => {
  pi.registerTool({ name: "t", label: "t", description: "t", parameters: Type.Object({ a: Type.String() }), async execute() {} });
};`;

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchExtensions({ pi, rounds }) {
  const home = mkdtempSync(join(tmpdir(), "pi-bench-"));
  try {
    const file = (/** @type {string} */ name, /** @type {string} */ text) => {
      writeFileSync(join(home, name), text);
      return join(home, name);
    };
    const plains = Array.from({ length: 11 }, (_, number) => file(`plain-${number}.ts`, plain));
    const tool = file("tool.ts", withTool);
    const run = async (/** @type {string[]} */ files) => {
      const { stdout, stderr, code } = await runProgram([process.execPath, worker, home, ...files]);
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    };
    const part = (/** @type {string[]} */ files, /** @type {string} */ key) => async () => ({
      ms: (await run(files))[key],
    });
    const samples = await inTurn(
      { first: part(plains, "firstMs"), others: part(plains, "othersMs"), tool: part([tool], "firstMs") },
      rounds,
    );
    const figures = (/** @type {string} */ name) => ({ ours: samples[name]?.ms ?? 0 });
    return [
      {
        name: "extensions: the first one",
        unit: "ms",
        floorIs: "none",
        figures: figures("first"),
        limit: { atMost: 40 },
      },
      {
        name: "extensions: each further one",
        unit: "ms",
        floorIs: "none",
        figures: figures("others"),
        limit: { atMost: 6 },
      },
      {
        name: "extensions: the first one, with a tool and TypeBox",
        unit: "ms",
        floorIs: "none",
        figures: figures("tool"),
      },
      await unheardEvents(pi, plains.slice(0, 10), join(home, "unheard"), Math.min(rounds, 5)),
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * Streamed deltas while ten extensions listen to other events, beside the same without extensions.
 * @param {string[]} pi @param {string[]} files @param {string} home @param {number} rounds
 * @returns {Promise<import("./types.mjs").BenchResult>}
 */
async function unheardEvents(pi, files, home, rounds) {
  const { server, url } = await deltaServer();
  try {
    const place = rpcPlace(home, url);
    const samples = await inTurn(
      {
        floor: () => streamAll(pi, place),
        ours: () =>
          streamAll(
            pi,
            place,
            files.flatMap((path) => ["-e", path]),
          ),
      },
      rounds,
    );
    return {
      name: "extensions: a delta that ten of them do not hear",
      unit: "µs CPU",
      floorIs: "without extensions",
      figures: { ours: samples["ours"]?.ms ?? 0, floor: samples["floor"]?.ms ?? 0 },
      limit: { timesFloor: 1.1 },
    };
  } finally {
    server.disconnect();
  }
}
