import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, vi } from "vitest";
import { testsOf } from "../coverage/claims.js";
import { calls, exampleSession, says } from "../example-session.js";

describe("permission-gate", () => {
  const it = testsOf(["permission-gate"]);
  it("lets a command delete files only when somebody says yes", async ({ covers }) => {
    const questions: string[] = [];
    const answers = [false, true];
    const confirm = async (title: string, message: string) => {
      questions.push(`${title} ${message}`);
      return answers.shift() ?? false;
    };
    const script = [
      calls("bash", { command: "rm -r out" }),
      says("a"),
      calls("bash", { command: "rm -r out" }),
      says("b"),
    ];
    const at = await exampleSession(["permission-gate.ts"], script, { ui: { confirm } });
    writeFileSync(join(at.cwd, "out"), "");
    await at.session.prompt("clean up");
    expect(at.lastResults()).toEqual(["The user does not want these files deleted."]);
    expect(readFileSync(join(at.cwd, "out"), "utf8")).toBe("");
    await at.session.prompt("clean up");
    expect(at.lastResults()).toEqual(["(no output)"]);
    expect(() => readFileSync(join(at.cwd, "out"))).toThrow("ENOENT");
    expect(questions).toEqual(["Delete files? rm -r out", "Delete files? rm -r out"]);
    covers("event:tool_call", "ctx.ui", "pi.on");
  });
});

describe("plan-first", () => {
  const it = testsOf(["plan-first"]);
  it("holds changing tools back from the start, says so to the model, and gives them back", async ({ covers }) => {
    const at = await exampleSession(["plan-first.ts"], [says("a plan"), says("done")], {
      flags: { "plan-first": true },
    });
    const before = ["read", "bash", "edit", "write"];
    expect(at.session.getActiveToolNames().toSorted()).toEqual(["find", "grep", "ls", "read"]);
    covers("pi.registerFlag", "pi.getFlag", "event:session_start");
    await at.session.prompt("go");
    const [first] = at.server.requests;
    expect(first?.conversation.tools.map(({ name }) => name).toSorted()).toEqual(["find", "grep", "ls", "read"]);
    expect(first?.conversation.system).toMatch(/Nothing can be changed before the user agrees\.$/);
    covers("pi.setActiveTools", "event:before_agent_start");
    await at.session.prompt("/plan");
    await at.session.prompt("go");
    expect(at.server.requests[1]?.conversation.tools.map(({ name }) => name)).toEqual(before);
    expect(at.server.requests[1]?.conversation.system).not.toContain("Nothing can be changed");
    covers("pi.getActiveTools", "pi.registerCommand");
  });

  it("goes on planning after a reload: the session knows", async ({ covers }) => {
    const at = await exampleSession(["plan-first.ts"], [says("x")]);
    await at.session.prompt("hello");
    await at.session.prompt("/plan");
    await at.session.reload();
    expect(at.session.getActiveToolNames().toSorted()).toEqual(["find", "grep", "ls", "read"]);
    await at.session.prompt("/plan");
    expect(at.session.getActiveToolNames()).toContain("write");
    const kept = at.session.sessionManager.getEntries().filter(({ type }) => type === "custom");
    expect(kept).toMatchObject([{ customType: "plan-first", data: { heldBack: expect.any(Array) } }, { data: {} }]);
    covers("pi.appendEntry", "session.getBranch", "ctx.sessionManager");
  });
});

describe("blackout", () => {
  const it = testsOf(["blackout"]);
  it("no secret of the environment reaches a model, nor the session by way of results and answers", async ({
    covers,
  }) => {
    vi.stubEnv("EXAMPLE_API_KEY", "s3cret-value");
    onTestFinished(() => void vi.unstubAllEnvs());
    const script = [calls("bash", { command: "echo key s3cret-value" }), says("It is s3cret-value."), says("fine")];
    const at = await exampleSession(["blackout.ts"], script);
    await at.session.prompt("Is it s3cret-value?");
    await at.session.prompt("And now?");
    const sent = JSON.stringify(at.server.requests.map(({ body }) => body["messages"]));
    expect(at.lastText()).toContain("Is it █████?");
    covers("event:context");
    expect(at.server.requests[1]?.conversation.lastResults[0]?.text).toContain("key █████");
    covers("event:tool_result");
    expect(at.session.messages.filter(({ role }) => role === "assistant").at(1)).toMatchObject({
      content: [{ text: "It is █████." }],
    });
    covers("event:message_end");
    // What the model itself wrote as a command is its own.
    expect(sent.match(/s3cret-value/g)).toHaveLength(2);
  });
});

