import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { ScriptedTurn } from "@pi/testkit";
import { describe, expect, it } from "vitest";
import { SessionManager } from "../src/index.js";
import { type PiFixture, usePi } from "./pi.js";

const startPi = usePi();
const start = (script: ScriptedTurn[] = []) => startPi(script);

const say = (text: string): ScriptedTurn => ({ blocks: [{ type: "text", text }] });
const user = (text: string): AgentMessage => ({ role: "user", content: [{ type: "text", text }], timestamp: 1 });
const folder = (pi: PiFixture, cwd: string) =>
  join(pi.agentDir, "sessions", `--${cwd.replace(/^\//, "").replaceAll("/", "-")}--`);

function store(pi: PiFixture, id: string, cwd = pi.cwd): SessionManager {
  const manager = SessionManager.create(cwd, folder(pi, cwd), { id });
  manager.appendMessage(user(`said in ${id}`));
  return manager;
}

describe("a session that another process writes", () => {
  it("is said before anything is asked of the model; a fork goes on", async () => {
    const pi = await start([say("forked")]);
    const manager = store(pi, "held");
    const path = manager.getSessionFile() as string;
    const before = readFileSync(path, "utf8");
    const run = await pi.pi(["--session", path, "-p", "x"]);
    expect(run).toMatchObject({ stdout: "", code: 1 });
    expect(run.stderr).toMatch(/^Session is in use by pid \d+ since \d{4}-\S+Z: \S+\.jsonl\. Use --fork\.\n$/);
    expect(run.stderr).toContain(`pid ${process.pid} `);
    expect(pi.server.requests).toHaveLength(0);
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(await pi.pi(["--fork", "held", "-p", "x"])).toMatchObject({ stdout: "forked\n", stderr: "", code: 0 });
    manager.close();
  });

  it("is free when that one has ended", async () => {
    const pi = await start([say("one"), say("two")]);
    const manager = store(pi, "s1");
    manager.close();
    for (const answer of ["one\n", "two\n"]) {
      expect(await pi.pi(["--session", "s1", "-p", "x"])).toMatchObject({ stdout: answer, stderr: "", code: 0 });
    }
    const names = readdirSync(folder(pi, pi.cwd));
    expect(names.filter((name) => !name.endsWith(".jsonl"))).toEqual([]);
  });
});

describe("a session that two RPC processes have open", () => {
  it("belongs to the one that says something first; the other's prompt is refused", async () => {
    const pi = await start([say("one")]);
    const manager = store(pi, "shared");
    const path = manager.getSessionFile() as string;
    manager.close();
    const [first, second] = [pi.rpc(["--session", path]), pi.rpc(["--session", path])];
    for (const rpc of [first, second]) expect(await rpc.ok("get_state")).toMatchObject({ sessionFile: path });
    await first.run("mine");
    const before = await second.ok("get_state");
    const marker = join(pi.cwd, "marker");
    const refusals: [string, object][] = [
      ["prompt", { message: "and mine" }],
      ["bash", { command: `touch ${marker}` }],
      ["compact", {}],
      ["set_model", { provider: "scripted", modelId: "m1" }],
      ["set_session_name", { name: "mine" }],
    ];
    for (const [type, fields] of refusals) {
      expect(await second.call(type, fields)).toMatchObject({
        success: false,
        error: expect.stringContaining(`in use by pid ${first.child.pid} `),
      });
    }
    // Nothing of it has happened.
    expect(existsSync(marker)).toBe(false);
    expect(await second.ok("get_state")).toEqual(before);
    expect(pi.server.requests).toHaveLength(1);
    // A third one is told at once.
    const third = pi.rpc(["--session", path]);
    expect(await third.exit).toMatchObject({ code: 1 });
    expect(third.stderr).toMatch(/^Session is in use by pid \d+ since \S+: \S+\. Use --fork\.\n$/);
    for (const rpc of [first, second]) {
      rpc.child.stdin.end();
      expect(await rpc.exit).toMatchObject({ code: 0 });
    }
    expect(readFileSync(path, "utf8")).not.toContain("and mine");
  });
});

