import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useFleet } from "./fleet.js";

const start = useFleet();

describe("pi-orchestrator", () => {
  it("starts, shows, asks and ends an agent", async () => {
    const fleet = await start();
    await fleet.serve();
    const spawned = JSON.parse((await fleet.run(["spawn", "--label", "first", "--model", "scripted/m1"])).stdout);
    expect(spawned).toMatchObject({
      type: "spawn_result",
      ok: true,
      instance: { status: "online", cwd: fleet.cwd, label: "first", generation: 1, restarts: 0, policy: "on-failure" },
    });
    const { id } = spawned.instance;
    const listed = JSON.parse((await fleet.run(["list"])).stdout);
    expect(listed.instances.map((record: { id: string }) => record.id)).toEqual([id]);
    const answered = await fleet.run(["send", id, "Hello", "--wait"]);
    expect(answered).toEqual({ stdout: "scripted answer\n", stderr: "", code: 0 });
    const status = JSON.parse((await fleet.run(["status", id])).stdout);
    expect(status).toMatchObject({ type: "status_result", instance: { id }, prompts: [{ state: "delivered" }] });
    const rpc = JSON.parse((await fleet.run(["rpc", id, '{"id":"mine","type":"get_session_stats"}'])).stdout);
    expect(rpc).toMatchObject({
      type: "rpc_result",
      ok: true,
      response: { id: "mine", command: "get_session_stats", success: true, data: { userMessages: 1 } },
    });
    const stopped = JSON.parse((await fleet.run(["stop", id])).stdout);
    expect(stopped).toEqual({ type: "stop_result", ok: true, instanceId: id, interrupted: [] });
    expect(JSON.parse((await fleet.run(["list"])).stdout).instances).toEqual([]);
    expect(await fleet.served.end()).toBe(0);
    await fleet.untilEmpty();
  });

  it("answers refusals as JSON with exit code 0, and says what to do without an orchestrator", async () => {
    const fleet = await start();
    const alone = await fleet.run(["list"]);
    expect(alone).toMatchObject({ stdout: "", code: 1 });
    expect(alone.stderr).toContain("pi-orchestrator serve");
    await fleet.serve();
    const unknown = await fleet.run(["status", "nobody"]);
    expect(unknown.code).toBe(0);
    expect(JSON.parse(unknown.stdout)).toEqual({ type: "error", ok: false, error: "Unknown instance: nobody" });
    const second = await fleet.run(["serve"]);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain("orchestrator is already running: ");
    expect((await fleet.run(["frobnicate"])).stderr).toContain("Unknown verb: frobnicate");
    expect((await fleet.run(["--version"])).stdout).toBe("1.6.0\n");
    expect((await fleet.run(["--help"])).stdout).toContain("rpc-stream <id>");
  });

  it("lets nobody else in: the folder and the socket are their owner's", async () => {
    const fleet = await start();
    await fleet.serve();
    expect(statSync(fleet.state).mode & 0o777).toBe(0o700);
    expect(statSync(join(fleet.state, "orchestrator.sock")).mode & 0o777).toBe(0o600);
  });

  it("serves in the background", async () => {
    const fleet = await start();
    const detached = await fleet.run(["serve", "--detach"]);
    const serving = JSON.parse(detached.stdout);
    expect(serving).toMatchObject({ type: "serving", protocol: 1 });
    const { id } = await fleet.spawn();
    expect((await fleet.record(id)).status).toBe("online");
    process.kill(serving.pid, "SIGTERM");
    await fleet.untilEmpty();
  });

  it("pipes the agent's protocol: its events, and the answers to what this client asked", async () => {
    const fleet = await start();
    await fleet.serve();
    const { id } = await fleet.spawn();
    const child = fleet.open(["rpc-stream", id]);
    const records: { type: string; id?: string }[] = [];
    let rest = "";
    const settled = new Promise<void>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        records.push(...lines.map((line) => JSON.parse(line)));
        if (records.some(({ type }) => type === "agent_settled")) resolve();
      });
    });
    child.stdin.write('{"id":"a","type":"get_state"}\nnonsense\n{"id":7,"type":"prompt","message":"Hi"}\n');
    await settled;
    const closed = new Promise((resolve) => child.on("close", resolve));
    child.stdin.end();
    expect(await closed).toBe(0);
    const types = records.map(({ type }) => type);
    expect(records.filter(({ type }) => type === "response").map((record) => record.id)).toEqual(["a", 7]);
    expect(types).toContain("error");
    expect(types.filter((type) => type === "message_end").length).toBeGreaterThan(1);
  });

  it("attaches: shows what the agent says, takes lines as prompts", async () => {
    const fleet = await start();
    await fleet.serve();
    const { id } = await fleet.spawn();
    const child = fleet.open(["attach", id]);
    let output = "";
    const idle = new Promise<void>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.includes("[idle]")) resolve();
      });
    });
    child.stdin.write("Hello\n");
    await idle;
    const closed = new Promise((resolve) => child.on("close", resolve));
    child.stdin.end();
    await closed;
    expect(output).toContain("scripted answer\n[idle]");
  });

  it("keeps what an agent says on stderr, and its own log", async () => {
    const fleet = await start();
    await fleet.serve();
    await expect(fleet.spawn({ args: ["--model", "nothing-like-it/none"] })).rejects.toThrow(/ended/);
    const [failed] = (await fleet.client.call("list", {})).instances;
    expect(failed).toMatchObject({ status: "error", exitCode: 1 });
    const { lines } = await fleet.client.call("logs", { instanceId: failed?.id ?? "" });
    expect(lines.join("\n")).toContain("nothing-like-it");
    const own = await fleet.client.call("logs", {});
    expect(own.lines.map((line) => JSON.parse(line).event)).toContain("started");
  });
});
