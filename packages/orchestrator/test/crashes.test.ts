import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, type Fleet, useFleet } from "./fleet.js";

const start = useFleet();

/** A model that answers at once, but takes long for what begins with `slow`. */
function answering(gate: { delayMs: number }) {
  return ({ conversation }: { conversation: { turns: { role: string; text?: string }[] } }) => {
    const last = conversation.turns.findLast(({ role }) => role === "user")?.text ?? "";
    return { blocks: [{ type: "text" as const, text: `re: ${last}` }], ...(last.startsWith("slow") && gate) };
  };
}

function kill(pid: number | undefined): void {
  if (pid === undefined) throw new Error("no process to kill");
  process.kill(pid, "SIGKILL");
}

/** Prompts, and waits until the answer is there. */
async function ask(fleet: Fleet, instanceId: string, message: string): Promise<void> {
  const { prompt } = await fleet.client.call("prompt", { instanceId, message });
  await fleet.untilPrompt(instanceId, prompt.promptId, "delivered");
  await fleet.until(instanceId, ({ isStreaming }) => isStreaming === false, "idle");
}

describe("a supervisor that is killed", () => {
  it("takes the holders with it that keep nothing", async () => {
    const fleet = await start();
    const served = await fleet.serve();
    // The spare one is attached, and waits.
    await eventually(
      () => (fleet.processes().length > 0 ? true : undefined),
      () => "a holder",
    );
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await served.kill();
    const killed = Date.now();
    await fleet.untilEmpty();
    expect(Date.now() - killed).toBeLessThan(20_000);
  });
});

describe("an agent that crashes", () => {
  it("comes back with its session; a prompt that was not in it is reported by its id", async () => {
    const fleet = await start(answering({ delayMs: 60_000 }));
    await fleet.serve();
    const { id, pid } = await fleet.spawn();
    await ask(fleet, id, "one");
    const slow = await fleet.client.call("prompt", { instanceId: id, message: "slow", promptId: "p-slow" });
    expect(slow.prompt.promptId).toBe("p-slow");
    const queued = await fleet.client.call("prompt", { instanceId: id, message: "after it", promptId: "p-queued" });
    expect(queued.prompt.state).toBe("accepted");
    await fleet.untilPrompt(id, "p-queued", "queued");
    kill(pid);
    const revived = await fleet.until(id, (record) => record.generation === 2 && record.status === "online", "revival");
    expect(revived).toMatchObject({ restarts: 1 });
    expect(revived.pid).not.toBe(pid);
    await fleet.untilPrompt(id, "p-queued", "interrupted");
    await fleet.untilPrompt(id, "p-slow", "delivered");
    // Sending it again by its id changes nothing: whoever wants it again says so by another one.
    await fleet.client.call("prompt", { instanceId: id, message: "after it", promptId: "p-queued" });
    await ask(fleet, id, "two");
    expect(fleet.userTexts(await fleet.record(id))).toEqual(["one", "slow", "two"]);
  });

  it.each([
    ["never", "stopped", 1],
    ["on-failure", "online", 2],
    ["always", "online", 2],
  ] as const)("policy %s: is %s afterwards", async (policy, status, generation) => {
    const fleet = await start();
    await fleet.serve();
    const { id, pid } = await fleet.spawn({ policy });
    kill(pid);
    const record = await fleet.until(id, (now) => now.status === status && now.pid !== pid, status);
    expect(record.generation).toBe(generation);
  });

  it("is given up after so many failures, and says why", async () => {
    const fleet = await start();
    await fleet.serve("--give-up", "2", "--restart-wait", "10");
    const { id, pid } = await fleet.spawn();
    kill(pid);
    const second = await fleet.until(id, (now) => now.status === "online" && now.generation === 2, "revival");
    kill(second.pid);
    const record = await fleet.until(id, ({ status }) => status === "error", "error");
    expect(record.reason).toContain("Given up after 2 failures");
    await expect(fleet.client.call("prompt", { instanceId: id, message: "x" })).rejects.toThrow("is error");
  });

  it("leaves nothing behind that it had started", async () => {
    const fleet = await start([
      {
        blocks: [
          { type: "toolCall", name: "bash", arguments: { command: "setsid sleep 987 & setsid sleep 987; wait" } },
        ],
      },
    ]);
    await fleet.serve();
    const { id, pid } = await fleet.spawn({ policy: "never" });
    await fleet.client.call("prompt", { instanceId: id, message: "go" });
    const sleeps = () => fleet.processes().filter(({ command }) => command.includes("sleep 987"));
    await eventually(
      () => (sleeps().length > 1 ? true : undefined),
      () => "the command",
    );
    kill(pid);
    await eventually(
      () => (sleeps().length === 0 ? true : undefined),
      () => `the end of ${JSON.stringify(sleeps())}`,
    );
  });
});