it("a session that another process went on with is gone on with behind that", async () => {
  const pi = await start([say("one"), say("two"), say("three")]);
  const manager = store(pi, "shared");
  const path = manager.getSessionFile() as string;
  manager.close();
  const idle = pi.rpc(["--session", path]);
  expect((await idle.ok("get_messages"))["messages"]).toHaveLength(1);
  expect(await pi.pi(["--session", path, "-p", "elsewhere"])).toMatchObject({ stdout: "one\n", code: 0 });
  await idle.run("here");
  const { messages } = await idle.ok("get_messages");
  const texts = messages
    .filter(({ role }: { role: string }) => role !== "system")
    .map(({ content }: { content: { text: string }[] }) => content[0]?.text);
  expect(texts).toEqual(["said in shared", "elsewhere", "one", "here", "two"]);
  expect(JSON.stringify(pi.server.requests.at(-1))).toContain("elsewhere");
  expect(idle.stderr).toMatch(
    /^Warning: Another process added to the session, which goes on behind that \(entries: \d+\)/m,
  );
  idle.child.stdin.end();
  await idle.exit;
  // One branch.
  const again = SessionManager.open(path, undefined, undefined, { readOnly: true });
  expect(again.getBranch()).toHaveLength(again.getEntryCount());
});

it("a session that was deleted is not brought back by who only looked on", async () => {
  const pi = await start([say("one")]);
  const manager = store(pi, "shared");
  const path = manager.getSessionFile() as string;
  manager.close();
  const lookers = [pi.rpc(["--session", path]), pi.rpc(["--session", path])];
  for (const rpc of lookers) await rpc.ok("get_state");
  rmSync(path);
  for (const rpc of lookers) {
    rpc.child.stdin.end();
    expect(await rpc.exit).toMatchObject({ code: 0 });
  }
  expect(readdirSync(folder(pi, pi.cwd))).toEqual([]);
});

it.each<[string, (path: string) => void, RegExp]>([
  ["deleted", (path) => rmSync(path), /was deleted while it was open; it was written again/],
  [
    "cut",
    (path) => truncateSync(path, statSync(path).size - 10),
    /was cut to \d+ bytes while it was open: .* What was missing is written again\./,
  ],
  [
    "overwritten",
    (path) => writeFileSync(path, "notes\n"),
    /was overwritten while it was open; the session goes on in /,
  ],
])("a clone that is %s before anything is added to it: said at the end", async (_, harm, text) => {
  const pi = await start([say("one")]);
  const rpc = pi.rpc();
  await rpc.run("hello");
  await rpc.ok("clone");
  const { sessionFile } = await rpc.ok("get_state");
  const before = readFileSync(sessionFile, "utf8");
  harm(sessionFile);
  rpc.child.stdin.end();
  expect(await rpc.exit).toMatchObject({ code: 0 });
  expect(rpc.stderr).toMatch(text);
  if (text.source.includes("it was written again")) expect(readFileSync(sessionFile, "utf8")).toBe(before);
});

it("a clone by a process that only looked has what another one added, and says so", async () => {
  const pi = await start([say("one")]);
  const manager = store(pi, "shared");
  const path = manager.getSessionFile() as string;
  manager.close();
  const rpc = pi.rpc(["--session", path]);
  await rpc.ok("get_state");
  manager.appendMessage(user("added meanwhile"));
  manager.close();
  await rpc.ok("clone");
  expect(
    (await rpc.ok("get_messages"))["messages"].map((one: AgentMessage) => "content" in one && one.content),
  ).toEqual([user("said in shared"), user("added meanwhile")].map((one) => "content" in one && one.content));
  rpc.child.stdin.end();
  await rpc.exit;
  expect(rpc.stderr).toContain("Another process added to the session, which the copy has too (entries: 1)");
});

it("several processes may open one session of an old format at once", async () => {
  const pi = await start([]);
  const path = join(pi.home, "old.jsonl");
  const time = "2025-01-01T00:00:00.000Z";
  const message = { role: "user", content: "x".repeat(4000), timestamp: 1 };
  const line = `${JSON.stringify({ type: "message", timestamp: time, message })}\n`;
  const text = `${JSON.stringify({ type: "session", id: "old", timestamp: time, cwd: pi.cwd })}\n${line.repeat(3000)}`;
  const lookers = [pi.rpc(), pi.rpc(), pi.rpc()];
  for (const rpc of lookers) await rpc.ok("get_state");
  for (let round = 0; round < 3; round++) {
    writeFileSync(path, text);
    const switched = await Promise.all(lookers.map((rpc) => rpc.call("switch_session", { sessionPath: path })));
    expect(switched.map(({ success, error }) => [success, error])).toEqual(lookers.map(() => [true, undefined]));
    await Promise.all(lookers.map((rpc) => rpc.ok("new_session")));
  }
});

