// CPU time per streamed text delta, from socket to subscriber, beside a bare parser on the same bytes.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { streamSimple } from "@earendil-works/pi-ai/compat";
import { createParser } from "eventsource-parser";
import { inTurn } from "./measure.mjs";

const deltas = 50_000;
const deltaSize = 4;
/** Base paths of the scripted server for each wire format. */
const apis = {
  "anthropic-messages": "",
  "openai-completions": "/v1",
  "openai-responses": "/v1",
  "google-generative-ai": "/v1beta",
  "mistral-conversations": "/mistral",
  "bedrock-converse-stream": "/bedrock",
};
/** A fast client finds several chunks in its socket; `each` shows what a slow stream costs, where it never does. */
/** Memory is compared between this delta and the last one: by then everything is loaded that will be. */
const settled = 5000;
const kinds = { many: "many events per chunk", one: "one event per chunk", each: "one event per read, no socket" };

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchStream({ rounds }) {
  const child = fork(fileURLToPath(new URL("./stream-server.mjs", import.meta.url)), [`${deltas}`, `${deltaSize}`]);
  try {
    const url = await new Promise((resolve, reject) => {
      child.once("message", resolve);
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`the server ended with exit code ${code}`)));
    });
    /** @type {import("./types.mjs").BenchResult[]} */
    const results = [];
    for (const [api, path] of Object.entries(apis)) {
      for (const [kind, name] of Object.entries(kinds)) {
        const samples = await inTurn(
          {
            floor: () => perDelta(() => bare(api, `${url}${path}`, kind)),
            ours: () => perDelta(() => ours(api, `${url}${path}`, kind)),
          },
          Math.min(rounds, 3),
        );
        results.push({
          name: `${api}: a delta, ${name}`,
          unit: "µs CPU",
          floorIs: api.startsWith("bedrock")
            ? "fetch, bare framing, JSON.parse"
            : "fetch, eventsource-parser, JSON.parse",
          figures: { floor: samples["floor"]?.ms ?? Number.NaN, ours: samples["ours"]?.ms ?? Number.NaN },
          limit: kind === "each" ? { overFloor: 8 } : { atMost: 8 },
        });
      }
      results.push(await memory(api, `${url}${path}`));
    }
    return results;
  } finally {
    child.disconnect();
  }
}

/** @param {() => Promise<void>} run */
async function perDelta(run) {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / deltas };
}

/**
 * How much more is alive at the last delta than at an early one, beside a receiver that keeps nothing but the text.
 * Without a socket, whose buffers are full at first and empty at the end.
 *
 * @param {string} api
 * @param {string} baseUrl
 * @returns {Promise<import("./types.mjs").BenchResult>}
 */
async function memory(api, baseUrl) {
  await eachEvent(api, baseUrl);
  const floor = growth();
  const texts = [];
  await bare(api, baseUrl, "each", () => {
    texts.push("word");
    floor.onDelta();
  });
  const own = growth();
  await ours(api, baseUrl, "each", own.onDelta);
  return {
    name: `${api}: growth over ${deltas} deltas`,
    unit: "MB",
    floorIs: "the pieces of the text",
    figures: { floor: floor.megabytes(), ours: own.megabytes() },
    limit: { atMost: 2 },
  };
}

/** Looks at what is alive, early and at the end. */
function growth() {
  let count = 0;
  let early = 0;
  let late = 0;
  return {
    onDelta() {
      count++;
      if (count === settled) early = alive();
      else if (count === deltas) late = alive();
    },
    megabytes: () => (late - early) / 1024 ** 2,
  };
}

