import { type Chunking, type Fault, type ScriptedServer, type ServedApi, startScriptedServer } from "@pi/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { streamSimple } from "../src/compat.js";
import { type AssistantErrorKind, classifyAssistantError, describeAssistantError } from "../src/errors/classify.js";
import type { AssistantMessage, AssistantMessageEvent, SimpleStreamOptions } from "../src/types.js";
import { ALL_APIS, keyFor, modelOn } from "./all-apis.js";

/** Every fault of the scripted server on every API: an end in bounded time, the right class, and no lost text. */

/** Far above what a fault needs, far below the limits of the layer itself. */
const BOUND_MS = 10_000;
/** Longer than a busy machine may need between two pieces of a stream. */
const SILENCE_MS = 800;
const TEXT = "The beginning of an answer that goes on for a while and then some more, in several pieces.";
const CANARY = "sk-canary-7d1f";

/** Codex goes over a WebSocket unless HTTP is asked for. */
const WAYS: [string, ServedApi, SimpleStreamOptions][] = [
  ...ALL_APIS.map((api): [string, ServedApi, SimpleStreamOptions] => [api, api, {}]),
  ["openai-codex-responses over HTTP", "openai-codex-responses", { transport: "sse" }],
];

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer({ script: [] });
});
afterEach(() => server.close());

interface Outcome {
  message: AssistantMessage;
  events: AssistantMessageEvent[];
}

async function strikeBy(
  way: SimpleStreamOptions,
  api: ServedApi,
  fault: Fault,
  { chunking = "event", ...options }: SimpleStreamOptions & { chunking?: Chunking } = {},
): Promise<Outcome> {
  const turn = { blocks: [{ type: "text" as const, text: TEXT }], deltaSize: 8, chunking, fault };
  // The SDK of Bedrock tries three times by itself.
  server.push(turn, turn, turn);
  const started = performance.now();
  const stream = streamSimple(
    modelOn(server, api),
    { messages: [{ role: "user", content: "hi", timestamp: 1 }] },
    { apiKey: keyFor(api), env: { GOOGLE_CLOUD_PROJECT: "p", GOOGLE_CLOUD_LOCATION: "l" }, ...way, ...options },
  );
  const events: AssistantMessageEvent[] = [];
  for await (const event of stream) events.push(event);
  const message = await stream.result();
  expect(performance.now() - started).toBeLessThan(BOUND_MS);
  expect(events.at(-1)?.type).toBe(message.stopReason === "error" ? "error" : "done");
  return { message, events };
}

/** What a receiver of the deltas has, and what the message has: the same beginning of what was sent. */
function keptText({ message, events }: Outcome): string {
  const received = events.map((event) => (event.type === "text_delta" ? event.delta : "")).join("");
  const kept = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  expect(kept).toBe(received);
  expect(TEXT.startsWith(kept)).toBe(true);
  return kept;
}

/** Events before the one that carries the first text. */
const FIRST_TEXT: Record<ServedApi, number> = {
  "anthropic-messages": 3,
  "openai-completions": 1,
  "openai-responses": 4,
  "azure-openai-responses": 4,
  "openai-codex-responses": 4,
  "google-generative-ai": 0,
  "google-vertex": 0,
  "mistral-conversations": 1,
  "bedrock-converse-stream": 1,
};

const CHUNKINGS: Chunking[] = ["event", { bytes: 5 }, { seed: 3 }];

