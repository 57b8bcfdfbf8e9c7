/** What happens around `agent_settled`, and who may hold the end up. Source: protocol.md sections 1.3, 1.4 and 5. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ScriptedServerOptions } from "@pi/testkit";
import { describe, expect, it } from "vitest";
import { usePi } from "./pi.js";
import type { AnyRecord } from "./rpc-process.js";

const start = usePi();

const answer: ScriptedServerOptions["script"] = ({ conversation }) => {
  const last = conversation.turns.findLast((turn) => turn.role === "user");
  const text = last?.role === "user" ? last.text : "";
  if (text.startsWith("stream")) return { blocks: [{ type: "text", text: "word ".repeat(60) }], eventDelayMs: 60 };
  return { blocks: [{ type: "text", text: `answer to ${text.slice(0, 40)}` }] };
};

async function extension(body: string) {
  const pi = await start(answer);
  const path = pi.write(
    "extension.ts",
    `export default function (pi) { const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms)); ${body} }`,
  );
  return { pi, path };
}

async function rpcWith(body: string) {
  const { pi, path } = await extension(body);
  const rpc = pi.rpc(["-e", path]);
  await rpc.ok("get_state");
  return { pi, rpc };
}

/** Places of records by what they are. */
const order = (records: readonly AnyRecord[], ...wanted: ((record: AnyRecord) => boolean)[]) =>
  wanted.map((fits) => records.findIndex(fits));
const is = (type: string) => (record: AnyRecord) => record["type"] === type;
const answerTo = (command: string) => (record: AnyRecord) =>
  record["type"] === "response" && record["command"] === command;

async function streaming(rpc: Awaited<ReturnType<typeof rpcWith>>["rpc"]): Promise<void> {
  await rpc.ok("prompt", { message: "stream" });
  await rpc.until(is("message_update"), "delta");
}

describe("with a handler of agent_settled", () => {
  const slow = `pi.on("agent_settled", async () => { await pause(150); });`;

  it.each(["abort", "compact", "new_session"])("%s in mid-run is answered after agent_settled", async (command) => {
    const { rpc } = await rpcWith(slow);
    await streaming(rpc);
    await rpc.call(command);
    const [settled = -1, compaction, response] = order(
      rpc.records,
      is("agent_settled"),
      is("compaction_start"),
      answerTo(command),
    );
    expect(settled).toBeGreaterThan(0);
    expect(response).toBeGreaterThan(settled);
    if (command === "compact") expect(compaction).toBeGreaterThan(settled);
  });

  it.each(["abort", "new_session", "compact"])("%s while it runs too", async (command) => {
    const { rpc } = await rpcWith(`pi.on("agent_settled", async () => { console.error("told"); await pause(400); });`);
    await rpc.ok("prompt", { message: "hi" });
    while (!rpc.stderr.includes("told")) await sleep(5);
    expect(await rpc.ok("get_state")).toMatchObject({ isStreaming: true });
    await rpc.call(command);
    const [settled = -1, response] = order(rpc.records, is("agent_settled"), answerTo(command));
    expect(settled).toBeGreaterThan(0);
    expect(response).toBeGreaterThan(settled);
  });

  it("ctx.shutdown() in mid-run lets it be told", async () => {
    const { rpc } = await rpcWith(`${slow} pi.on("turn_start", (_event, ctx) => ctx.shutdown());`);
    await rpc.ok("prompt", { message: "hi" });
    expect((await rpc.exit).code).toBe(0);
    expect(rpc.records.some(is("agent_settled"))).toBe(true);
  });

  it("what the handler waits for does not wait for it", async () => {
    const { rpc } = await rpcWith(`
      pi.on("agent_settled", async (_event, ctx) => {
        console.error("idle " + ctx.isIdle());
        await new Promise((resolve) => ctx.compact({ onComplete: resolve, onError: resolve }));
      });`);
    const begun = performance.now();
    await rpc.run("hi");
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(rpc.stderr).toContain("idle true");
    expect(rpc.records.filter(is("extension_error"))).toEqual([]);
    expect(rpc.records.some(is("compaction_end"))).toBe(true);
  });
});

