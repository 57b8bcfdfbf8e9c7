import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedTurn } from "@pi/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { PiFixture } from "./pi.js";
import type { AnyRecord } from "./rpc-process.js";

let fixture: PiFixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

async function start(script: ScriptedTurn[], args: string[] = ["--no-session"], settings?: object) {
  fixture = await PiFixture.start(script);
  if (settings) fixture.configure("settings.json", JSON.stringify(settings));
  return { pi: fixture, rpc: fixture.rpc(args) };
}

const say = (text: string): ScriptedTurn => ({ blocks: [{ type: "text", text }] });
const slow = (text: string): ScriptedTurn => ({ ...say(text), deltaSize: 1, eventDelayMs: 40 });

/** The shape of a transcript: types, roles, stop reasons; streamed pieces are left out. */
function outline(records: readonly AnyRecord[]): string[] {
  return records.flatMap((record) => {
    const { type, message } = record;
    if (type === "message_update") return [];
    if (type === "message_start") return [];
    if (type === "message_end") {
      const text = message.content?.[0]?.text;
      return [
        `msg ${message.role}${message.stopReason ? ` ${message.stopReason}` : ""}${text && message.role === "user" ? ` ${text}` : ""}`,
      ];
    }
    if (type === "response") return [`R(${record["command"]})${record["success"] ? "" : ` ${record["error"]}`}`];
    if (type === "queue_update")
      return [`queue ${JSON.stringify(record["steering"])} ${JSON.stringify(record["followUp"])}`];
    if (type === "agent_settled") return [`settled${record["aborted"] ? " aborted" : ""}`];
    return [type];
  });
}

describe("a prompt (protocol.md section 5)", () => {
  it("plain text: every record, in order", async () => {
    const { rpc } = await start([say("Hello")]);
    const events = await rpc.run("Hi");
    expect(outline(events)).toEqual([
      "R(prompt)",
      "agent_start",
      "turn_start",
      "msg system",
      "msg user Hi",
      "msg assistant stop",
      "turn_end",
      "agent_end",
      "settled",
    ]);
    expect(rpc.garbage).toEqual([]);
    const updates = events.filter(({ type }) => type === "message_update");
    expect(updates.map(({ assistantMessageEvent }) => assistantMessageEvent.type)).toEqual([
      "text_start",
      "text_delta",
      "text_end",
    ]);
    expect(JSON.stringify(updates)).not.toMatch(/partial|"message"/);
    expect(events.at(-2)).toMatchObject({
      willRetry: false,
      messages: [{ role: "system" }, { role: "user" }, { role: "assistant" }],
    });
    expect(events.at(-1)).toEqual({ type: "agent_settled", aborted: false });
  });

  it("steering during a tool call", async () => {
    const { rpc } = await start([
      { blocks: [{ type: "toolCall", id: "c1", name: "bash", arguments: { command: "sleep 0.5" } }] },
      say("left"),
      say("right"),
    ]);
    await rpc.ok("prompt", { message: "Go" });
    await rpc.until(({ type }) => type === "tool_execution_start", "tool");
    const from = rpc.records.length;
    expect((await rpc.call("prompt", { message: "x" }))["error"]).toBe(
      "Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message.",
    );
    expect(await rpc.ok("steer", { message: "Turn left" })).toEqual({ disposition: "queued" });
    expect(await rpc.ok("prompt", { message: "Turn right", streamingBehavior: "steer" })).toEqual({
      disposition: "queued",
    });
    await rpc.settled(from);
    const seen = outline(rpc.records.slice(from)).filter((line) => !line.startsWith("tool_execution_update"));
    expect(seen).toEqual([
      "R(prompt) Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message.",
      'queue ["Turn left"] []',
      "R(steer)",
      'queue ["Turn left","Turn right"] []',
      "R(prompt)",
      "tool_execution_end",
      "msg toolResult",
      "turn_end",
      "turn_start",
      'queue ["Turn right"] []',
      "msg user Turn left",
      "msg assistant stop",
      "turn_end",
      "turn_start",
      "queue [] []",
      "msg user Turn right",
      "msg assistant stop",
      "turn_end",
      "agent_end",
      "settled",
    ]);
  });

  it("abort in mid-stream answers after everything else", async () => {
    const { rpc } = await start([slow("A long answer that never ends")]);
    await rpc.ok("prompt", { message: "Go" });
    await rpc.until(({ assistantMessageEvent }) => assistantMessageEvent?.type === "text_delta", "delta");
    const from = rpc.records.length;
    await rpc.ok("abort");
    expect(outline(rpc.records.slice(from))).toEqual([
      "msg assistant aborted",
      "turn_end",
      "agent_end",
      "settled aborted",
      "R(abort)",
    ]);
  });

  it("retries what may pass, and says so", async () => {
    const failed: ScriptedTurn = { fault: { kind: "status", status: 529 } };
    const { rpc } = await start([failed, say("fine")], ["--no-session"], { retry: { baseDelayMs: 10, maxRetries: 2 } });
    const events = await rpc.run("Go");
    expect(outline(events)).toEqual([
      "R(prompt)",
      "agent_start",
      "turn_start",
      "msg system",
      "msg user Go",
      "msg assistant error",
      "turn_end",
      "agent_end",
      "auto_retry_start",
      "entry_appended",
      "agent_start",
      "turn_start",
      "msg assistant stop",
      "auto_retry_end",
      "turn_end",
      "agent_end",
      "settled",
    ]);
    expect(events.find(({ type }) => type === "agent_end")).toMatchObject({ willRetry: true });
    expect(events.find(({ type }) => type === "auto_retry_start")).toMatchObject({
      attempt: 1,
      maxAttempts: 2,
      delayMs: 10,
    });
    expect(events.find(({ type }) => type === "auto_retry_end")).toEqual({
      type: "auto_retry_end",
      success: true,
      attempt: 1,
    });
  });
});