it("a session that was deleted and written again by another process is gone on with there", async () => {
  const pi = await start([say("one"), say("two")]);
  const manager = store(pi, "shared");
  const path = manager.getSessionFile() as string;
  manager.close();
  const [first, second] = [pi.rpc(["--session", path]), pi.rpc(["--session", path])];
  for (const rpc of [first, second]) await rpc.ok("get_state");
  rmSync(path);
  await first.run("mine");
  expect(first.stderr).toContain("was deleted while it was open; it was written again");
  first.child.stdin.end();
  await first.exit;
  await second.run("and mine");
  second.child.stdin.end();
  await second.exit;
  expect(readdirSync(folder(pi, pi.cwd))).toHaveLength(1);
  const again = SessionManager.open(path, undefined, undefined, { readOnly: true });
  expect(again.getStatistics().userMessages).toBe(3);
  expect(again.getBranch()).toHaveLength(again.getEntryCount());
});

it("what is found out when a session ends is said", async () => {
  const pi = await start([say("one")]);
  const rpc = pi.rpc();
  await rpc.run("hello");
  const { sessionFile } = await rpc.ok("get_state");
  rmSync(sessionFile);
  rpc.child.stdin.end();
  expect(await rpc.exit).toMatchObject({ code: 0 });
  expect(rpc.stderr).toContain("was deleted while it was open; it was written again");
  expect(existsSync(sessionFile)).toBe(true);
});

it("of several that want one new id at once, one gets it", async () => {
  const pi = await start([say("one"), say("two"), say("three"), say("four"), say("five"), say("six")]);
  store(pi, "source").close();
  for (const source of [[], ["--fork", "source"]]) {
    const id = `wanted-${source.length}`;
    const run = () => pi.pi([...source, "--session-id", id, "-p", "x"]);
    const runs = await Promise.all([run(), run(), run()]);
    const made = readdirSync(folder(pi, pi.cwd)).filter((name) => name.endsWith(`_${id}.jsonl`));
    expect(made).toHaveLength(1);
    // Without --fork, those who come later go on with it.
    expect(runs.filter(({ code }) => code === 0).length).toBeGreaterThanOrEqual(1);
    for (const { stderr } of runs.filter(({ code }) => code !== 0)) {
      expect(stderr).toMatch(/^Session (?:is in use by pid \d+ |already exists with id )/m);
    }
  }
});

it("export and clone of a session whose file was deleted have all of it", async () => {
  const pi = await start([say("one")]);
  const rpc = pi.rpc();
  await rpc.run("hello");
  const { sessionFile } = await rpc.ok("get_state");
  const target = join(pi.home, "out.html");
  rmSync(sessionFile);
  await rpc.ok("export_html", { outputPath: target });
  expect(existsSync(target)).toBe(true);
  expect(await rpc.ok("clone")).toMatchObject({ cancelled: false });
  expect((await rpc.ok("get_messages"))["messages"].length).toBeGreaterThanOrEqual(2);
});