it.each([
  ["session_before_switch", "new_session", {}],
  ["session_before_fork", "clone", {}],
])("an abort does not answer for who asks the user in %s", async (event, command, fields) => {
  const { rpc } = await rpcWith(
    `pi.on("${event}", async (_event, ctx) => ({ cancel: !(await ctx.ui.confirm("leave?", "")) }));`,
  );
  await rpc.run("hi");
  const before = await rpc.ok("get_state");
  rpc.send({ id: "leave", type: command, ...fields });
  await rpc.until(is("extension_ui_request"), "dialog");
  await rpc.ok("abort");
  const left = await rpc.until((record) => record["id"] === "leave" && is("response")(record), "answer");
  expect(left).toMatchObject({ success: true, data: { cancelled: true } });
  expect(await rpc.ok("get_state")).toMatchObject({ sessionId: before["sessionId"] });
});

describe("print and JSON mode wait for what extensions begin", () => {
  const say = `pi.registerCommand("say", { handler: async (args) => { pi.sendUserMessage(args); } });`;
  const again = `let said = 0; pi.on("agent_settled", () => { if (said++ === 0) pi.sendUserMessage("again"); });`;

  it.each([
    ["a command", say, ["/say hey"], ["hey"], "answer to hey\n"],
    [
      "a command with a message of its own",
      `pi.registerCommand("say", { handler: async (args) => {
         pi.sendMessage({ customType: "x", content: args, display: true }, { triggerTurn: true }); } });`,
      ["/say hey"],
      [],
      "answer to hey\n",
    ],
    ["a handler", again, ["hi"], ["hi", "again"], "answer to again\n"],
    ["a handler between two prompts", again, ["hi", "second"], ["hi", "again", "second"], "answer to second\n"],
  ])("%s", async (_what, body, prompts, asked, printed) => {
    const { pi, path } = await extension(body);
    const run = await pi.pi(["-e", path, "-p", ...prompts]);
    expect(run).toMatchObject({ code: 0, stderr: "", stdout: printed });
    const texts = pi
      .sessionEntries()
      .flatMap(({ message }) => (message?.role === "user" ? message.content.map(({ text }: AnyRecord) => text) : []));
    expect(texts).toEqual(asked);
    const json = await pi.pi(["--no-session", "-e", path, "--mode", "json", ...prompts]);
    expect(json).toMatchObject({ code: 0, stderr: "" });
    expect(json.stdout).toContain(printed.trim());
  });
});

describe("the end", () => {
  it("gives a slow reader all that was asked for", { timeout: 60_000 }, async () => {
    const { pi } = await rpcWith("");
    const rpc = pi.rpc([]);
    await rpc.run("x".repeat(700_000));
    rpc.child.stdout.pause();
    for (const id of ["a", "b", "c"]) rpc.send({ id, type: "get_messages" });
    rpc.child.stdin.end();
    // Longer than an end in order may take.
    await sleep(6000);
    rpc.child.stdout.resume();
    expect(await rpc.exit).toEqual({ code: 0, signal: null });
    expect(rpc.records.filter(answerTo("get_messages")).map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(rpc.garbage).toEqual([]);
  });

  it.each([
    ["SIGTERM", "SIGHUP", 129],
    ["SIGHUP", "SIGTERM", 143],
  ] as const)("comes at once with a second signal, also of another kind: %s, %s", async (first, second, code) => {
    const { rpc } = await rpcWith(
      `pi.on("session_shutdown", async () => { console.error("ending"); await pause(4000); });`,
    );
    rpc.child.kill(first);
    while (!rpc.stderr.includes("ending")) await sleep(5);
    const begun = performance.now();
    rpc.child.kill(second);
    expect((await rpc.exit).code).toBe(code);
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  it("of many commands at once is quick, and says that they were cancelled", async () => {
    const { rpc } = await rpcWith("");
    for (let at = 0; at < 30; at++) rpc.send({ id: `b${at}`, type: "bash", command: "echo on; sleep 60" });
    for (let at = 0; at < 30; at++) {
      await rpc.until((record) => is("bash_execution_update")(record) && record["id"] === `b${at}`, `output of b${at}`);
    }
    const begun = performance.now();
    rpc.child.kill("SIGHUP");
    expect((await rpc.exit).code).toBe(129);
    expect(performance.now() - begun).toBeLessThan(4500);
    const ended = rpc.records.filter(answerTo("bash")).map(({ data }) => data.cancelled);
    expect(ended).toEqual(Array(30).fill(true));
  });
});
