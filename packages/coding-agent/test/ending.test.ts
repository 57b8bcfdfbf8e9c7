import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { TokenServer } from "./models/token-server.js";
import { PiFixture } from "./pi.js";

/** What is left when the program has ended, however that came about: no process, no locks. */

let pi: PiFixture | undefined;
let tokens: TokenServer | undefined;
let mute: Server | undefined;
const sockets = new Set<Socket>();
afterEach(async () => {
  await pi?.close();
  await tokens?.close();
  for (const socket of sockets) socket.destroy();
  mute?.close();
  pi = undefined;
  tokens = undefined;
  mute = undefined;
});

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};
const locks = ({ agentDir }: PiFixture): string[] =>
  readdirSync(agentDir, { recursive: true, encoding: "utf8" }).filter((name) => /\.lock/.test(name));

describe("connections that nobody waits for", () => {
  it.each([
    ["a proxy that does not answer", "HTTP_PROXY", "http://model.test"],
    ["a server that does not speak TLS", undefined, undefined],
  ])("%s does not keep the process", async (_what, variable, baseUrl) => {
    const server = createServer((socket) => sockets.add(socket.on("error", () => undefined)));
    mute = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    pi = await PiFixture.start([]);
    pi.configure("settings.json", JSON.stringify({ retry: { enabled: false }, httpIdleTimeoutMs: 300 }));
    pi.configure(
      "models.json",
      JSON.stringify({
        providers: {
          scripted: {
            api: "anthropic-messages",
            baseUrl: baseUrl ?? `https://${address}`,
            apiKey: "k",
            models: [{ id: "m1" }],
          },
        },
      }),
    );
    let said = 0;
    const run = await pi.pi(["-p", "x"], {
      env: variable === undefined ? {} : { [variable]: `http://${address}` },
      onStart: (child) => {
        child.stderr?.once("data", () => {
          said = performance.now();
        });
      },
    });
    expect(run).toMatchObject({ code: 1, stdout: "" });
    // Attempts to connect go on for ten seconds by themselves.
    expect(performance.now() - said).toBeLessThan(5000);
  });
});

describe("locks", () => {
  const atWork = { blocks: [{ type: "toolCall" as const, name: "bash", arguments: { command: "sleep 60" } }] };
  const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

  it.each(signals)("print mode, %s: the session's is released", async (signal) => {
    const fixture = await PiFixture.start([atWork]);
    pi = fixture;
    await fixture.pi(["-p", "x"], {
      onStart: (child) => void until(() => locks(fixture).length > 0).then(() => child.kill(signal)),
    });
    expect(locks(fixture)).toEqual([]);
  });

  it.each(signals)("RPC mode, %s: the session's is released", async (signal) => {
    const fixture = await PiFixture.start([atWork]);
    pi = fixture;
    await fixture.run(["--mode", "rpc", "--model", "scripted/m1"], {
      onStart: (child) => void until(() => locks(fixture).length > 0).then(() => child.kill(signal)),
      openStdin: `${JSON.stringify({ type: "prompt", message: "x" })}\n`,
    });
    expect(locks(fixture)).toEqual([]);
  });

  async function renewing(delayMs: number, onRenewal: (child: ChildProcess) => void) {
    const fixture = await PiFixture.start([]);
    const server = await TokenServer.start("refresh-0");
    server.delayMs = delayMs;
    pi = fixture;
    tokens = server;
    const providers = { corp: { api: "anthropic-messages", baseUrl: "http://127.0.0.1:9", models: [{ id: "m1" }] } };
    fixture.configure("models.json", JSON.stringify({ providers }));
    fixture.configure("auth-clients.json", JSON.stringify({ corp: { clientId: "c", tokenUrl: server.url } }));
    const corp = { type: "oauth", access: "access-0", refresh: "refresh-0", expires: 1 };
    fixture.configure("auth.json", JSON.stringify({ corp }));
    await fixture.run(["-p", "--model", "corp/m1", "x"], {
      onStart: (child) => void until(() => server.used.length > 0).then(() => onRenewal(child)),
    });
    const stored = JSON.parse(readFileSync(join(fixture.agentDir, "auth.json"), "utf8")).corp.access;
    return { stored, locks: locks(fixture), exists: existsSync(join(fixture.agentDir, "auth.json.lock")) };
  }

  it("a token that is being renewed is stored before the end", async () => {
    const outcome = await renewing(700, (child) => child.kill("SIGTERM"));
    expect(outcome).toEqual({ stored: "access-1", locks: [], exists: false });
  });

  it.each<[string, NodeJS.Signals[]]>([
    ["a second SIGTERM", ["SIGTERM", "SIGTERM"]],
    ["SIGINT", ["SIGINT"]],
  ])("%s does not wait for it, and leaves no lock", async (_what, sent) => {
    const outcome = await renewing(60_000, (child) => {
      for (const [index, signal] of sent.entries()) setTimeout(() => child.kill(signal), index * 300);
    });
    expect(outcome).toEqual({ stored: "access-0", locks: [], exists: false });
  });
});