describe("--session with a part of an id", () => {
  it("takes the last used of several and names the others", async () => {
    const pi = await start([say("answer")]);
    store(pi, "abc-1").close();
    await new Promise((resolve) => setTimeout(resolve, 15));
    store(pi, "abc-2").close();
    const run = await pi.pi(["--session", "abc", "-p", "x"]);
    expect(run).toMatchObject({ stdout: "answer\n", code: 0 });
    expect(run.stderr).toBe(
      "Warning: Several sessions match 'abc'. Using the last used one: abc-2. The others: abc-1\n",
    );
    expect(JSON.stringify(pi.server.requests[0]?.conversation)).toContain("said in abc-2");
  });

  it("of another project in the same folder: neither by its id nor by a part of it", async () => {
    const pi = await start([say("answer")]);
    const other = join(pi.home, "other");
    const flat = join(pi.home, "flat");
    mkdirSync(other);
    SessionManager.create(other, flat, { id: "far-away" }).appendMessage({ role: "user", content: "x", timestamp: 1 });
    const run = await pi.pi(["--session-dir", flat, "--session", "far", "-p", "x"]);
    expect(run).toMatchObject({ stdout: "", code: 0 });
    expect(run.stderr).toContain(`Session found in different project: ${other}\n`);
    const named = await pi.pi(["--session-dir", flat, "--session-id", "far-away", "-p", "x"]);
    expect(named.stderr).toContain("No project session found with id 'far-away'");
  });

  it("of another project: not without being asked", async () => {
    const pi = await start([say("answer")]);
    const other = join(pi.home, "other");
    mkdirSync(other);
    store(pi, "far-away", other).close();
    const question = `Session found in different project: ${other}\nFork this session into current directory? [y/N] `;
    const run = await pi.pi(["--session", "far", "-p", "x"]);
    expect(run).toMatchObject({ stdout: "", code: 0 });
    expect(run.stderr).toContain(question.trimEnd());
    expect(run.stderr).toMatch(/Aborted\.\n$/);
    expect(existsSync(folder(pi, pi.cwd))).toBe(false);
    const no = await pi.pi(["--session", "far", "-p", "x"], { stdin: "no\ny\n" });
    expect(no).toMatchObject({ stdout: "", code: 0, stderr: expect.stringMatching(/Aborted\.\n$/) });
    const rpc = pi.rpc(["--session", "far"]);
    rpc.send({ id: "1", type: "get_state" });
    expect(await rpc.exit).toEqual({ code: 1, signal: null });
    expect(rpc.stderr).toBe(
      `Session found in different project: ${other}. Copy it into the current directory with --fork far\n`,
    );
    expect(existsSync(folder(pi, pi.cwd))).toBe(false);
    expect(await pi.pi(["--fork", "far", "-p", "x"])).toMatchObject({ stdout: "answer\n", code: 0 });
    expect(JSON.stringify(pi.server.requests[0]?.conversation)).toContain("said in far-away");
    expect(readdirSync(folder(pi, pi.cwd))).toHaveLength(1);
  });
});

it.each([
  ["y\n", "x", "x"],
  ["YES\nmore ", "x", "morex"],
  ["y\nasked by pipe\n", "", "asked by pipe"],
])("--session of another project with %j piped: the first line is the answer", async (stdin, message, asked) => {
  const pi = await start([say("answer")]);
  const other = join(pi.home, "other");
  mkdirSync(other);
  store(pi, "far-away", other).close();
  const run = await pi.pi(["--session", "far", "-p", ...(message ? [message] : [])], { stdin });
  expect(run).toMatchObject({ stdout: "answer\n", code: 0 });
  expect(run.stderr).not.toContain("Aborted");
  const { conversation } = pi.server.requests[0] ?? {};
  expect(JSON.stringify(conversation)).toContain("said in far-away");
  expect(JSON.stringify(conversation)).toContain(`"${asked}"`);
});

it.skipIf(process.platform === "win32")(
  "a project folder that may not be read hides no session of others",
  async () => {
    const pi = await start([say("one"), say("two")]);
    for (const name of ["other", "secret"]) mkdirSync(join(pi.home, name));
    store(pi, "far-away", join(pi.home, "other")).close();
    store(pi, "hidden", join(pi.home, "secret")).close();
    pi.dropRights();
    const secret = folder(pi, join(pi.home, "secret"));
    chmodSync(secret, 0);
    const run = await pi.pi(["--fork", "far", "-p", "x"]);
    expect(run).toMatchObject({ stdout: "one\n", code: 0 });
    expect(run.stderr).toMatch(
      /^Warning: Session folder cannot be read: \S+ cannot be used with the rights of this user\n$/,
    );
    expect(await pi.pi(["--session", "nowhere", "-p", "x"])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/No session found matching 'nowhere'\n/),
    });
  },
);

it("a directory that is gone is named with the session", async () => {
  const pi = await start();
  const gone = join(pi.home, "gone");
  const path = pi.write(
    "s.jsonl",
    `${JSON.stringify({ type: "session", version: 3, id: "s", timestamp: "2026-11-30T08:00:00.000Z", cwd: gone })}\n`,
  );
  expect(await pi.pi(["--session", path, "-p", "x"])).toMatchObject({
    stdout: "",
    stderr: `Stored session working directory does not exist: ${gone}\nSession file: ${path}\nCurrent working directory: ${pi.cwd}\nGo on with a copy of it in the current directory: pi --fork ${path}\n`,
    code: 1,
  });
});

