import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { leftOn } from "./interactive/terminal.js";
import { useTerminal } from "./interactive/use-terminal.js";
import { type PiFixture, usePi } from "./pi.js";

/** The program itself fails: an error with nothing of an extension in its stack, at a moment that tests choose. */
const start = usePi();
const open = useTerminal();
const answer = () => ({ blocks: [{ type: "text" as const, text: "An answer." }] });
const failing = (event: string) =>
  `export default (pi) => pi.on("${event}", () => { setTimeout(JSON.parse, 50, "{"); });`;
const crashes = (pi: PiFixture) => {
  const path = join(pi.agentDir, "crashes.json");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const text = readFileSync(path, "utf8");
  expect(text).not.toContain("test-key");
  return JSON.parse(text);
};
const said = /Error: pi has crashed: .*JSON[\s\S]*Report: \S+crashes\.json\s[\s\S]*Go on with it: pi --session [\w-]+/;

describe("a crash", () => {
  it("print mode", async () => {
    const pi = await start([answer(), { ...answer(), delayMs: 20_000 }, answer()]);
    pi.write("x.ts", failing("agent_end"));
    const run = await pi.pi(["-e", "x.ts", "-p", "one", "two"]);
    expect(run).toMatchObject({ stdout: "", code: 1 });
    expect(run.stderr).toMatch(said);
    expect(run.stderr).not.toMatch(/^ +at /m);
    expect(crashes(pi)).toMatchObject([
      { kind: "print", cwd: pi.cwd, stack: expect.stringContaining("listOnTimeout") },
    ]);
    const [, id = ""] = /pi --session (\S+)/.exec(run.stderr) ?? [];
    expect(await pi.pi(["--session", id, "-p", "again"])).toMatchObject({
      stdout: "An answer.\n",
      stderr: "",
      code: 0,
    });
  });

  it("RPC mode", async () => {
    const pi = await start(answer);
    pi.write("x.ts", failing("agent_end"));
    const rpc = pi.rpc(["-e", "x.ts"]);
    await rpc.run("hello");
    expect(await rpc.exit).toMatchObject({ code: 1 });
    expect(rpc.stderr).toMatch(said);
    expect(rpc.garbage).toEqual([]);
    expect(crashes(pi)).toMatchObject([{ kind: "rpc", sessionFile: expect.stringMatching(/\.jsonl$/) }]);
  });

  it.each(["fullscreen", "regular"])(
    "interactive mode, %s: the terminal is as it was, and the next start tells it once",
    async (mode) => {
      const pi = await start(answer);
      pi.write("x.ts", failing("agent_end"));
      const terminal = open(pi, ["-e", "x.ts", "--tui-mode", mode], { columns: 200 });
      await terminal.ready();
      terminal.type("hello", "\r");
      expect((await terminal.exited).exitCode).toBe(1);
      expect(terminal.all().join("\n")).toMatch(said);
      expect(leftOn(terminal.output)).toEqual([]);
      expect(crashes(pi)).toMatchObject([{ kind: "interactive" }]);
      const next = open(pi, [], { columns: 200 });
      await next.shows("pi crashed on ");
      await next.ready();
      expect(crashes(pi)).toMatchObject([{ notified: true }]);
    },
  );
});
