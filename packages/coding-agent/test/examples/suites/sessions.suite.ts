import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, vi } from "vitest";
import { askProjectTrust } from "../../../src/core/extensions/ask-project-trust.js";
import { noUI } from "../../../src/core/extensions/running/no-ui.js";
import { PiFixture } from "../../pi.js";
import { testsOf } from "../coverage/claims.js";
import { examplesFolder } from "../coverage/contract.js";
import { calls, exampleSession, says } from "../example-session.js";

describe("relay", () => {
  const it = testsOf(["relay"]);
  it("goes on in a session that knows what was asked, and back again", async ({ covers }) => {
    const at = await exampleSession(["relay.ts"], [says("one"), says("two")]);
    at.session.setSessionName("Old");
    await at.session.prompt("look at a");
    const { sessionId, sessionFile } = at.session;
    await at.session.prompt("/relay look at b");
    await at.session.waitForIdle();
    expect(at.session.sessionId).not.toBe(sessionId);
    covers("ctx.newSession", "ctx.waitForIdle");
    expect(at.session.sessionName).toBe("look at b (after Old)");
    covers("pi.getSessionName");
    expect(at.session.sessionManager.getHeader()?.parentSession).toBe(sessionFile);
    covers("session.getSessionFile");
    expect(at.lastText()).toBe("Asked so far: look at a\nlook at b");
    covers("fresh.sendMessage", "fresh.sendUserMessage", "session.buildContextEntries");
    await at.session.prompt("/relay");
    expect(at.session.sessionId).toBe(sessionId);
    expect(at.session.messages.at(-1)).toMatchObject({ content: "The other session is over." });
    covers("ctx.switchSession", "session.getHeader");
    expect(at.errors).toEqual([]);
  });
});

describe("what-if", () => {
  const it = testsOf(["what-if"]);
  it("asks in a copy", async ({ covers }) => {
    const at = await exampleSession(["what-if.ts"], [says("one"), says("two")]);
    await at.session.prompt("first");
    const { sessionId, sessionFile = "" } = at.session;
    const before = readFileSync(sessionFile, "utf8");
    await at.session.prompt("/what-if second");
    await at.session.waitForIdle();
    expect(at.session.sessionId).not.toBe(sessionId);
    expect(at.server.requests[1]?.conversation.turns).toMatchObject([
      { text: "first" },
      { text: "one" },
      { text: "second" },
    ]);
    covers("ctx.fork", "session.getLeafId", "fresh.sendUserMessage");
    expect(at.notes).toEqual([`In a copy: ${at.session.sessionId}`]);
    covers("session.getSessionId");
    expect(readFileSync(sessionFile, "utf8")).toBe(before);
  });

  it("takes the last prompt back, with a summary of its own of what was tried", async ({ covers }) => {
    const at = await exampleSession(["what-if.ts"], [says("one"), says("two"), says("three")]);
    await at.session.prompt("first");
    await at.session.prompt("second");
    await at.session.prompt("/instead third");
    await vi.waitFor(() => expect(at.server.requests).toHaveLength(3), 5000);
    await at.session.waitForIdle();
    const texts = at.server.requests[2]?.conversation.turns.map((turn) => ("text" in turn ? turn.text : ""));
    expect(texts).toEqual([
      "first",
      "one",
      expect.stringContaining("Another way was tried and left (messages: 1)."),
      "third",
    ]);
    covers("ctx.navigateTree", "pi.sendUserMessage", "event:session_before_tree");
  });
});

