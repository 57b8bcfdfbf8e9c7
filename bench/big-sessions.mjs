// Long sessions over RPC, beside an empty one: nothing may depend on their length that need not.
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startScriptedServer } from "@pi/testkit";
import { inTurn } from "./measure.mjs";
import { figuresOf, rpcPlace } from "./rpc.mjs";
import { RpcProcess } from "./rpc-process.mjs";

const MB = 1024 * 1024;
const queries = /** @type {const} */ ([
  ["get_entries", 200],
  ["get_messages", 250],
  ["get_tree", 300],
  ["get_session_stats", 5],
  ["get_entries since=<last>", 5],
]);

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchBigSessions({ pi, peer, rounds }) {
  const home = mkdtempSync(join(tmpdir(), "pi-bench-"));
  const server = await startScriptedServer({ script: () => ({ blocks: [{ type: "text", text: "ok" }] }) });
  try {
    const place = rpcPlace(home, server.baseUrl("anthropic-messages"));
    const empty = writeSession(join(home, "empty.jsonl"), place.cwd, 2, 200);
    const files = {
      "128 MB, 9,000 messages": writeSession(join(home, "large.jsonl"), place.cwd, 9000, (128 * MB) / 9000),
      "50 MB, 20,000 entries": writeSession(join(home, "many.jsonl"), place.cwd, 20_000, (50 * MB) / 20_000),
    };
    /** @type {import("./types.mjs").BenchResult[]} */
    const results = [];
    for (const [name, { file }] of Object.entries(files)) {
      const samples = await inTurn(
        {
          floor: () => untilState(pi, empty.file, place),
          ours: () => untilState(pi, file, place),
          ...(peer && { peer: () => untilState(peer, file, place) }),
        },
        Math.min(rounds, 5),
      );
      results.push(
        {
          name: `${name}: spawn to get_state`,
          unit: "ms",
          floorIs: "an empty session",
          figures: figuresOf(samples, "ms"),
          limit: { overFloor: 250 },
        },
        {
          name: `${name}: memory then`,
          unit: "MB",
          floorIs: "an empty session",
          figures: figuresOf(samples, "peakMb"),
          limit: { overFloor: 60 },
        },
      );
    }
    const many = files["50 MB, 20,000 entries"];
    for (const [query, limit] of queries) {
      const samples = await inTurn(
        {
          ours: () => timeOf(pi, many, query, place),
          ...(peer && { peer: () => timeOf(peer, many, query, place) }),
        },
        Math.min(rounds, 5),
      );
      results.push({
        name: `50 MB, 20,000 entries: ${query}`,
        unit: "ms",
        floorIs: "-",
        figures: figuresOf(samples, "ms"),
        limit: { atMost: limit },
      });
    }
    const messages = writeSession(join(home, "messages.jsonl"), place.cwd, 8000, (20 * MB) / 8000);
    const floor = [process.execPath, fileURLToPath(new URL("./messages-floor.mjs", import.meta.url)), messages.file];
    const answers = await inTurn(
      {
        floor: () => timeOf(floor, messages, "get_messages", place),
        ours: () => timeOf(pi, messages, "get_messages", place),
        ...(peer && { peer: () => timeOf(peer, messages, "get_messages", place) }),
      },
      Math.min(rounds, 9),
    );
    results.push({
      name: "get_messages of 20 MB",
      unit: "ms",
      floorIs: "JSON.stringify and the write",
      figures: figuresOf(answers, "ms"),
      limit: { timesFloor: 1.5 },
    });
    return results;
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * A conversation in turns of question, call, result and answer.
 * @param {string} file @param {string} cwd @param {number} count @param {number} size bytes per entry
 * @returns {{ file: string, lastId: string }}
 */
function writeSession(file, cwd, count, size) {
  const descriptor = openSync(file, "w", 0o600);
  const timestamp = "2026-11-30T08:27:32.689Z";
  const time = Date.parse(timestamp);
  let text = `${JSON.stringify({ type: "session", version: 3, id: "bench", timestamp, cwd })}\n`;
  let parentId = null;
  const usage = {
    input: 10,
    output: 5,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 15,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.001 },
  };
  const filler = 'const value = "text";\n\tcall(value);\n'
    .repeat(Math.ceil(size / 36))
    .slice(0, Math.max(size - 420, 1));
  for (let index = 0; index < count; index++) {
    const id = index.toString(16).padStart(8, "0");
    const messages = [
      { role: "user", content: [{ type: "text", text: filler }], timestamp: time },
      {
        role: "assistant",
        content: [
          { type: "text", text: filler },
          { type: "toolCall", id: `c${index}`, name: "bash", arguments: { command: "ls" } },
        ],
        api: "x",
        provider: "scripted",
        model: "scripted",
        usage,
        stopReason: "toolUse",
        timestamp: time,
      },
      {
        role: "toolResult",
        toolCallId: `c${index - 1}`,
        toolName: "bash",
        content: [{ type: "text", text: filler }],
        isError: false,
        timestamp: time,
      },
      {
        role: "assistant",
        content: [{ type: "text", text: filler }],
        api: "x",
        provider: "scripted",
        model: "scripted",
        usage,
        stopReason: "stop",
        timestamp: time,
      },
    ];
    text += `${JSON.stringify({ type: "message", id, parentId, timestamp, message: messages[index % 4] })}\n`;
    parentId = id;
    if (text.length > MB) {
      writeSync(descriptor, text);
      text = "";
    }
  }
  writeSync(descriptor, text);
  closeSync(descriptor);
  return { file, lastId: parentId ?? "" };
}

/** @param {string[]} command @param {string} file @param {{ cwd: string, env: NodeJS.ProcessEnv }} place */
function open(command, file, place) {
  return new RpcProcess(command, ["--model", "scripted/scripted", "--session", file], place);
}

/** @param {string[]} command @param {string} file @param {{ cwd: string, env: NodeJS.ProcessEnv }} place */
async function untilState(command, file, place) {
  const rpc = open(command, file, place);
  await rpc.call("get_state");
  const ms = performance.now() - rpc.started;
  const { peakMb } = rpc.usage();
  await rpc.end();
  return { ms, peakMb };
}

/**
 * @param {string[]} command @param {{ file: string, lastId: string }} session @param {string} query
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} place
 */
async function timeOf(command, { file, lastId }, query, place) {
  const rpc = open(command, file, place);
  await rpc.call("get_state");
  const [type = ""] = query.split(" ");
  const { ms, line } = await rpc.call(type, query.includes("since") ? { since: lastId } : {});
  await rpc.end();
  if (!line.includes('"success":true')) throw new Error(`${query}: ${line.slice(0, 200)}`);
  return { ms };
}
