// Sessions of 128 MB and of 20,000 entries, and a folder of 2,000, beside bare reads of the same bytes.
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/lib/setup.mjs";
import { inTurn, runProgram } from "./measure.mjs";

/** @typedef {import("./measure.mjs").Sample} Sample */

const worker = join(root, "bench", "sessions-worker.mjs");
/** Reads a file in pieces and counts its lines, as every program must that looks at all of it. */
const bareRead = `
  const { openSync, readSync } = require("node:fs");
  const started = performance.now();
  const file = openSync(process.argv[1], "r");
  const piece = Buffer.allocUnsafe(1 << 20);
  let lines = 0;
  for (let length; (length = readSync(file, piece, 0, piece.length, null)) > 0; ) {
    for (let at = piece.indexOf(10); at >= 0 && at < length; at = piece.indexOf(10, at + 1)) lines++;
  }
  console.log(JSON.stringify({ ms: performance.now() - started, growthMb: 0 }));
`;
/** Reads and parses whole files of a folder. */
const bareList = `
  const { readdirSync, readFileSync } = require("node:fs");
  const started = performance.now();
  let entries = 0;
  for (const name of readdirSync(process.argv[1])) {
    for (const line of readFileSync(process.argv[1] + "/" + name, "utf8").split("\\n")) {
      if (line !== "") JSON.parse(line), entries++;
    }
  }
  console.log(JSON.stringify({ ms: performance.now() - started, growthMb: 0 }));
`;

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchSessions({ rounds }) {
  const dir = mkdtempSync(join(tmpdir(), "pi-bench-sessions-"));
  const large = join(dir, "large.jsonl");
  const long = join(dir, "long.jsonl");
  const empty = join(dir, "empty.jsonl");
  const grows = join(dir, "grows.jsonl");
  const many = join(dir, "many");
  mkdirSync(many);
  try {
    writeSession(large, 9000, 128e6);
    writeSession(long, 20_000, 50e6);
    writeSession(empty, 0, 0);
    writeSession(grows, 100, 100_000);
    for (let count = 0; count < 2000; count++) writeSession(join(many, `${count}.jsonl`), 12, 20_000);
    /** @param {string[]} args */
    const measured = async (args) => {
      const { stdout, stderr, code } = await runProgram([process.execPath, ...args]);
      if (code !== 0) throw new Error(stderr);
      const { ms, growthMb } = JSON.parse(stdout);
      return { ms, peakMb: growthMb };
    };
    /** @param {string} what @param {string} path */
    const ours = (what, path) => () => measured([worker, what, path]);
    /** @param {string} path */
    const bare = (path) => () => measured(["-e", bareRead, path]);
    const samples = await inTurn(
      {
        readLarge: bare(large),
        readLong: bare(long),
        readMany: () => measured(["-e", bareList, many]),
        empty: ours("open", empty),
        large: ours("open", large),
        long: ours("open", long),
        entries: ours("entries", long),
        messages: ours("messages", long),
        tree: ours("tree", long),
        figures: ours("figures", long),
        since: ours("since", long),
        append: ours("append", grows),
        list: ours("list", many),
      },
      Math.min(rounds, 7),
    );
    /** @param {string} name */
    const of = (name) => /** @type {Sample} */ (samples[name]);
    const noMemory = Number.NaN;
    /** @param {string} name @param {string} floor @param {string} measure @param {number} atMost */
    const time = (name, floor, measure, atMost) => ({
      name: `sessions: ${name}`,
      unit: /** @type {const} */ ("ms"),
      floorIs: "bare read of the same bytes",
      figures: { floor: of(floor).ms, ours: of(measure).ms },
      limit: { atMost },
    });
    return [
      time("open 128 MB, 9,000 messages", "readLarge", "large", 250 + of("empty").ms),
      time("open 50 MB, 20,000 entries", "readLong", "long", 250 + of("empty").ms),
      ...["large", "long"].map((name) => ({
        name: `sessions: memory of the ${name} one`,
        unit: /** @type {const} */ ("MB"),
        floorIs: "an empty session",
        figures: { floor: of("empty").peakMb ?? noMemory, ours: of(name).peakMb ?? noMemory },
        limit: { overFloor: 60 },
      })),
      time("all entries of 50 MB as JSON", "readLong", "entries", 200),
      time("all messages of 50 MB as JSON", "readLong", "messages", 250),
      time("the tree of 50 MB as JSON", "readLong", "tree", 300),
      { ...time("figures", "readLong", "figures", 5), floorIs: "bare read of the file" },
      { ...time("entries behind the last", "readLong", "since", 5), floorIs: "bare read of the file" },
      { ...time("one append", "empty", "append", 0.2), floorIs: "opening an empty session" },
      { ...time("list 2,000 of 20 KB", "readMany", "list", 400), floorIs: "reading and parsing all of them" },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const prose = `The quick brown fox "jumps" over lazy dogs.\n\tconst total = items.reduce((sum, item) => sum + item, 0);\n`;

/**
 * Turns of a question, a call, its result and an answer: most bytes are in results, as they are in real sessions.
 *
 * @param {string} path
 * @param {number} count
 * @param {number} bytes
 */
function writeSession(path, count, bytes) {
  const text = prose.repeat(Math.ceil(bytes / Math.max(1, count) / 30));
  /** @param {number} share of the bytes of an average entry */
  const words = (share) => [{ type: "text", text: text.slice(0, Math.max(0, (bytes / count) * share - 250)) }];
  const usage = {
    input: 1200,
    output: 15,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 1215,
    cost: { input: 0.0012, output: 0.00003, cacheRead: 0, cacheWrite: 0, total: 0.00123 },
  };
  const start = Date.parse("2026-11-30T08:00:00.000Z");
  const header = { type: "session", version: 3, id: "bench", timestamp: new Date(start).toISOString(), cwd: "/" };
  const file = openSync(path, "w");
  writeSync(file, `${JSON.stringify(header)}\n`);
  for (let at = 0; at < count; at++) {
    const timestamp = start + at * 1000;
    const answer = { api: "x", provider: "m", model: "m1", usage, stopReason: "stop", timestamp };
    const call = { type: "toolCall", id: `call_${at}`, name: "read", arguments: { path: "src/index.ts" } };
    const message = [
      { role: "user", content: words(0.4), timestamp },
      { role: "assistant", content: [...words(0.5), call], ...answer },
      {
        role: "toolResult",
        toolCallId: `call_${at - 1}`,
        toolName: "read",
        content: words(2.4),
        isError: false,
        timestamp,
      },
      { role: "assistant", content: words(0.7), ...answer },
    ][at % 4];
    const id = (0x10000000 + at).toString(16);
    const parentId = at === 0 ? null : (0x10000000 + at - 1).toString(16);
    const entry = { type: "message", id, parentId, timestamp: new Date(timestamp).toISOString(), message };
    writeSync(file, `${JSON.stringify(entry)}\n`);
  }
  closeSync(file);
}
