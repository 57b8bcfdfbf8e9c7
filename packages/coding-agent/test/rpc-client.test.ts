import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedTurn } from "@pi/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { RpcClient } from "../src/modes/rpc/rpc-client.js";
import { cleanEnvironment, cliPath, PiFixture } from "./pi.js";

let fixture: PiFixture | undefined;
let client: RpcClient | undefined;
afterEach(async () => {
  await client?.stop();
  await fixture?.close();
  client = fixture = undefined;
});

const say = (text: string): ScriptedTurn => ({ blocks: [{ type: "text", text }] });

async function start(script: ScriptedTurn[], args: string[] = []): Promise<RpcClient> {
  fixture = await PiFixture.start(script);
  const env = { ...cleanEnvironment(), PI_CODING_AGENT_DIR: fixture.agentDir } as Record<string, string>;
  client = new RpcClient({ cliPath, cwd: fixture.cwd, env, provider: "scripted", model: "m1", args });
  await client.start();
  return client;
}

describe("RpcClient (protocol.md section 8)", () => {
  it("drives a session", async () => {
    const pi = await start([say("one"), say("two")]);
    await expect(pi.start()).rejects.toThrow("Client already started");
    const events = await pi.promptAndWait("hello");
    expect(events.at(-1)).toEqual({ type: "agent_settled", aborted: false });
    expect(await pi.getLastAssistantText()).toBe("one");
    expect(await pi.prompt("again")).toBe("started");
    await pi.waitForIdle();
    const state = await pi.getState();
    expect(state).toMatchObject({ model: { provider: "scripted", id: "m1" }, isStreaming: false, messageCount: 5 });
    expect((await pi.getMessages()).map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    const { entries, leafId } = await pi.getEntries();
    expect(entries.at(-1)?.id).toBe(leafId);
    expect((await pi.getEntries(leafId ?? "")).entries).toEqual([]);
    const { tree } = await pi.getTree();
    expect(tree).toHaveLength(1);
    expect((await pi.getForkMessages()).map(({ text }) => text)).toEqual(["hello", "again"]);
    expect(await pi.getSessionStats()).toMatchObject({ userMessages: 2, assistantMessages: 2, totalMessages: 5 });
    await pi.setSessionName("  named ");
    expect((await pi.getState()).sessionName).toBe("named");
    expect(await pi.clearQueue()).toEqual({ steering: [], followUp: [] });
    expect(await pi.getAvailableModels()).toMatchObject([{ provider: "scripted", id: "m1" }]);
    expect(await pi.getAvailableThinkingLevels()).toEqual(["off"]);
    expect(await pi.cycleModel()).toBeNull();
    expect(await pi.cycleThinkingLevel()).toBeNull();
    expect(await pi.bash("echo hi")).toMatchObject({ output: "hi\n", exitCode: 0, cancelled: false });
  });

  it.each<[string, (pi: RpcClient) => Promise<unknown>, string]>([
    ["set_model", (pi) => pi.setModel("scripted", "nope"), "Model not found: scripted/nope"],
    ["get_entries", (pi) => pi.getEntries("nope"), "Entry not found: nope"],
    ["set_session_name", (pi) => pi.setSessionName(" "), "Session name cannot be empty"],
    ["fork", (pi) => pi.fork("nope"), "Invalid entry ID for forking"],
    ["compact", (pi) => pi.compact(), "Nothing to compact (session too small)"],
    ["clone", (pi) => pi.clone(), "This session has not been saved yet. Send a message before cloning or forking it."],
    [
      "switch_session",
      (pi) => pi.switchSession(fixture?.write("x.jsonl", "{}\n") ?? ""),
      "Session file is not a valid pi session",
    ],
  ])("%s rejects with the error of the response", async (_name, call, message) => {
    const pi = await start([]);
    await expect(call(pi)).rejects.toThrow(message);
  });

  it("a dying child rejects what is pending and what comes later, with its last words", async () => {
    const pi = await start([]);
    const pid = Number((await pi.bash("echo $PPID")).output);
    const pending = pi.bash("sleep 30");
    const settled = pi.waitForIdle();
    const expectation = Promise.all([
      expect(pending).rejects.toThrow(/Agent process exited \(code=null signal=SIGKILL\)\. Stderr: /),
      expect(settled).rejects.toThrow(/Agent process exited/),
    ]);
    process.kill(pid, "SIGKILL");
    await expectation;
    await expect(pi.getState()).rejects.toThrow(/Agent process exited/);
  });

  it("a child that cannot start says why", async () => {
    fixture = await PiFixture.start([]);
    const broken = join(fixture.cwd, "broken.mjs");
    writeFileSync(broken, "console.error('no such luck'); process.exit(3);");
    client = new RpcClient({ cliPath: broken });
    await expect(client.start().then(() => client?.getState())).rejects.toThrow(
      /Agent process exited \(code=3 signal=null\)\. Stderr: no such luck/,
    );
  });

  it("stop rejects what is pending, and the client may start again", async () => {
    const pi = await start([]);
    const pending = expect(pi.bash("sleep 30")).rejects.toThrow("Client stopped");
    await pi.stop();
    await pending;
    await expect(pi.getState()).rejects.toThrow("Client not started");
    await pi.start();
    expect((await pi.getState()).isStreaming).toBe(false);
  });
});