describe.each(WAYS)("%s", (_way, api, way) => {
  const strike = (fault: Fault, options?: Parameters<typeof strikeBy>[3]): Promise<Outcome> =>
    strikeBy(way, api, fault, options);

  describe("refused", () => {
    const cases: [number, string | object | undefined, AssistantErrorKind][] = [
      [400, { error: { message: "prompt is too long: 250000 tokens > 200000 maximum" } }, "overflow"],
      [400, { error: { message: "Unsupported parameter", code: 400 } }, "final"],
      [401, { error: { message: "invalid api key", code: 401 } }, "authentication"],
      [403, "Forbidden", "authentication"],
      [404, "Not found", "final"],
      [429, { error: { message: "insufficient_quota", code: "insufficient_quota" } }, "quota"],
      [500, undefined, "retryable"],
      [502, "<html>Bad gateway</html>", "retryable"],
      [503, "", "retryable"],
      [529, { error: { message: "Overloaded", code: 529 } }, "retryable"],
    ];
    test.each(cases)("%i %j: %s", async (status, body, kind) => {
      const fault: Fault = { kind: "status", status, ...(body === undefined ? {} : { body }) };
      const { message, events } = await strike(fault);
      expect([message.errorMessage, classifyAssistantError(message)]).toEqual([message.errorMessage, kind]);
      expect(events).toHaveLength(1);
      const told = describeAssistantError(message) ?? "";
      expect(told).toContain(`${message.provider}/${message.model}`);
    });

    test("a rate limit", async () => {
      const { message } = await strike({ kind: "status", status: 429 });
      // ChatGPT says with this status that the subscription has nothing left.
      expect(classifyAssistantError(message)).toBe(api === "openai-codex-responses" ? "quota" : "retryable");
    });
  });

  describe.each(CHUNKINGS)("in mid-stream, cut by %j", (chunking) => {
    const pieces = FIRST_TEXT[api] + 3;

    type Cut = Extract<Fault, { kind: "reset" | "end" | "errorEvent" }>;
    test.each<[string, Cut]>([
      ["reset", { kind: "reset", afterEvents: pieces }],
      ["end", { kind: "end", afterEvents: pieces }],
      ["end right before the last event", { kind: "end", afterEvents: Number.POSITIVE_INFINITY }],
      ["error event", { kind: "errorEvent", afterEvents: pieces, message: "Overloaded" }],
    ])("%s", async (_name, fault) => {
      const outcome = await strike(fault, { chunking });
      expect(outcome.message.stopReason).toBe("error");
      expect([outcome.message.errorMessage, classifyAssistantError(outcome.message)]).toEqual([
        outcome.message.errorMessage,
        "retryable",
      ]);
      // A reset may overtake the last bytes on their way.
      const least = fault.kind === "reset" ? 1 : fault.afterEvents === pieces ? 24 : TEXT.length;
      expect(keptText(outcome).length).toBeGreaterThanOrEqual(least);
    });

    test("an event that is no JSON", async () => {
      const outcome = await strike({ kind: "malformed", afterEvents: pieces }, { chunking });
      expect(outcome.message.errorMessage).toMatch(/stream sent an event that is not JSON/);
      // An event that breaks off in the middle is the work of a bad connection.
      expect(classifyAssistantError(outcome.message)).toBe("retryable");
      expect(keptText(outcome)).toBe(TEXT.slice(0, 24));
    });

    test("silence", async () => {
      const fault: Fault = { kind: "stall", afterEvents: pieces };
      const outcome = await strike(fault, { chunking, idleTimeoutMs: SILENCE_MS });
      expect(outcome.message.errorMessage).toBe(`Stream timed out: no data for ${SILENCE_MS} ms`);
      expect(classifyAssistantError(outcome.message)).toBe("retryable");
      expect(keptText(outcome)).toBe(TEXT.slice(0, 24));
    });
  });

  test("reset and end right after the headers", async () => {
    for (const kind of ["reset", "end"] as const) {
      const { message } = await strike({ kind });
      expect(message.stopReason).toBe("error");
      expect([kind, message.errorMessage, classifyAssistantError(message)]).toEqual([
        kind,
        message.errorMessage,
        "retryable",
      ]);
    }
  });

  test("no answer at all", async () => {
    const { message } = await strike({ kind: "stall", beforeHeaders: true }, { timeoutMs: 100 });
    expect(classifyAssistantError(message)).toBe("retryable");
    expect(message.errorMessage).toMatch(/timed out/i);
  });

  test("no key shows in what is said", async () => {
    const key = api === "openai-codex-responses" ? `${keyFor(api)}${CANARY}` : CANARY;
    for (const fault of [{ kind: "status", status: 401 }, { kind: "reset" }, { kind: "end" }] as const) {
      const { message } = await strike(fault, { apiKey: key });
      expect(JSON.stringify(message) + (describeAssistantError(message) ?? "")).not.toContain(CANARY);
    }
  });
});
