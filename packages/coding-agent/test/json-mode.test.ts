import type { ScriptedTurn } from "@pi/testkit";
import { describe, expect, it } from "vitest";
import { usePi } from "./pi.js";

const start = usePi();

const say = (text: string): ScriptedTurn => ({ blocks: [{ type: "text", text }] });

describe("JSON mode", () => {
  it("header, then events without growing messages", async () => {
    const pi = await start([say("a long enough answer")]);
    const run = await pi.run(["--mode", "json", "--model", "scripted/m1", "hello"]);
    expect(run).toMatchObject({ stderr: "", code: 0 });
    const records = run.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records[0]).toMatchObject({ type: "session", version: 3, cwd: pi.cwd });
    const types = records.map(({ type }) => type);
    expect(types.slice(1, 8)).toEqual([
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_start",
      "message_end",
      "message_start",
    ]);
    expect(types.slice(-3)).toEqual(["turn_end", "agent_end", "agent_settled"]);
    const updates = records.filter(({ type }) => type === "message_update");
    expect(updates.map(({ assistantMessageEvent }) => assistantMessageEvent.delta ?? "").join("")).toBe(
      "a long enough answer",
    );
    for (const update of updates) {
      expect(update).not.toHaveProperty("message");
      expect(update.assistantMessageEvent).not.toHaveProperty("partial");
    }
  });

  it("a failed answer is an event, not an exit code; a start that fails is", async () => {
    const pi = await start([{ fault: { kind: "status", status: 500, body: "no" } }]);
    expect(await pi.pi(["--mode", "json", "hello"])).toMatchObject({ code: 0, stderr: "" });
    const failed = await pi.run(["--mode", "json", "--model", "anthropic/claude-opus-5-5", "hello"]);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^No API key found for anthropic/) });
    expect(failed.stdout.split("\n")).toHaveLength(2);
  });
});