describe("diary", () => {
  const it = testsOf(["diary"]);
  it("writes a line for what befalls sessions", async ({ covers }) => {
    let folder = "";
    const prepare = (cwd: string) => {
      folder = cwd;
      vi.stubEnv("DIARY_DIR", cwd);
    };
    onTestFinished(() => void vi.unstubAllEnvs());
    const at = await exampleSession(["diary.ts"], [says("one")], { prepare });
    const id = at.session.sessionId.slice(0, 8);
    await at.session.prompt("first");
    at.session.setSessionName("Work");
    const [entry] = at.session.sessionManager.getEntries().filter(({ type }) => type === "message");
    await at.session.navigateTree(entry?.id ?? "");
    const dir = at.session.sessionManager.getSessionDir();
    await at.runtime.newSession();
    expect(at.errors).toEqual([]);
    const lines = readFileSync(join(folder, "diary.md"), "utf8").trimEnd().split("\n");
    expect(lines.slice(0, 4)).toEqual([
      `- ${id}: began in ${at.cwd} (startup), kept in ${dir}`,
      "- Work: is now called Work",
      "- Work: went elsewhere in its tree of 1",
      "- Work: ended (new) with 1 messages",
    ]);
    expect(lines[4]).toBe(
      `- ${at.session.sessionId.slice(0, 8)}: began in ${at.cwd} (new, after another), kept in ${dir}`,
    );
    covers("event:session_start", "event:session_info_changed", "event:session_tree", "event:session_shutdown");
    covers(
      "session.getCwd",
      "session.getSessionDir",
      "session.getSessionName",
      "session.getHeader",
      "session.getTree",
      "session.buildSessionProjection",
    );
  });
});

describe("carousel", () => {
  const it = testsOf(["carousel"]);
  it("loads everything anew and counts", async ({ covers }) => {
    const at = await exampleSession(["carousel.ts"]);
    await at.session.prompt("/again");
    await at.session.prompt("/again");
    expect(at.notes).toEqual(["Round 1", "Round 2"]);
    covers("ctx.reload", "event:session_start", "session.getEntries", "pi.appendEntry");
    expect(at.errors).toEqual([]);
  });
});

describe("godparent", () => {
  const it = testsOf(["godparent"]);
  it("names a session once", async ({ covers }) => {
    const status: (string | undefined)[] = [];
    const ui = { setStatus: (_key: string, text: string | undefined) => void status.push(text) };
    const at = await exampleSession(["godparent.ts"], [says("a"), says("b")], { ui });
    await at.session.prompt("please count all the words of this book");
    await at.session.prompt("and another thing");
    expect(at.session.sessionName).toBe("please count all the words of…");
    covers("pi.setSessionName", "pi.getSessionName", "event:before_agent_start");
    expect(status).toEqual(["« please count all the words of… »"]);
    covers("event:session_info_changed");
  });
});

describe("night-shift", () => {
  const it = testsOf(["night-shift"]);
  it("works through a list and ends the program", async ({ covers }) => {
    let ended = 0;
    const at = await exampleSession(["night-shift.ts"], [says("a"), says("b")], {
      prepare: (cwd) => writeFileSync(join(cwd, "list.txt"), "one\ntwo\n"),
      bindings: { shutdownHandler: () => void ended++ },
    });
    await at.session.prompt("/night-shift list.txt");
    expect(at.server.requests.map(({ conversation }) => conversation.turns.at(-1))).toMatchObject([
      { text: "one" },
      { text: "two" },
    ]);
    covers("pi.sendUserMessage", "ctx.waitForIdle", "ctx.isIdle", "ctx.cwd");
    expect(ended).toBe(1);
    covers("ctx.shutdown");
    expect(at.errors).toEqual([]);
  });

  it("lets what you say meanwhile come first", async ({ covers }) => {
    const at = await exampleSession(
      ["night-shift.ts"],
      [calls("bash", { command: "sleep 0.2" }), says("b"), says("c")],
      {
        prepare: (cwd) => writeFileSync(join(cwd, "list.txt"), "from the list\n"),
      },
    );
    const run = at.session.prompt("mine");
    await at.server.waitForRequest(0);
    await at.session.followUp("mine, too");
    await at.session.prompt("/night-shift list.txt");
    await run;
    await at.session.waitForIdle();
    const prompts = at.session.messages.filter(({ role }) => role === "user").map((message) => JSON.stringify(message));
    expect(prompts.map((text) => /mine, too|mine|from the list/.exec(text)?.[0])).toEqual([
      "mine",
      "mine, too",
      "from the list",
    ]);
    covers("ctx.hasPendingMessages");
  });
});

