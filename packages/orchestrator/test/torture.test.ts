import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAlive } from "../src/process/identity.js";
import type { InstanceRecord } from "../src/types.js";
import { eventually, type Fleet, useFleet } from "./fleet.js";

const soak = process.env["PI_SOAK"] !== undefined;
const agents = soak ? 50 : 4;
const kills = soak ? 100 : 8;
/** Until records and processes agree, in ms. The machine of `npm test` may do other things as well. */
const agreeMs = soak ? 2000 : 10_000;

const start = useFleet();

/** Sends prompts in bursts until told to stop; each until it is acknowledged, under one id. */
class Driver {
  readonly acknowledged = new Map<string, string>();
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(
    readonly fleet: Fleet,
    readonly instanceId: string,
    random: () => number,
  ) {
    this.#done = this.#drive(random);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }

  async #drive(random: () => number): Promise<void> {
    for (let count = 0; !this.#isOver; count++) {
      const promptId = `${this.instanceId.slice(0, 8)}-${count}`;
      const message = `${random() < 0.2 ? "tool" : "talk"} ${promptId}`;
      await this.#acknowledge(promptId, message);
      await pause(soak ? 500 + random() * 5000 : 50 + random() * 400);
    }
  }

  async #acknowledge(promptId: string, message: string): Promise<void> {
    for (;;) {
      try {
        await this.fleet.client.call("prompt", { instanceId: this.instanceId, message, promptId });
        this.acknowledged.set(promptId, message);
        return;
      } catch {
        // The supervisor is not back yet: the same prompt again, by its id.
        await pause(50);
      }
    }
  }
}

/** Follows the entries of an instance over all that happens. */
class Follower {
  readonly entryIds: string[] = [];
  #cursor = "";
  #isOver = false;
  #close: () => void = () => {};

  constructor(fleet: Fleet, instanceId: string) {
    void this.#follow(fleet, instanceId);
  }

  end(): void {
    this.#isOver = true;
    this.#close();
  }

  async #follow(fleet: Fleet, instanceId: string): Promise<void> {
    while (!this.#isOver) {
      try {
        const stream = await fleet.client.stream(instanceId, this.#cursor, (line) => {
          const frame = JSON.parse(line);
          if (frame.cursor !== undefined) this.#cursor = frame.cursor;
          // An agent that was killed before its session had a file goes on with another one.
          if (frame.type === "session_changed") this.entryIds.length = 0;
          if (frame.type === "entry") this.entryIds.push(frame.entry.id);
        });
        this.#close = () => stream.close();
        await stream.closed;
      } catch {
        // Not back yet.
      }
      await pause(50);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Where the table and the processes of the moment differ. */
function differences(records: readonly InstanceRecord[]): string[] {
  // Looked at once for all: a machine that is busy with looking has no time for what is looked at.
  const counts = new Map<string, number>();
  for (const id of runningAgents()) counts.set(id, (counts.get(id) ?? 0) + 1);
  return records.flatMap((record) => {
    const found: string[] = [];
    const count = counts.get(record.id) ?? 0;
    if (count > 1) found.push(`${record.id} runs ${count} times`);
    if (record.status === "online" && !isAlive(record.pid ?? 0, record.startTime))
      found.push(`${record.id} is not there`);
    if (record.status === "stopped" || record.status === "error")
      found.push(`${record.id} is ${record.status}: ${record.reason}`);
    return found;
  });
}

/** Instances of the agents' processes there are, one for each. */
function runningAgents(): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      if (!/^\d/.test(pid) || !readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("pi-rpc")) return [];
      const mark = /PI_ORCHESTRATOR_INSTANCE=([^:]*):/.exec(readFileSync(`/proc/${pid}/environ`, "latin1"));
      return mark?.[1] ?? [];
    } catch {
      return [];
    }
  });
}

