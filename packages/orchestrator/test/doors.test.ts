import { describe, expect, it } from "vitest";
import { eventually, type Fleet, useFleet } from "./fleet.js";

const start = useFleet();

async function parked(fleet: Fleet): Promise<string> {
  const { id } = await fleet.spawn({ idleSeconds: 0.1 });
  await fleet.until(id, ({ status }) => status === "stopped", "parked");
  return id;
}

describe("a prompt, through whichever door", () => {
  it("wakes an agent that is parked, and is refused by one that was given up", async () => {
    const fleet = await start();
    await fleet.serve("--health-interval", "0.2");
    const [byRpc, byStream, byAttach] = await Promise.all([parked(fleet), parked(fleet), parked(fleet)]);
    expect(await fleet.rpc(byRpc, { type: "prompt", message: "a" })).toMatchObject({ success: true });
    const streamed = await fleet.run(["rpc-stream", byStream], '{"id":1,"type":"prompt","message":"b"}\n');
    expect(streamed).toMatchObject({ code: 0, stdout: expect.stringContaining('{"id":1,') });
    // It leaves when its input ends.
    const attached = await fleet.run(["attach", byAttach], "c");
    expect(attached).toMatchObject({ code: 0, stderr: "" });
    const texts = async (id: string) => {
      const record = await fleet.record(id);
      return fleet.userTexts(record);
    };
    for (const [id, text] of [
      [byRpc, "a"],
      [byStream, "b"],
      [byAttach, "c"],
    ] as const) {
      await eventually(
        async () =>
          (await fleet.client.call("prompts", { instanceId: id })).prompts[0]?.state === "delivered" || undefined,
        () => `the prompt of ${id}`,
      );
      expect(await texts(id)).toEqual([text]);
    }

    const refused = await fleet.run(["spawn", "--id", "bad", "--model", "nothing-like-it/none"]);
    const { error } = JSON.parse(refused.stdout);
    expect(error).toMatch(/^Instance bad is error: The agent ended with exit code 1\. It said last: .*nothing-like-it/);
    expect(error).toContain("pi-orchestrator logs bad");
    for (const door of [
      ["send", "bad", "x"],
      ["rpc", "bad", '{"type":"prompt","message":"x"}'],
    ]) {
      expect((await fleet.run(door)).stdout).toContain("Instance bad is error");
    }
    expect((await fleet.run(["rpc-stream", "bad"], '{"type":"steer","message":"x"}\n')).stdout).toContain("is error");
    expect((await fleet.run(["attach", "bad"], "x")).stdout).toContain("[Instance bad is error");
  });

  it("that waits for its answer does not take an older one for it, and says when the orchestrator ends", async () => {
    let isHeld = false;
    const fleet = await start(() => ({
      blocks: [{ type: "text", text: "answer" }],
      ...(isHeld && { delayMs: 60_000 }),
    }));
    await fleet.serve();
    const { id } = await fleet.spawn();
    expect(await fleet.run(["send", id, "one", "--wait"])).toEqual({ stdout: "answer\n", stderr: "", code: 0 });
    isHeld = true;
    const waiting = fleet.run(["send", id, "two", "--wait", "--prompt-id", "two"]);
    await eventually(
      async () => ((await fleet.record(id)).isStreaming ? true : undefined),
      () => "the run",
    );
    await fleet.untilPrompt(id, "two", "started");
    process.kill((await fleet.record(id)).pid ?? Number.NaN, "SIGKILL");
    const died = await waiting;
    expect(died).toMatchObject({ stdout: "", code: 1 });
    expect(died.stderr).toContain("interrupted");
    const attached = fleet.open(["attach", id]);
    let said = "";
    attached.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const code = new Promise((resolve) => attached.on("close", resolve));
    await new Promise((resolve) => attached.stdout.once("data", resolve));
    await fleet.served.kill();
    expect(await code).toBe(1);
    expect(said).toContain("The orchestrator ended");
  });
});
