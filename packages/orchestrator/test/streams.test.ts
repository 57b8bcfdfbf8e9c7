import { createConnection } from "node:net";
import { describe, expect, it } from "vitest";
import { eventually, type Fleet, useFleet } from "./fleet.js";

const start = useFleet();

interface Frame {
  type: string;
  cursor?: string;
  entry?: { id: string };
  event?: { type: string };
  missed?: number | null;
}

/** Follows an instance and comes back from where it was, whatever happens to the connection. */
class Follower {
  readonly frames: Frame[] = [];
  cursor = "";
  connections = 0;
  #isOver = false;
  #close: () => void = () => {};

  constructor(
    readonly fleet: Fleet,
    readonly instanceId: string,
  ) {
    void this.#follow();
  }

  get entryIds(): string[] {
    return this.frames.flatMap(({ entry }) => entry?.id ?? []);
  }

  disconnect(): void {
    this.#close();
  }

  end(): void {
    this.#isOver = true;
    this.#close();
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) {
      try {
        const stream = await this.fleet.client.stream(this.instanceId, this.cursor, (line) => {
          const frame = JSON.parse(line) as Frame;
          this.frames.push(frame);
          if (frame.cursor !== undefined) this.cursor = frame.cursor;
        });
        this.connections++;
        this.#close = () => stream.close();
        await stream.closed;
      } catch {
        // The supervisor is not back yet.
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function sessionIds(fleet: Fleet, instanceId: string): Promise<string[]> {
  const { data } = await fleet.rpc(instanceId, { type: "get_entries" });
  return data.entries.map(({ id }: { id: string }) => id);
}

async function ask(fleet: Fleet, instanceId: string, message: string): Promise<void> {
  const { prompt } = await fleet.client.call("prompt", { instanceId, message });
  await fleet.untilPrompt(instanceId, prompt.promptId, "delivered");
  await fleet.until(instanceId, ({ isStreaming, status }) => status === "online" && isStreaming === false, "idle");
}

describe("a stream with cursors", () => {
  it("brings every entry once and in order, over lost connections and crashes of all sorts", async () => {
    const fleet = await start();
    await fleet.serve();
    const { id } = await fleet.spawn();
    const followers = [new Follower(fleet, id), new Follower(fleet, id)];
    await ask(fleet, id, "one");
    followers[0]?.disconnect();
    await ask(fleet, id, "two");
    await fleet.served.kill();
    await fleet.serve();
    await fleet.until(id, ({ status }) => status === "online", "online");
    await ask(fleet, id, "three");
    process.kill((await fleet.record(id)).pid ?? 0, "SIGKILL");
    await fleet.until(id, ({ status, generation }) => status === "online" && generation === 2, "revival");
    await ask(fleet, id, "four");
    const late = new Follower(fleet, id);
    const ids = await sessionIds(fleet, id);
    for (const follower of [...followers, late]) {
      await eventually(
        () => (follower.entryIds.length >= ids.length ? true : undefined),
        () => `${follower.entryIds} of ${ids}`,
      );
      expect(follower.entryIds).toEqual(ids);
      follower.end();
    }
    expect(followers[0]?.connections).toBeGreaterThan(2);
  });

  it("replays the events after the cursor, without gaps while the ring has them", async () => {
    const fleet = await start();
    await fleet.serve();
    const { id } = await fleet.spawn();
    const all = new Follower(fleet, id);
    await ask(fleet, id, "one");
    await eventually(
      () => (all.frames.some(({ event }) => event?.type === "agent_settled") ? true : undefined),
      () => "the end",
    );
    const events = all.frames.filter(({ type }) => type === "event");
    expect(events.map(({ event }) => event?.type)).toEqual(expect.arrayContaining(["agent_start", "message_update"]));
    const middle = Math.floor(events.length / 2);
    const second = new Follower(fleet, id);
    second.cursor = events[middle]?.cursor ?? "";
    second.disconnect();
    await eventually(
      () => (second.frames.some(({ event }) => event?.type === "agent_settled") ? true : undefined),
      () => "the end",
    );
    await expect(fleet.client.stream(id, "what", () => {})).rejects.toThrow("Not a cursor: what");
    expect(all.frames.filter(({ type }) => type === "gap")).toEqual([]);
    all.end();
    second.end();
  });

  it("begins anew with another session", async () => {
    const fleet = await start();
    await fleet.serve();
    const { id } = await fleet.spawn();
    const follower = new Follower(fleet, id);
    await ask(fleet, id, "one");
    expect(await fleet.rpc(id, { type: "new_session" })).toMatchObject({ success: true });
    await ask(fleet, id, "two");
    const ids = await sessionIds(fleet, id);
    await eventually(
      () => (follower.entryIds.at(-1) === ids.at(-1) ? true : undefined),
      () => String(follower.entryIds),
    );
    const from = follower.frames.findIndex(({ type }) => type === "session_changed");
    expect(from).toBeGreaterThan(0);
    expect(follower.frames.slice(from).flatMap(({ entry }) => entry?.id ?? [])).toEqual(ids);
    follower.end();
  });

  it("a reader who does not read slows nobody", async () => {
    // More than the buffers of the system and of the stream take.
    const fleet = await start(() => ({ blocks: [{ type: "text", text: "x".repeat(300_000) }], deltaSize: 1000 }));
    await fleet.serve();
    const { id } = await fleet.spawn();
    const socket = createConnection(fleet.served.serving?.socket ?? "");
    socket.write(`${JSON.stringify({ type: "rpc_stream", instanceId: id, cursor: "" })}\n`);
    await new Promise((resolve) => socket.once("readable", resolve));
    for (let round = 0; round < 3; round++) await ask(fleet, id, `round ${round}`);
    let output = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    const count = (await sessionIds(fleet, id)).length;
    await eventually(
      () => (output.split('{"type":"entry"').length > count ? true : undefined),
      () => `${count} entries in ${output.length} characters`,
    );
    const entries = output.split("\n").filter((line) => line.startsWith('{"type":"entry"'));
    expect(entries.length).toBe(count);
    socket.destroy();
  });
});
