import { spawnSync } from "node:child_process";
import { createConnection, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { type Fleet, useFleet } from "./fleet.js";

const start = useFleet();

function connect(fleet: Fleet): Promise<Socket> {
  const socket = createConnection(fleet.served.serving?.socket ?? "");
  socket.on("error", () => {});
  return new Promise((resolve) => socket.once("connect", () => resolve(socket)));
}

/** All a connection says until it ends. */
function heard(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return new Promise((resolve) => socket.on("close", () => resolve(text)));
}

async function isWell(fleet: Fleet): Promise<boolean> {
  return (await fleet.client.call("list", {})).ok;
}

describe("whatever comes in", () => {
  it.each([
    ["garbage", Buffer.from([0, 255, 254, 10]), "Not JSON"],
    ["no object", "[1]\n", "Not a JSON object"],
    ["an unknown request", '{"type":"frobnicate"}\n', "Unknown request: frobnicate"],
    ["the name of what every object has", '{"type":"constructor"}\n', "Unknown request"],
    ["no type", "{}\n", "Unknown request: undefined"],
    ["a missing field", '{"type":"status"}\n', "instanceId is missing"],
    [
      "a wrong field",
      '{"type":"spawn","cwd":"/","policy":"sometimes"}\n',
      "policy must be one of never, on-failure, always",
    ],
    ["a folder that is none", '{"type":"spawn","cwd":"/nowhere/at/all"}\n', "Not a directory: /nowhere/at/all"],
    ["a path as id", '{"type":"spawn","cwd":"/","instanceId":"../../etc"}\n', "Not an instance id"],
    ["a cursor that is none", '{"type":"rpc_stream","instanceId":"x","cursor":"a b"}\n', "Unknown instance: x"],
  ])("%s is refused by name", async (_name, bytes, reason) => {
    const fleet = await start();
    await fleet.serve();
    const socket = await connect(fleet);
    socket.write(bytes);
    expect(JSON.parse(await heard(socket))).toMatchObject({
      type: "error",
      ok: false,
      error: expect.stringContaining(reason),
    });
    expect(await isWell(fleet)).toBe(true);
  });

  it("a frame that is too long is refused as soon as it is, and does not fill the memory", async () => {
    const fleet = await start();
    await fleet.serve();
    const socket = await connect(fleet);
    const answer = heard(socket);
    const piece = Buffer.alloc(1024 * 1024, "x");
    for (let sent = 0; sent < 64 && !socket.destroyed; sent++) {
      if (!socket.write(piece)) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await answer).toContain("longer than 16777216 bytes");
    expect(await isWell(fleet)).toBe(true);
  });

  it("half a frame does nothing, and 1,000 idle connections keep nobody out", async () => {
    const fleet = await start();
    await fleet.serve();
    const half = await connect(fleet);
    half.write('{"type":"spawn","cwd":"/');
    const ended = heard(half);
    half.end();
    await ended;
    const idle: Socket[] = [];
    for (let count = 0; count < 1000; count++) idle.push(await connect(fleet));
    expect(await isWell(fleet)).toBe(true);
    expect((await fleet.run(["list"])).code).toBe(0);
    expect((await fleet.client.call("list", {})).instances).toEqual([]);
    await expect
      .poll(() => idle.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length)
      .toBeGreaterThan(700);
    for (const socket of idle) socket.destroy();
  });

  it.skipIf(process.getuid?.() !== 0)("another user is kept out by the file system", async () => {
    const fleet = await start();
    await fleet.serve();
    const code = `require("node:net").createConnection(process.argv[1]).on("error", (e) => console.log(e.code)).on("connect", () => console.log("in"))`;
    const { stdout } = spawnSync(process.execPath, ["-e", code, fleet.served.serving?.socket ?? ""], {
      uid: 65534,
      gid: 65534,
      cwd: "/",
      encoding: "utf8",
      timeout: 20_000,
    });
    expect(stdout).toBe("EACCES\n");
  });
});