describe("rewind", () => {
  const it = testsOf(["rewind"]);
  const prepare = (cwd: string) => {
    writeFileSync(join(cwd, "a.txt"), "first");
  };
  const commit = "git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm one";
  const edit = (text: string) => calls("write", { path: "a.txt", content: text });

  it("brings files back to a prompt that is chosen, and makes the places findable", async ({ covers }) => {
    let options: string[] = [];
    const select = async (_title: string, all: string[]) => {
      options = all;
      return all.find((text) => text.startsWith("one"));
    };
    const script = [edit("second"), says("x"), edit("third"), says("y")];
    const at = await exampleSession(["rewind.ts"], script, { prepare, ui: { select } });
    await at.session.executeBash(commit);
    await at.session.prompt("one");
    await at.session.prompt("two");
    await at.session.prompt("/rewind");
    expect(options.map((text) => text.replace(/ \(.{7}\)$/, ""))).toEqual(["two", "one"]);
    expect(readFileSync(join(at.cwd, "a.txt"), "utf8")).toBe("first");
    covers("pi.exec", "pi.appendEntry", "event:before_agent_start", "session.getEntries");
    const last = at.session.sessionManager.getEntries().findLast(({ type }) => type === "message");
    expect(at.session.sessionManager.getLabel(last?.id ?? "")).toBe("checkpoint 2");
    covers("pi.setLabel", "event:agent_settled", "session.getLeafEntry");
    expect(at.notes).toEqual(['Files are as before "one"']);
  });

  it("offers to do so when the conversation is forked", async ({ covers }) => {
    const at = await exampleSession(["rewind.ts"], [edit("second"), says("x"), edit("third"), says("y")], {
      prepare,
      ui: { confirm: async (_title, prompt) => prompt === "two" },
    });
    await at.session.executeBash(commit);
    await at.session.prompt("one");
    await at.session.prompt("two");
    const [, two] = at.session.getUserMessagesForForking();
    await at.runtime.fork(two?.entryId ?? "");
    expect(readFileSync(join(at.cwd, "a.txt"), "utf8")).toBe("second");
    covers("event:session_before_fork", "session.getBranch");
  });
});

describe("house-style", () => {
  const it = testsOf(["house-style"]);
  it("brings skills, prompts and rules along", async ({ covers }) => {
    const at = await exampleSession(["house-style/index.ts"], [says("a"), says("b")]);
    await at.session.prompt("/changelog the lamp is green");
    expect(at.lastText()).toContain("as our users would say it: the lamp is green");
    await at.session.prompt("/skill:release-notes");
    expect(at.lastText()).toContain("Name nobody.");
    covers("event:resources_discover");
    expect(at.server.requests[1]?.conversation.system).toContain("- Write British English.");
    expect(at.server.requests[1]?.conversation.system).toMatch(/<house_style>\n.* No exclamation marks\./);
    covers("event:before_agent_start");
    await at.session.prompt("/style");
    expect(at.notes).toEqual([
      `${at.session.systemPrompt.length} characters of system prompt for ${at.cwd}, 0 files of context`,
    ]);
    covers("ctx.getSystemPrompt", "ctx.getSystemPromptOptions");
  });
});