describe("state and errors", () => {
  it("answers bad lines and goes on", async () => {
    const { rpc } = await start([]);
    rpc.send(
      'null\n42\n[]\n{"x"\n\n{"id":7}\n{"type":"nope"}\n{"id":"p","type":"prompt"}\n{"id":"m","type":"set_steering_mode","mode":"x"}\r\n',
    );
    rpc.send('{"id":"\u2028","type":"get_state"}\n');
    await rpc.until(({ id }) => id === "\u2028", "state");
    expect(
      rpc.records.map(({ id, command, success, error }) => [
        id,
        command,
        success,
        error?.replace(/(command:).*(?:in JSON|JSON input).*/, "$1 JSON"),
      ]),
    ).toEqual([
      [undefined, "parse", false, "Failed to parse command: expected a JSON object"],
      [undefined, "parse", false, "Failed to parse command: expected a JSON object"],
      [undefined, "parse", false, "Failed to parse command: expected a JSON object"],
      [undefined, "parse", false, "Failed to parse command: JSON"],
      [undefined, "parse", false, "Failed to parse command: JSON"],
      [7, undefined, false, "Unknown command: undefined"],
      [undefined, "nope", false, "Unknown command: nope"],
      ["p", "prompt", false, 'Invalid command: prompt needs "message" (a string)'],
      [
        "m",
        "set_steering_mode",
        false,
        'Invalid command: "mode" of set_steering_mode must be one of "all", "one-at-a-time"',
      ],
      ["\u2028", "get_state", true, undefined],
    ]);
    expect(rpc.records.at(-1)?.["data"]).toMatchObject({
      model: { id: "m1", provider: "scripted" },
      thinkingLevel: "off",
      isStreaming: false,
      isCompacting: false,
      steeringMode: "one-at-a-time",
      followUpMode: "one-at-a-time",
      autoCompactionEnabled: true,
      messageCount: 0,
      pendingMessageCount: 0,
    });
  });

  it("the end of stdin during a run keeps the prompt", async () => {
    const { rpc, pi } = await start([slow("never ends never ends")], []);
    rpc.send({ type: "prompt", message: "remember me" });
    rpc.child.stdin.end();
    expect(await rpc.exit).toEqual({ code: 0, signal: null });
    const root = join(pi.agentDir, "sessions");
    const [file] = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
    expect(readFileSync(join(root, file ?? ""), "utf8")).toContain("remember me");
  });
});
