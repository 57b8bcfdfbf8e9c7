import { readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useTerminal } from "./interactive/use-terminal.js";
import { type PiFixture, usePi } from "./pi.js";

/** A start tells nobody of it: no telemetry, no search for updates, no catalogue is fetched unless somebody asks for it. */
const start = usePi();
const open = useTerminal();

let trap: Server;
let connections: number;
beforeEach(async () => {
  connections = 0;
  trap = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
});
afterEach(() => void trap.close());

/**
 * Whatever the program asks of a network is written down, and all proxies are the trap: a module that is loaded before it
 * watches name look-ups, sockets and datagrams.
 */
function watched(pi: PiFixture): { env: Record<string, string | undefined>; asked: () => string[] } {
  const log = join(pi.home, "network.log");
  writeFileSync(log, "");
  const spy = join(pi.home, "spy.cjs");
  const code = `
    const { appendFileSync, readFileSync } = require("node:fs");
    const note = (what) => appendFileSync(${JSON.stringify(log)}, what + "\\n");
    const net = require("node:net"), dns = require("node:dns"), dgram = require("node:dgram");
    const connect = net.Socket.prototype.connect;
    net.Socket.prototype.connect = function (...args) {
      const [options] = Array.isArray(args[0]) ? args[0] : args;
      note("connect " + JSON.stringify(options && typeof options === "object" ? { host: options.host, port: options.port, path: options.path } : args));
      return connect.apply(this, args);
    };
    for (const module of [dns, dns.promises]) {
      for (const name of ["lookup", "resolve", "resolve4", "resolve6", "resolveAny", "resolveTxt"]) {
        const real = module[name];
        module[name] = function (...args) { note(name + " " + args[0]); return real.apply(this, args); };
      }
    }
    const send = dgram.Socket.prototype.send;
    dgram.Socket.prototype.send = function (...args) { note("datagram"); return send.apply(this, args); };
  `;
  writeFileSync(spy, code);
  const proxy = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
  return {
    env: {
      NODE_OPTIONS: `--require ${spy}`,
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      ALL_PROXY: proxy,
      ANTHROPIC_API_KEY: "a-key",
      // As users have it: model servers of this machine are asked only where nothing else can be used.
      PI_LOCAL_SERVERS: undefined,
      // The one that would send it if there were any.
      PI_TELEMETRY: "1",
    },
    asked: () => readLines(log),
  };
}

function readLines(path: string): string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

describe("a start makes no connection", () => {
  it("the trap works: a prompt is seen", async () => {
    const pi = await start([{ blocks: [{ type: "text", text: "An answer." }] }]);
    const { env, asked } = watched(pi);
    expect(await pi.pi(["-p", "x"], { env: { ...env, NO_PROXY: "127.0.0.1" } })).toMatchObject({ code: 0 });
    expect(asked().join()).toContain(String(new URL(pi.server.baseUrl("anthropic-messages")).port));
    await pi.run(["--model", "anthropic/claude-opus-5-5", "-p", "x"], { env });
    expect(connections).toBeGreaterThan(0);
  });

  it.each([
    ["--version"],
    ["--help"],
    ["--list-models"],
    ["-p"],
    ["--mode json -p"],
    ["list"],
    ["config --help"],
    ["auth check --provider anthropic"],
    ["doctor"],
    ["--completion bash"],
  ])("pi %s", async (words) => {
    const pi = await start([]);
    const { env, asked } = watched(pi);
    // As after an update of the program.
    pi.configure(
      "settings.json",
      '{"lastChangelogVersion":"0.0.1","enableInstallTelemetry":true,"enableAnalytics":true}',
    );
    await pi.run(words.split(" "), { env });
    expect(asked()).toEqual([]);
    expect(connections).toBe(0);
  });

  it("RPC mode", async () => {
    const pi = await start([]);
    const { env, asked } = watched(pi);
    const rpc = pi.rpc([], env);
    await rpc.ok("get_state");
    await rpc.ok("get_available_models");
    await new Promise((resolve) => setTimeout(resolve, 300));
    rpc.child.stdin.end();
    await rpc.exit;
    expect(asked()).toEqual([]);
    expect(connections).toBe(0);
  });

  it("interactive mode", async () => {
    const pi = await start([]);
    const { env, asked } = watched(pi);
    pi.configure(
      "settings.json",
      '{"lastChangelogVersion":"0.0.1","enableInstallTelemetry":true,"enableAnalytics":true}',
    );
    const terminal = open(pi, [], { env });
    await terminal.ready();
    await new Promise((resolve) => setTimeout(resolve, 500));
    terminal.type("\x04");
    expect((await terminal.exited).exitCode).toBe(0);
    expect(asked()).toEqual([]);
    expect(connections).toBe(0);
  });
});