describe("ledger", () => {
  const it = testsOf(["ledger"]);
  const settings = { compaction: { keepRecentTokens: 10 } };

  it("writes the summary itself, with a model of its own", async ({ covers }) => {
    const script = [
      calls("write", { path: "made.txt", content: "x" }),
      says("made"),
      says("more"),
      says("It was made."),
    ];
    const at = await exampleSession(["ledger.ts"], script, { settings, flags: { "ledger-model": "scripted/m2" } });
    await at.session.prompt("make it");
    await at.session.prompt("and then ".repeat(20));
    await at.session.prompt("/ledger");
    await vi.waitFor(() => expect(at.notes).toHaveLength(2), 5000);
    expect(at.server.requests[3]?.body["model"]).toBe("m2");
    covers("models.complete", "models.find", "models.getApiKeyAndHeaders", "ctx.modelRegistry", "pi.getFlag");
    const entry = at.session.sessionManager.getEntries().find(({ type }) => type === "compaction");
    const summary = "## Asked for\n- make it\n\n## Changed\n- made.txt\n\n## Log\nIt was made.";
    expect(entry).toMatchObject({
      summary,
      fromHook: true,
      details: { reason: "manual", files: ["made.txt"] },
    });
    covers("event:session_before_compact");
    expect(at.notes).toEqual([
      expect.stringMatching(/^Wrote the ledger \(from \d+ tokens\)$/),
      `${summary.length} characters`,
    ]);
    covers("event:session_compact", "ctx.compact");
  });

  it("says why there is none", async ({ covers }) => {
    const at = await exampleSession(["ledger.ts"], [], { settings });
    await at.session.prompt("/ledger");
    await vi.waitFor(() => expect(at.notes).toHaveLength(2), 5000);
    expect(at.notes).toEqual([expect.stringMatching(/^No ledger: .*/), expect.stringMatching(/^Not compacted: /)]);
    covers("event:session_compact_failed");
  });
});

describe("good-neighbours", () => {
  const it = testsOf(["good-neighbours"]);

  it("trusts what is listed, asks about others, and keeps a yes", async ({ covers }) => {
    const at = await exampleSession(["good-neighbours.ts"], [], {
      prepare: (_cwd, agentDir) => writeFileSync(join(agentDir, "neighbours.txt"), "/srv/near\n"),
    });
    const asked: string[] = [];
    const notes: string[] = [];
    const ui = {
      ...noUI,
      confirm: async (title: string, message: string) => asked.push(`${title} ${message}`) > 0,
      notify: (text: string) => void notes.push(text),
    };
    const { extensions } = at.session.resourceLoader.getExtensions();
    const ask = (cwd: string, hasUI: boolean) =>
      askProjectTrust(extensions, { cwd, mode: "rpc", hasUI, ui }, (text) => notes.push(text));
    vi.stubEnv("PI_CODING_AGENT_DIR", at.agentDir);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await ask("/srv/near/house", true)).toEqual({ trusted: "yes", remember: false });
    expect(notes).toEqual(["A good neighbour: /srv/near/house"]);
    expect(await ask("/srv/nearby", false)).toBeUndefined();
    expect(await ask("/srv/nearby", true)).toEqual({ trusted: "yes", remember: true });
    expect(asked).toEqual(["A good neighbour? /srv/nearby (rpc)"]);
    covers("trust.cwd", "trust.hasUI", "trust.mode", "trust.ui");
  });

  it("is asked by the program, before it reads anything of the project", async ({ covers }) => {
    const pi = await PiFixture.start([says("fine")]);
    onTestFinished(() => pi.close());
    mkdirSync(join(pi.cwd, ".pi/extensions"), { recursive: true });
    pi.write(".pi/extensions/own.ts", "export default (pi) => pi.on('session_start', () => console.log('loaded'));");
    const args = ["-p", "hi", "-e", join(examplesFolder, "good-neighbours.ts")];
    pi.configure("neighbours.txt", `${pi.cwd}\n`);
    expect((await pi.pi(args)).stderr).toBe(`A good neighbour: ${pi.cwd}\nloaded\n`);
    pi.configure("neighbours.txt", "/srv\n");
    pi.server.push(says("fine"));
    expect((await pi.pi(args)).stderr).toBe("");
    covers("event:project_trust");
  });
});