describe("a fleet under fire", () => {
  it("agents and supervisors are killed at random: nothing is lost, doubled, orphaned or out of order", {
    timeout: soak ? 1_800_000 : 180_000,
  }, async () => {
    const [seed = 1] = fc.sample(fc.integer(), 1);
    const random = generator(seed);
    const fleet = await start(({ conversation }) => {
      const last = conversation.turns.findLast(({ role }) => role === "user") as { text: string } | undefined;
      if (last?.text.startsWith("tool") && conversation.lastResults.length === 0) {
        return { blocks: [{ type: "toolCall", name: "bash", arguments: { command: "sleep 0.2; echo done" } }] };
      }
      return { blocks: [{ type: "text", text: `answer to ${last?.text} `.repeat(8) }], deltaSize: 12, eventDelayMs: 5 };
    });
    const serving = ["--give-up", "100000", "--restart-wait", "20", "--max-instances", "100"];
    await fleet.serve(...serving);
    const ids: string[] = [];
    for (let at = 0; at < agents; at += 2) {
      ids.push(...(await Promise.all([fleet.spawn(), fleet.spawn()])).map(({ id }) => id));
    }
    const drivers = ids.map((id) => new Driver(fleet, id, random));
    const followers = ids.map((id) => ({ id, follower: new Follower(fleet, id) }));
    let slowest = 0;
    for (let kill = 0; kill < kills; kill++) {
      await pause(200 + random() * (soak ? 3000 : 800));
      if (kill % 4 === 3) {
        await fleet.served.kill();
        await fleet.serve(...serving);
      } else {
        const { instances } = await fleet.client.call("list", {});
        const victims = instances.filter(({ pid }) => pid !== undefined);
        const victim = victims[Math.floor(random() * victims.length)];
        if (victim?.pid !== undefined && isAlive(victim.pid, victim.startTime)) process.kill(victim.pid, "SIGKILL");
      }
      const since = Date.now();
      for (let wrong = ["not looked yet"]; wrong.length > 0; ) {
        wrong = differences((await fleet.client.call("list", {})).instances);
        const took = Date.now() - since;
        if (wrong.length > 0 && took > agreeMs) throw new Error(`seed ${seed}: after ${took} ms: ${wrong.join("; ")}`);
        slowest = Math.max(slowest, took);
        await pause(50);
      }
    }
    await Promise.all(drivers.map((driver) => driver.end()));

    for (const driver of drivers) {
      const { instanceId, acknowledged } = driver;
      await eventually(
        async () => {
          const { prompts } = await fleet.client.call("prompts", { instanceId });
          const open = prompts.filter(({ state }) => state !== "delivered" && state !== "interrupted");
          const record = await fleet.record(instanceId);
          return open.length === 0 && record.status === "online" && record.isStreaming === false ? true : undefined;
        },
        () => `the end of the prompts of ${instanceId} (seed ${seed})`,
      );
      const { prompts } = await fleet.client.call("prompts", { instanceId });
      const texts = fleet.userTexts(await fleet.record(instanceId));
      for (const [promptId, message] of acknowledged) {
        const state = prompts.find((prompt) => prompt.promptId === promptId)?.state;
        const count = texts.filter((text) => text === message).length;
        expect({ seed, promptId, state, count }).toEqual({
          seed,
          promptId,
          state: count === 1 ? "delivered" : "interrupted",
          count: state === "delivered" ? 1 : 0,
        });
      }
      expect(texts.length).toBeGreaterThan(0);
    }
    for (const { id, follower } of followers) {
      const { data } = await fleet.rpc(id, { type: "get_entries" });
      const wanted = data.entries.map((entry: { id: string }) => entry.id);
      await eventually(
        () => (follower.entryIds.length >= wanted.length ? true : undefined),
        () => `${follower.entryIds.length} of ${wanted.length} entries (seed ${seed})`,
      );
      expect(follower.entryIds).toEqual(wanted);
      follower.end();
    }
    await Promise.all(ids.map((instanceId) => fleet.client.call("stop", { instanceId })));
    await fleet.served.end();
    await fleet.untilEmpty();
    expect(slowest).toBeLessThan(agreeMs + 1000);
  });
});

/** Numbers from 0 to 1 that a seed repeats. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
