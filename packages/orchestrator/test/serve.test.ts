import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useFleet } from "./fleet.js";

const start = useFleet();

describe("serve", () => {
  it("ends with an error when its port cannot be had, also in the background, and leaves the folder free", async () => {
    const fleet = await start();
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, "127.0.0.1", () => resolve((other.address() as { port: number }).port));
    });
    for (const more of [[], ["--detach"]]) {
      const run = await fleet.run(["serve", "--http", String(port), ...more]);
      expect(run).toMatchObject({ stdout: "", code: 1 });
      expect(run.stderr).toBe(
        `Error: Port ${port} of 127.0.0.1 is in use. Choose another one with --http, or 0 for a free one.\n`,
      );
    }
    expect(await fleet.run(["serve", "--http", "99999", "--detach"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--http takes a port from 0 to 65535: 99999"),
    });
    await new Promise((resolve) => other.close(resolve));

    const detached = JSON.parse((await fleet.run(["serve", "--http", String(port), "--detach"])).stdout);
    expect(detached.gateway).toMatch(new RegExp(`^http://127.0.0.1:${port}/#token=.{20,}$`));
    expect(JSON.parse((await fleet.run(["status"])).stdout)).toEqual({
      ...detached,
      type: "hello_result",
    });
    process.kill(detached.pid, "SIGTERM");
    await fleet.untilEmpty();
  });

  it("does not take a folder for its own that others use", async () => {
    const fleet = await start();
    mkdirSync(fleet.state, { mode: 0o755 });
    writeFileSync(join(fleet.state, "letter.txt"), "Dear");
    const run = await fleet.run(["serve"]);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(`${fleet.state} has other files in it`);
    expect(statSync(fleet.state).mode & 0o777).toBe(0o755);
  });
});
