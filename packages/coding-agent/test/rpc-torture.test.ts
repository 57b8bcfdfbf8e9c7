import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedTurn } from "@pi/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PiFixture } from "./pi.js";
import type { AnyRecord, RpcProcess } from "./rpc-process.js";

/** Random interleavings of commands; the full number when soaking. */
const scripts = process.env["PI_SOAK"] ? 1000 : 25;

/** One line of a client, and how long it waits before the next one, in ms. */
interface Step {
  line: AnyRecord | string;
  pauseMs: number;
}

const text = fc.constantFrom("short", "tools", "long", "fails", "overflow");
const command: fc.Arbitrary<AnyRecord | string> = fc.oneof(
  { weight: 5, arbitrary: text.map((message) => ({ type: "prompt", message })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(text, fc.constantFrom("steer", "followUp"))
      .map(([message, streamingBehavior]) => ({ type: "prompt", message, streamingBehavior })),
  },
  { weight: 2, arbitrary: text.map((message) => ({ type: "steer", message })) },
  { weight: 2, arbitrary: text.map((message) => ({ type: "follow_up", message })) },
  { weight: 3, arbitrary: fc.constant({ type: "abort" }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom("echo hi", "sleep 0.05; echo late", "exit 3")
      .map((line) => ({ type: "bash", command: line })),
  },
  { weight: 1, arbitrary: fc.constant({ type: "abort_bash" }) },
  { weight: 1, arbitrary: fc.constant({ type: "abort_retry" }) },
  { weight: 2, arbitrary: fc.constant({ type: "compact" }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom("m1", "m2", "nope")
      .map((modelId) => ({ type: "set_model", provider: "scripted", modelId })),
  },
  { weight: 2, arbitrary: fc.constant({ type: "new_session" }) },
  { weight: 1, arbitrary: fc.constant({ type: "clone" }) },
  { weight: 2, arbitrary: fc.constantFrom("first", "nope").map((entryId) => ({ type: "fork", entryId })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { type: "get_state" },
      { type: "get_messages" },
      { type: "get_tree" },
      { type: "clear_queue" },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom("null", "{", "[1]", "42", '{"type":"prompt"}', '{"type":7}', "\u2028") },
);
const script = fc.array(
  fc.record({ line: command, pauseMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 })) }),
  { minLength: 2, maxLength: 14 },
);

let pi: PiFixture;
let rpc: RpcProcess | undefined;
let lastId = 0;

beforeAll(async () => {
  pi = await PiFixture.start(({ conversation }) => answerTo(conversation));
  pi.configure(
    "settings.json",
    JSON.stringify({
      retry: { maxRetries: 1, baseDelayMs: 5 },
      compaction: { reserveTokens: 100, keepRecentTokens: 20 },
    }),
  );
  pi.configureModels([{ id: "m1" }, { id: "m2", contextWindow: 4000, maxTokens: 500 }]);
});
afterAll(() => pi.close());

function answerTo({
  turns,
  lastResults,
}: {
  turns: readonly AnyRecord[];
  lastResults: readonly unknown[];
}): ScriptedTurn {
  const asked = turns.findLast(({ role }) => role === "user")?.["text"] ?? "";
  if (lastResults.length > 0) return { blocks: [{ type: "text", text: "done" }] };
  if (asked.includes("<conversation>")) return { blocks: [{ type: "text", text: "## Goal\nAll" }], delayMs: 10 };
  if (asked === "tools") {
    const bash = { type: "toolCall", name: "bash", arguments: { command: "sleep 0.02; echo x" } } as const;
    return { blocks: [bash, bash] };
  }
  if (asked === "long")
    return { blocks: [{ type: "text", text: "a long answer, in pieces" }], deltaSize: 3, eventDelayMs: 8 };
  if (asked === "fails") return { fault: { kind: "status", status: 529 } };
  if (asked === "overflow") {
    return {
      fault: {
        kind: "status",
        status: 400,
        body: {
          type: "error",
          error: { type: "invalid_request_error", message: "prompt is too long: 9 tokens > 8 maximum" },
        },
      },
    };
  }
  return { blocks: [{ type: "text", text: "yes" }] };
}

async function play(process_: RpcProcess, steps: readonly Step[]): Promise<void> {
  const from = process_.records.length;
  const ids: string[] = [];
  for (const { line, pauseMs } of steps) {
    if (typeof line === "string") process_.send(`${line}\n`);
    else {
      const id = `n${lastId++}`;
      ids.push(id);
      process_.send({ id, ...line, ...(line["entryId"] === "first" && { entryId: firstPrompt(process_, from) }) });
    }
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  for (const id of ids)
    await process_.until((record) => record["id"] === id && record["type"] === "response", `answer to ${id}`, from);
  // Queued messages wait for a run: an abort that ends whatever goes on leaves them, a clear_queue takes them.
  await process_.ok("clear_queue");
  await process_.ok("abort");
  await process_.ok("abort_bash");
  const state = await process_.ok("get_state");
  expect(state).toMatchObject({ isStreaming: false, isCompacting: false, pendingMessageCount: 0 });
  const seen = process_.records.slice(from);
  for (const id of ids)
    expect(seen.filter((record) => record["type"] === "response" && record["id"] === id)).toHaveLength(1);
  const started = seen.filter(({ data }) => data?.disposition === "started").length;
  expect(seen.filter(({ type }) => type === "agent_settled")).toHaveLength(started);
  expect(seen.filter(({ type }) => type === "agent_start").length).toBeGreaterThanOrEqual(started);
  for (const { error } of seen) expect(error ?? "").not.toMatch(/TypeError|undefined is not|Cannot read/);
}

/** Entry of the latest prompt that a script may fork from; unknown ones are refused. */
function firstPrompt(process_: RpcProcess, from: number): string {
  const tree = process_.records.slice(from).findLast(({ command }) => command === "get_tree");
  return tree?.["data"]?.tree?.[0]?.entry?.id ?? "unknown";
}

describe("random interleavings of commands", () => {
  it("every id is answered once, every run settles, nothing hangs or breaks", async () => {
    let played = 0;
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        if (played++ % 25 === 0) {
          await rpc?.kill();
          rpc = pi.rpc();
        }
        const current = rpc as RpcProcess;
        try {
          await play(current, steps);
        } catch (error) {
          // A process that is in a strange state must not fail the next, smaller script.
          played = 0;
          throw error;
        }
        expect(current.garbage).toEqual([]);
        expect(current.stderr).toBe("");
      }),
      { numRuns: scripts, interruptAfterTimeLimit: 3_500_000 },
    );
    rpc?.child.stdin.end();
    expect(await rpc?.exit).toEqual({ code: 0, signal: null });
    expect(readdirSync(join(pi.agentDir, "sessions")).length).toBeGreaterThan(0);
  }, 3_600_000);
});