describe("a supervisor that crashes", () => {
  it("takes its agents back: the same processes, in the middle of their work", async () => {
    const gate = { delayMs: 3000 };
    const fleet = await start(answering(gate));
    await fleet.serve();
    const agents = await Promise.all([fleet.spawn(), fleet.spawn()]);
    const [first] = agents;
    if (!first) throw new Error("no agent");
    await ask(fleet, first.id, "one");
    await fleet.client.call("prompt", { instanceId: first.id, message: "slow", promptId: "p1" });
    await fleet.served.kill();
    await fleet.serve();
    for (const { id, pid, generation } of agents) {
      const record = await fleet.until(id, ({ status }) => status === "online", "online");
      expect(record).toMatchObject({ pid, generation, restarts: 0 });
    }
    await fleet.untilPrompt(first.id, "p1", "delivered");
    await fleet.until(first.id, ({ isStreaming }) => isStreaming === false, "idle");
    await ask(fleet, first.id, "two");
    expect(fleet.userTexts(await fleet.record(first.id))).toEqual(["one", "slow", "two"]);
  });

  it("restarts agents from their sessions whose holders died with it", async () => {
    const fleet = await start();
    await fleet.serve();
    const { id, pid, holder } = await fleet.spawn();
    await ask(fleet, id, "one");
    await fleet.served.kill();
    kill(holder?.pid);
    kill(pid);
    await fleet.serve();
    await fleet.until(id, ({ status, generation }) => status === "online" && generation === 2, "revival");
    await ask(fleet, id, "two");
    expect(fleet.userTexts(await fleet.record(id))).toEqual(["one", "two"]);
  });

  it("leaves its agents to the next one on request, and ends them otherwise", async () => {
    const fleet = await start();
    await fleet.serve("--keep-agents");
    const { id, pid } = await fleet.spawn();
    expect(await fleet.served.end()).toBe(0);
    await fleet.serve();
    expect(await fleet.until(id, ({ status }) => status === "online", "online")).toMatchObject({ pid, generation: 1 });
    await fleet.served.end();
    await fleet.untilEmpty();
    await fleet.serve();
    expect(await fleet.record(id)).toMatchObject({ status: "stopped", generation: 1 });
  });

  it("does not start over a table that it cannot read", async () => {
    const fleet = await start();
    await fleet.serve();
    await fleet.served.end();
    for (const text of ["{", "null", '{"instances":[null]}', '{"instances":[{"id":"a"}]}']) {
      writeFileSync(join(fleet.state, "instances.json"), text);
      await expect(fleet.serve()).rejects.toThrow("is no instance table");
    }
    // Nobody keeps this one: it is not online, whatever its record says.
    const record = { id: "a", status: "online", cwd: fleet.cwd, policy: "never", generation: 1, restarts: 0 };
    writeFileSync(join(fleet.state, "instances.json"), JSON.stringify({ version: 1, instances: [record] }));
    await fleet.serve();
    expect(await fleet.record("a")).toMatchObject({ status: "stopped", reason: expect.stringContaining("lost") });
    // One that is stopped before it has started was not started.
    const spawning = expect(fleet.spawn({ instanceId: "b" })).rejects.toThrow("b was stopped before it had started");
    const isListed = async () => (await fleet.client.call("list", {})).instances.some(({ id }) => id === "b");
    await eventually(
      async () => (await isListed()) || undefined,
      () => "the record",
    );
    await fleet.client.call("stop", { instanceId: "b" });
    await spawning;
  });
});

describe("limits", () => {
  it("agents beyond the number wait for a place, in order", async () => {
    const fleet = await start();
    await fleet.serve("--max-instances", "1");
    const first = await fleet.spawn();
    const second = await fleet.spawn();
    expect([first.status, second.status]).toEqual(["online", "queued"]);
    await fleet.client.call("prompt", { instanceId: second.id, message: "early", promptId: "p" });
    await fleet.client.call("stop", { instanceId: first.id });
    await fleet.untilPrompt(second.id, "p", "delivered");
  });

  it("an agent without work ends, and its next prompt brings it back to its session", async () => {
    const fleet = await start();
    await fleet.serve("--health-interval", "0.2");
    const { id } = await fleet.spawn({ idleSeconds: 1 });
    await ask(fleet, id, "one");
    const parked = await fleet.until(id, ({ status }) => status === "stopped", "parked");
    expect(parked.pid).toBeUndefined();
    await ask(fleet, id, "two");
    expect(fleet.userTexts(await fleet.record(id))).toEqual(["one", "two"]);
    expect(await fleet.record(id)).toMatchObject({ generation: 2, restarts: 0 });
  });

  it("an agent that uses too much memory is started anew, and given up when that does not help", async () => {
    const fleet = await start();
    await fleet.serve("--health-interval", "0.1", "--give-up", "2", "--restart-wait", "10");
    const { id } = await fleet.spawn({ memoryMb: 1 });
    const record = await fleet.until(id, ({ status }) => status === "error", "the end");
    expect(record).toMatchObject({ generation: 2, restarts: 1 });
    expect(record.reason).toMatch(/1 MB are allowed\. Given up after 2 failures\.$/);
  });

  it("an agent that does not answer is ended and started anew", async () => {
    const fleet = await start();
    await fleet.serve("--health-interval", "0.2", "--health-timeout", "1");
    const { id, pid } = await fleet.spawn();
    process.kill(pid ?? 0, "SIGSTOP");
    await fleet.until(id, ({ generation, status }) => generation > 1 && status === "online", "a new process");
  });
});
