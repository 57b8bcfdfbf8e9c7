import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { leftOn } from "./interactive/terminal.js";
import { useTerminal } from "./interactive/use-terminal.js";
import { type PiFixture, usePi } from "./pi.js";

/** The program itself fails: an error with the program and nothing of an extension in its stack, when tests want it. */
const start = usePi();
const open = useTerminal();
const answer = () => ({ blocks: [{ type: "text" as const, text: "An answer." }] });
const fail = (ms: number) => `setTimeout(parseJsonWithRepair, ${ms}, "no json")`;
const imports = 'import { parseJsonWithRepair } from "@earendil-works/pi-ai";\n';
const failing = (event: string, ms = 50) =>
  `${imports}export default (pi) => pi.on("${event}", () => { ${fail(ms)}; });`;
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

  const secret = "sk-abcdefghijklmnop";
  const report = /^Error: pi has crashed: [^\n]+\nReport: [^\n]+crashes\.json\n/;
  it.each([
    ["print", ["-p"]],
    ["json", ["--mode", "json"]],
  ])("%s mode: what an extension throws after the answer is told, and the answer counts", async (_mode, words) => {
    const pi = await start(answer);
    const late = `() => { throw new Error("late ${secret}"); }`;
    pi.write("x.js", `export default (pi) => pi.on("agent_end", () => { setTimeout(${late}, 250); });`);
    const run = await pi.pi(["-e", "x.js", ...words, "hello"]);
    expect(run.stdout).toContain("An answer.");
    expect(run.stderr).toBe(`Extension error (${join(pi.cwd, "x.js")}): late [hidden]\n`);
    expect(run.code).toBe(0);
  });

  it("print mode: after the answer, of the program itself", async () => {
    const pi = await start(answer);
    pi.write("x.js", failing("session_shutdown", 250));
    const run = await pi.pi(["-e", "x.js", "-p", "hello"]);
    expect(run.stdout).toBe("An answer.\n");
    expect(run.stderr).toMatch(said);
    expect(run.code).toBe(1);
  });

  it.each([
    ["print", ["-p", "hello"], "An answer.\n"],
    ["help", ["--help"], "Usage"],
  ])(
    "%s: what an extension throws while others still load is told, and the start goes on",
    async (_mode, words, stdout) => {
      const pi = await start(answer);
      pi.write(
        "x.js",
        `setTimeout(() => { throw new Error("early ${secret}"); }); export default () => new Promise((done) => setTimeout(done, 300));`,
      );
      const run = await pi.pi(["-e", "x.js", ...words]);
      expect(run.stderr).toBe(`Error: Extension "${join(pi.cwd, "x.js")}" did not catch an error: early [hidden]\n`);
      expect(run.stdout).toContain(stdout);
      expect(run.code).toBe(0);
    },
  );

  it.each(["input", "before_agent_start", "message_start"])(
    "on %s, before the first prompt is stored: it is given back",
    async (event) => {
      const pi = await start(answer);
      const wait = "new Promise((done) => setTimeout(done, 5000))";
      pi.write("x.js", `${imports}export default (pi) => pi.on("${event}", () => { ${fail(0)}; return ${wait}; });`);
      const run = await pi.pi(["-e", "x.js", "-p", "first words"]);
      expect(run.stderr).toMatch(report);
      expect(run.stderr).toMatch(/\nTyped, and not stored: first words\n$/);
    },
  );

  it("once the prompt is stored, what waits is given back", async () => {
    const pi = await start([{ ...answer(), delayMs: 20_000 }]);
    pi.write("x.js", failing("before_provider_request", 1500));
    const rpc = pi.rpc(["-e", "x.js"]);
    rpc.send({ type: "prompt", message: "first words" });
    rpc.send({ type: "follow_up", message: "second words" });
    expect(await rpc.exit).toMatchObject({ code: 1 });
    expect(rpc.stderr).toMatch(said);
    expect(rpc.stderr).toMatch(/Typed, and not stored: second words\n$/);
    expect(rpc.stderr).not.toContain("first words");
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
      terminal.type("hello", "\r", "half a draft");
      expect((await terminal.exited).exitCode).toBe(1);
      expect(terminal.all().join("\n")).toMatch(said);
      expect(terminal.all().join("\n")).toContain("Typed, and not stored: half a draft");
      expect(leftOn(terminal.output)).toEqual([]);
      expect(crashes(pi)).toMatchObject([{ kind: "interactive" }]);
      const next = open(pi, [], { columns: 200 });
      await next.shows("pi crashed on ");
      await next.ready();
      expect(crashes(pi)).toMatchObject([{ notified: true }]);
    },
  );
});
