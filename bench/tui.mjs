// The interactive mode in a terminal of 100 x 30: first frame, keys, streams, resizes, memory, with long conversations.
import { fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inTurn, runProgram } from "./measure.mjs";
import { BenchTerminal, sleep } from "./tui-terminal.mjs";

const KEYS = 60;
/** Letters that no text of the bench has. */
const LETTERS = "жшщюяфыэ";
const modes = /** @type {const} */ (["fullscreen", "regular"]);

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchTui({ pi, rounds }) {
  const home = mkdtempSync(join(tmpdir(), "pi-bench-"));
  const { server, url } = await streamServer();
  try {
    const place = placeIn(home, url);
    const files = {
      empty: undefined,
      "2,000 messages": writeSession(join(home, "s2000.jsonl"), place.cwd, 2000),
      "20,000 messages": writeSession(join(home, "s20000.jsonl"), place.cwd, 20_000),
    };
    /** @type {import("./types.mjs").BenchResult[]} */
    const results = [];
    const echo = await echoTime(place);
    for (const mode of modes) {
      /** @param {string | undefined} file */
      const open = (file) =>
        new BenchTerminal(
          [...pi, "--tui-mode", mode, "--model", "scripted/m1", ...(file === undefined ? [] : ["--session", file])],
          place,
        );
      results.push(await firstFrame(mode, open, rounds));
      for (const [name, file] of Object.entries(files))
        results.push(...(await conversation(`${mode}, ${name}`, open, file, echo)));
    }
    return results;
  } finally {
    server.disconnect();
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * @param {string} mode
 * @param {(file: string | undefined) => BenchTerminal} open
 * @param {number} rounds
 * @returns {Promise<import("./types.mjs").BenchResult>}
 */
async function firstFrame(mode, open, rounds) {
  const samples = await inTurn(
    {
      floor: () => runProgram([process.execPath, "-e", "0"]),
      ours: async () => {
        const terminal = open(undefined);
        const ms = await terminal.until("interrupt");
        await terminal.end();
        return { ms };
      },
    },
    rounds,
  );
  const figures = Object.fromEntries(Object.entries(samples).map(([name, { ms }]) => [name, ms]));
  return { name: `${mode}: first frame`, unit: "ms", floorIs: "node -e 0", figures, limit: { timesFloor: 4 } };
}

/**
 * @param {string} name
 * @param {(file: string | undefined) => BenchTerminal} open
 * @param {string | undefined} file
 * @param {number} echo ms that a program which only echoes takes for a key
 */
async function conversation(name, open, file, echo) {
  const isEmpty = file === undefined;
  const isHuge = name.includes("20,000");
  const terminal = open(file);
  /** @type {import("./types.mjs").BenchResult[]} */
  const results = [];
  /** @type {(what: string, unit: import("./types.mjs").BenchResult["unit"], ours: number, atMost?: number) => unknown} */
  const add = (what, unit, ours, atMost) =>
    results.push({
      name: `${name}: ${what}`,
      unit,
      floorIs: what.includes("key to frame") ? "node that echoes" : "-",
      figures: { ours, ...(what.includes("key to frame") && { floor: echo }) },
      ...(atMost !== undefined && { limit: { atMost } }),
    });
  try {
    const shown = await terminal.until(isEmpty ? "m1" : "the last message");
    if (!isEmpty) add("spawn to the conversation", "ms", shown);
    await terminal.quiet();
    await keyTimes(terminal, 10);
    const idle = await keyTimes(terminal, KEYS);
    add("key to frame, p95", "ms", idle, isEmpty ? 8 : 12);
    if (isEmpty) add("memory", "MB", terminal.memory(), 90);
    else if (!isHuge) add("memory", "MB", terminal.memory(), 160);
    else add("memory", "MB", terminal.memory());
    await terminal.quiet();
    const before = terminal.bytes;
    terminal.child.resize(90, 28);
    const resized = await terminal.until("\x1b[?2026l");
    await terminal.quiet();
    if (isHuge) {
      add("resize", "ms", resized, 100);
      add("resize, sent", "kB", (terminal.bytes - before) / 1024, 50);
    }
    terminal.child.resize(100, 30);
    await terminal.quiet();
    terminal.write("\x15fast\r");
    await terminal.until("Working");
    await sleep(1500);
    const cpu = terminal.cpu();
    await sleep(4000);
    add("200 deltas/s, of a core", "%", (terminal.cpu() - cpu) / 40, name.includes("2,000") ? 12 : undefined);
    add("200 deltas/s: key to frame, p95", "ms", await keyTimes(terminal, KEYS), 12);
    terminal.write("\x1b");
    await terminal.until("Operation aborted");
    await terminal.quiet();
    if (isEmpty) {
      terminal.write("\x15slow\r");
      await terminal.until("Working");
      await sleep(1500);
      const sent = terminal.bytes;
      await sleep(4000);
      add("20 deltas/s: bytes per delta", "B", (terminal.bytes - sent) / 80, 120);
    }
    return results;
  } finally {
    await terminal.end();
  }
}

/**
 * Types letters one by one and waits for each. Returns the 95th percentile in ms.
 * @param {BenchTerminal} terminal
 * @param {number} count
 */
async function keyTimes(terminal, count) {
  const times = [];
  for (let at = 0; at < count; at++) {
    const letter = LETTERS[at % LETTERS.length] ?? "";
    terminal.write(letter);
    times.push(await terminal.until(letter));
    await sleep(23);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

/**
 * The 95th percentile for a program that only echoes: what the machine and the pseudo-terminal take by themselves.
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} place
 */
async function echoTime(place) {
  const echo = "process.stdin.setRawMode(true).on('data', (data) => process.stdout.write(data)); console.log('ready')";
  const terminal = new BenchTerminal([process.execPath, "-e", echo], place);
  try {
    await terminal.until("ready");
    await keyTimes(terminal, 10);
    return await keyTimes(terminal, KEYS);
  } finally {
    await terminal.end();
  }
}

/** A server in a process of its own: its work must not count. */
async function streamServer() {
  const server = fork(join(import.meta.dirname, "tui-server.mjs"), { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const url = await new Promise((resolve) => server.once("message", resolve));
  return { server, url: String(url) };
}

/**
 * @param {string} home
 * @param {string} url
 */
function placeIn(home, url) {
  const cwd = join(home, "work");
  mkdirSync(cwd);
  const models = [{ id: "m1", contextWindow: 100_000_000 }];
  const scripted = { baseUrl: url, api: "anthropic-messages", apiKey: "bench", models };
  writeFileSync(join(home, "models.json"), JSON.stringify({ providers: { scripted } }));
  const { PATH } = process.env;
  return { cwd, env: { PATH, HOME: home, PI_CODING_AGENT_DIR: home, PI_OFFLINE: "1", PI_LOCAL_SERVERS: "" } };
}

const WORDS = "Some **words** in `Markdown` that a model may have said about the matter at hand, and a few more. ";

/**
 * A session of messages of a kilobyte each.
 * @param {string} file
 * @param {string} cwd
 * @param {number} count
 */
function writeSession(file, cwd, count) {
  const time = "2026-01-01T00:00:00.000Z";
  const lines = [JSON.stringify({ type: "session", version: 3, id: `bench-${count}`, timestamp: time, cwd })];
  const usage = {
    ...{ input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
  const model = { api: "anthropic-messages", provider: "scripted", model: "m1", usage, stopReason: "stop" };
  for (let at = 0; at < count; at++) {
    const text = at === count - 1 ? "the last message" : `${at}. ${WORDS.repeat(11)}`.slice(0, 1000);
    const content = [{ type: "text", text }];
    const message =
      at % 2 === 0 ? { role: "user", content, timestamp: 1 } : { role: "assistant", content, ...model, timestamp: 1 };
    const parentId = at === 0 ? null : `e${at - 1}`;
    lines.push(JSON.stringify({ type: "message", id: `e${at}`, parentId, timestamp: time, message }));
  }
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}