it("a torn last line is said once", async () => {
  const pi = await start([say("one"), say("two")]);
  const manager = store(pi, "torn");
  manager.close();
  const path = manager.getSessionFile() as string;
  writeFileSync(path, `${readFileSync(path, "utf8")}{"type":"mess`);
  const first = await pi.pi(["--session", "torn", "-p", "x"]);
  expect(first).toMatchObject({ stdout: "one\n", code: 0 });
  expect(first.stderr).toMatch(/^Warning: The last line of the session file was cut off and is left out: .*\n$/);
  expect(await pi.pi(["--session", "torn", "-p", "x"])).toMatchObject({ stdout: "two\n", stderr: "", code: 0 });
});

describe("a session file that is cut while RPC mode has it open", () => {
  it.each([
    ["to nothing", () => 0],
    ["in the first message", () => 700],
    ["in the last line", (size: number) => size - 30],
  ])("%s: reading is refused, the process lives and goes on", async (_, cutTo) => {
    const pi = await start([say("one"), say("two"), say("three")]);
    const rpc = pi.rpc([]);
    await rpc.run("first");
    await rpc.run("second");
    const path: string = (await rpc.ok("get_state"))["sessionFile"];
    truncateSync(path, cutTo(statSync(path).size));
    for (const type of ["get_entries", "get_tree"]) {
      const refusal = { success: false, error: expect.stringContaining(`${path} has become shorter`) };
      expect(await rpc.call(type)).toMatchObject(refusal);
    }
    expect(await rpc.call("clone")).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Cannot fork: entry \S+ is not in the session file any more.*Send a message first/),
    });
    await rpc.run("third");
    expect((await rpc.ok("get_entries"))["entries"].length).toBeGreaterThan(2);
    expect(rpc.garbage).toEqual([]);
    rpc.child.stdin.end();
    expect(await rpc.exit).toEqual({ code: 0, signal: null });
  });
});

it.each(["--session", "--fork"])("an empty %s names no session, though every id begins so", async (option) => {
  const pi = await start([]);
  store(pi, "some").close();
  expect(await pi.pi([option, "", "-p", "x"])).toMatchObject({
    stdout: "",
    stderr: expect.stringMatching(/^No session found matching ''\n/),
    code: 1,
  });
});

it("export_html takes `~` and file URLs, and leaves nothing behind where it fails", async () => {
  const pi = await start([say("one")]);
  const rpc = pi.rpc([], { HOME: pi.home });
  await rpc.run("first");
  const url = pathToFileURL(join(pi.home, "url.html")).href;
  for (const outputPath of ["~/tilde.html", url]) await rpc.ok("export_html", { outputPath });
  expect(existsSync(join(pi.home, "tilde.html"))).toBe(true);
  expect(existsSync(join(pi.home, "url.html"))).toBe(true);
  const refused = await rpc.call("export_html", { outputPath: pi.cwd });
  expect(refused["error"]).toBe(`Cannot write ${pi.cwd}: it is a directory. Name a file.`);
  expect(readdirSync(pi.cwd)).toEqual([]);
  expect(readdirSync(pi.home).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

describe("names that would steer a terminal", () => {
  const dirty = "\u001b]0;owned\u0007My\nsession\u001b[2J \u009b31m";

  it("are stored without what does", async () => {
    const pi = await start([say("one")]);
    expect(await pi.pi(["--name", dirty, "-p", "x"])).toMatchObject({ code: 0 });
    expect(pi.sessionEntries().find(({ type }) => type === "session_info")).toMatchObject({ name: "My session" });
    const rpc = pi.rpc(["--continue"]);
    await rpc.ok("set_session_name", { name: `${dirty}2` });
    expect(await rpc.ok("get_state")).toMatchObject({ sessionName: "My session 2" });
  });

  it("and are none when nothing is left", async () => {
    const pi = await start([]);
    const run = await pi.pi(["--name", "\u001b[2J", "-p", "x"]);
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining("Error: --name requires a non-empty value") });
    const rpc = pi.rpc();
    expect(await rpc.call("set_session_name", { name: "\u001b[2J" })).toMatchObject({
      success: false,
      error: "Session name cannot be empty",
    });
  });
});