describe("dry-run", () => {
  const it = testsOf(["dry-run"]);
  it("shows what would change something, and runs the rest", async ({ covers }) => {
    const at = await exampleSession(["dry-run.ts"], [], { flags: { dry: true } });
    const shown = await at.session.executeBash("touch new.txt");
    expect(shown.output).toBe(`Would run in ${at.cwd} (told to the model): touch new.txt`);
    expect(() => readFileSync(join(at.cwd, "new.txt"))).toThrow("ENOENT");
    expect((await at.session.executeBash("echo really")).output).toBe("really\n");
    covers("event:user_bash");
  });
});

describe("allowance", () => {
  const it = testsOf(["allowance"]);
  it("stops an answer that is longer than allowed, while it streams", async ({ covers }) => {
    const at = await exampleSession(["allowance.ts"], [says("word ".repeat(400)), says("short")], {
      flags: { allowance: "300" },
    });
    await at.session.prompt("talk");
    expect(at.session.messages.at(-1)).toMatchObject({ stopReason: "aborted" });
    expect(at.notes).toEqual(["Stopped after 1 answers: the allowance is spent"]);
    covers("ctx.abort", "ctx.signal", "event:message_update", "event:message_start");
    await at.session.prompt("talk");
    expect(at.session.messages.at(-1)).toMatchObject({ stopReason: "stop" });
    covers("event:agent_start");
  });

  it("says how full the context is", async ({ covers }) => {
    const usage = { input: 50_000, output: 10 };
    const at = await exampleSession(["allowance.ts"], [{ ...says("x"), usage }], { flags: { fullest: "30" } });
    await at.session.prompt("talk");
    expect(at.notes).toEqual(["The context is 50 % full"]);
    covers("ctx.getContextUsage", "event:turn_end");
  });
});

describe("until-green", () => {
  const it = testsOf(["until-green"]);
  it("sends the agent back while the check is red, so often and no oftener", async ({ covers }) => {
    const script = [
      calls("bash", { command: "echo no > state" }),
      says("done"),
      calls("bash", { command: "echo yes > state" }),
      says("now"),
      says("c"),
    ];
    const check = "cat state; grep -q yes state";
    const at = await exampleSession(["until-green.ts"], script, { flags: { check, attempts: "1" } });
    await at.session.prompt("repair");
    expect(at.server.requests).toHaveLength(4);
    expect(at.server.requests[2]?.conversation.turns.at(-1)).toMatchObject({
      role: "user",
      text: `\`${check}\` fails:\n\nno\n\n\nGo on until it succeeds.`,
    });
    covers("event:agent_before_settle", "pi.exec", "ctx.cwd");
    expect(at.notes).toEqual(["The check is green."]);
    writeFileSync(join(at.cwd, "state"), "no");
    at.server.push(says("d"));
    await at.session.prompt("again");
    expect(at.server.requests).toHaveLength(6);
    expect(at.notes.at(-1)).toBe("The check is still red.");
    covers("event:input");
  });
});

describe("shorthand", () => {
  const it = testsOf(["shorthand"]);
  it("expands, and answers for itself", async ({ covers }) => {
    const at = await exampleSession(["shorthand.ts"], [says("ok")]);
    await at.session.prompt("please ;t ;s;s ;x");
    expect(at.lastText()).toBe("please run the tests and repair what fails ;s;s ;x");
    await at.session.prompt(";?");
    expect(at.server.requests).toHaveLength(1);
    expect(at.notes).toEqual([expect.stringContaining(";c  commit with a message")]);
    covers("event:input");
  });
});

describe("clean-desk", () => {
  const it = testsOf(["clean-desk"]);
  it("nobody leaves with changes unless they say so", async ({ covers }) => {
    let may = false;
    const asked: string[] = [];
    const ui = { confirm: async (title: string) => asked.push(title) > 0 && may };
    const at = await exampleSession(["clean-desk.ts"], [says("a"), says("b")], { ui });
    await at.session.executeBash("git init -q && touch new.txt");
    await at.session.prompt("one");
    const { sessionId } = at.session;
    const entry = at.session.sessionManager.getEntries().find(({ type }) => type === "message")?.id ?? "";
    expect(await at.runtime.newSession()).toEqual({ cancelled: true });
    covers("event:session_before_switch", "ctx.hasUI");
    expect(await at.runtime.fork(entry)).toEqual({ cancelled: true });
    covers("event:session_before_fork");
    expect(await at.session.navigateTree(entry)).toMatchObject({ cancelled: true });
    covers("event:session_before_tree");
    expect(asked).toEqual(["Go to a new session?", "Go to a copy?", "Go to another branch?"]);
    expect(at.session.sessionId).toBe(sessionId);
    may = true;
    expect(await at.runtime.newSession()).toEqual({ cancelled: false });
    expect(at.session.sessionId).not.toBe(sessionId);
  });
});