/** Bytes that a collection leaves. */
function alive() {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** @param {string} api @param {string} baseUrl */
function model(api, baseUrl) {
  return {
    id: "m",
    name: "M",
    api,
    provider: "bench",
    baseUrl,
    reasoning: false,
    input: /** @type {("text" | "image")[]} */ (["text"]),
    cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
    contextWindow: 1_000_000,
    maxTokens: 100_000,
  };
}

/** @param {string} api @param {string} baseUrl @param {string} kind @param {typeof fetch} [send] */
function start(api, baseUrl, kind, send) {
  const context = { messages: [{ role: /** @type {const} */ ("user"), content: kind, timestamp: 1 }] };
  return streamSimple(model(api, baseUrl), context, { apiKey: "key", ...(send && { fetch: send }) });
}

/** @param {string} api @param {string} baseUrl @param {string} kind @param {() => void} [onDelta] */
async function ours(api, baseUrl, kind, onDelta) {
  let count = 0;
  const stream = start(api, baseUrl, kind, kind === "each" ? await eachEvent(api, baseUrl) : undefined);
  for await (const event of stream) {
    if (event.type !== "text_delta") continue;
    count++;
    onDelta?.();
  }
  const { errorMessage } = await stream.result();
  if (count !== deltas) throw new Error(`${api}: ${count} deltas instead of ${deltas}: ${errorMessage ?? ""}`);
}

/** Sends the very request of the layer, and does the least with the answer. @type {typeof ours} */
async function bare(api, baseUrl, kind, onEvent) {
  /** @type {{ url: string, init: RequestInit } | undefined} */
  let request;
  await start(api, baseUrl, kind, async (url, init) => {
    const { signal: _, ...rest } = init ?? {};
    request = { url: String(url), init: rest };
    return new Response("", { status: 400 });
  }).result();
  if (!request) throw new Error(`${api}: no request`);
  const send = kind === "each" ? await eachEvent(api, baseUrl) : bareFetch;
  const response = await send(request.url, request.init);
  let length = 0;
  const count = () => {
    length++;
    onEvent?.();
  };
  const take = api.startsWith("bedrock") ? framing(count) : parsing(count);
  const reader = response.body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) break;
    take(piece.value);
  }
  if (length < deltas) throw new Error(`${api}: ${length} events instead of ${deltas}`);
}

// biome-ignore lint/style/noRestrictedGlobals: the floor is what there is without the door
const bareFetch = fetch;

/** @type {Map<string, Uint8Array[]>} */
const recorded = new Map();

/**
 * A fetch function whose answer comes one event at a time.
 *
 * @param {string} api
 * @param {string} baseUrl
 * @returns {Promise<typeof fetch>}
 */
async function eachEvent(api, baseUrl) {
  let events = recorded.get(api);
  if (!events) {
    events = await record(api, baseUrl);
    recorded.set(api, events);
  }
  const list = events;
  return async () => {
    let index = 0;
    const body = new ReadableStream({
      pull(controller) {
        const event = list[index++];
        if (event) controller.enqueue(event);
        else controller.close();
      },
    });
    return new Response(body);
  };
}

/** @param {string} api @param {string} baseUrl */
async function record(api, baseUrl) {
  let bytes = Buffer.alloc(0);
  await start(api, baseUrl, "many", async (url, init) => {
    const response = await bareFetch(url, init);
    bytes = Buffer.from(await response.arrayBuffer());
    return new Response(bytes);
  }).result();
  const events = [];
  for (let at = 0; at < bytes.length; ) {
    const blank = api.startsWith("google") ? "\r\n\r\n" : "\n\n";
    const end = api.startsWith("bedrock") ? at + bytes.readUInt32BE(at) : bytes.indexOf(blank, at) + blank.length;
    events.push(bytes.subarray(at, end));
    at = end;
  }
  return events;
}

/** @param {(event: unknown) => void} onEvent */
function parsing(onEvent) {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => onEvent(data === "[DONE]" ? data : JSON.parse(data)) });
  return (/** @type {Uint8Array} */ piece) => parser.feed(decoder.decode(piece, { stream: true }));
}

/** Messages of the event stream of AWS, checksums not looked at. @param {(event: unknown) => void} onEvent */
function framing(onEvent) {
  let rest = Buffer.alloc(0);
  return (/** @type {Uint8Array} */ piece) => {
    rest = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece]);
    while (rest.length >= 12) {
      const length = rest.readUInt32BE(0);
      if (rest.length < length) return;
      onEvent(JSON.parse(rest.toString("utf8", 12 + rest.readUInt32BE(4), length - 4)));
      rest = rest.subarray(length);
    }
  };
}
