import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OrchestratorSupervisor } from "../src/supervisor.js";
import { useFleet } from "./fleet.js";

const start = useFleet();

describe("what an orchestrator finds", () => {
  it("ends what neither lives nor dies, and cleans up after killed holders", { timeout: 60_000 }, async () => {
    const fleet = await start();
    // No spares: one that no supervisor has met yet stays for a while.
    const options = ["--spares", "0", "--health-interval", "0.2", "--health-timeout", "2"];
    await fleet.serve(...options);
    const [first, second, third] = await Promise.all([fleet.spawn(), fleet.spawn(), fleet.spawn({ policy: "never" })]);
    process.kill(third.holder?.pid ?? Number.NaN, "SIGKILL");
    const killed = await fleet.until(third.id, ({ status }) => status === "stopped", "the end");
    expect([killed.pid, killed.holder]).toEqual([undefined, undefined]);
    // Hung while it is looked after, and found hung by the next supervisor.
    process.kill(first.holder?.pid ?? Number.NaN, "SIGSTOP");
    const isRevived = ({ pid, status }: { pid?: number; status: string }) => status === "online" && pid !== first.pid;
    expect((await fleet.until(first.id, isRevived, "revival")).reason).toBe("It did not answer.");
    await fleet.served.kill();
    process.kill(second.holder?.pid ?? Number.NaN, "SIGSTOP");
    await fleet.serve(...options);
    await fleet.until(second.id, ({ pid, status }) => status === "online" && pid !== second.pid, "revival");
    await fleet.served.end();
    await fleet.untilEmpty();
    await fleet.serve("--spares", "0");
    expect(readdirSync(fleet.state).filter((name) => name.startsWith("h-"))).toEqual([]);
  });

  it("leaves agents of other state folders alone, copies of its own too", async () => {
    const fleet = await start();
    await fleet.serve();
    const { pid } = await fleet.spawn({ instanceId: "same" });
    const copy = join(fleet.home, "copy");
    cpSync(fleet.state, copy, { recursive: true, filter: (path) => !/\.(sock|tmp|lock)$/.test(path) });
    const other = await OrchestratorSupervisor.open({ folder: copy, spareHolders: 0, maxInstances: 0 });
    const { record } = other.instance("same");
    expect(record).toMatchObject({ restarts: 1, reason: expect.stringContaining("lost") });
    await other.close();
    expect(await fleet.record("same")).toMatchObject({ status: "online", pid });
  });
});
