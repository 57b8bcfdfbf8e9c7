import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importedManager } from "./import-session.js";
import { exportSessionJsonl, importSessionFile } from "./session-jsonl.js";
import { SessionManager } from "./session-manager.js";
import type { FileEntry, SessionEntry } from "./session-store/entries.js";
import { SessionImportFileNotFoundError } from "./session-store/session-errors.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "pi-operations-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const user = (text: string): AgentMessage => ({ role: "user", content: [{ type: "text", text }], timestamp: 1 });
const linesOf = (path: string) => readFileSync(path, "utf8").split("\n").slice(0, -1);
const idsOf = (entries: readonly SessionEntry[]) => entries.map(({ id }) => id);
const fileOf = (manager: SessionManager) => manager.getSessionFile() as string;

describe("createBranchedSession (sessions.md section 3)", () => {
  function tree(manager: SessionManager) {
    const a = manager.appendMessage(user("a"));
    const label = manager.appendLabelChange(a, "first");
    const b = manager.appendMessage(user("b"));
    const compaction = manager.appendCompaction("S", label, 5);
    const c = manager.appendMessage(user("c"));
    manager.branch(a);
    manager.appendMessage(user("elsewhere"));
    return { a, label, b, compaction, c };
  }

  it("keeps the bytes of lines of later versions, but for the parent that is no label", () => {
    const time = "2026-11-30T08:00:00.000Z";
    const line = (id: string, parentId: string | null, rest: string) =>
      `{"type":"later", "id":"${id}","parentId":${JSON.stringify(parentId)},"timestamp":"${time}",${rest}}`;
    const message = JSON.stringify({ role: "user", content: "q", timestamp: 1 });
    const lines = [
      JSON.stringify({ type: "session", version: 3, id: "s", timestamp: time, cwd: "/tmp" }),
      `{"type":"message","id":"a","parentId":null,"timestamp":"${time}","message":${message}}`,
      `{"type":"label","id":"l","parentId":"a","timestamp":"${time}","targetId":"a","label":"here"}`,
      line("b", "l", '"big":12345678901234567890,"x":1.0,"x":2'),
      line("c", "b", '"n": 1.50'),
    ];
    const source = join(dir, "later.jsonl");
    writeFileSync(source, `${lines.join("\n")}\n`);
    const manager = SessionManager.open(source);
    manager.createBranchedSession("c");
    const [, first, second, third] = linesOf(fileOf(manager));
    expect([first, second, third]).toEqual([lines[1], lines[3]?.replace('"parentId":"l"', '"parentId":"a"'), lines[4]]);
  });

  it("keeps one branch, without its labels in the chain, and goes on there", () => {
    const manager = SessionManager.create("/tmp", dir);
    const { a, label, b, compaction, c } = tree(manager);
    const source = fileOf(manager);
    const before = readFileSync(source, "utf8");
    const labelled = manager.getEntry(label);
    expect(manager.createBranchedSession(c)).toBe(fileOf(manager));
    expect(readFileSync(source, "utf8")).toBe(before);
    expect(fileOf(manager)).not.toBe(source);
    expect(manager.getHeader()?.parentSession).toBe(source);
    const entries = manager.getEntries();
    expect(idsOf(entries.slice(0, 4))).toEqual([a, b, compaction, c]);
    expect(entries.map(({ parentId }) => parentId)).toEqual([null, a, b, compaction, c]);
    // What it kept from was a label: it keeps from the entry behind it.
    expect(entries[2]).toMatchObject({ firstKeptEntryId: b });
    expect(entries[4]).toMatchObject({ type: "label", targetId: a, label: "first", timestamp: labelled?.timestamp });
    expect(entries[4]?.id).not.toBe(label);
    expect(manager.getLabel(a)).toBe("first");
    const id = manager.appendMessage(user("next"));
    expect(idsOf(SessionManager.open(fileOf(manager)).getEntries())).toEqual([...idsOf(entries), id]);
    // The first line needed no change.
    expect(linesOf(fileOf(manager))[1]).toBe(linesOf(source)[1]);
  });

  it("is written with the first message when nobody has spoken", () => {
    const manager = SessionManager.create("/tmp", dir);
    const model = manager.appendModelChange("m", "m1");
    manager.appendMessage(user("x"));
    manager.createBranchedSession(model);
    expect(existsSync(fileOf(manager))).toBe(false);
    manager.appendMessage(user("y"));
    expect(linesOf(fileOf(manager))).toHaveLength(3);
  });

  it("in memory has no path; an unknown leaf is named", () => {
    const manager = SessionManager.inMemory("/tmp");
    const { c } = tree(manager);
    expect(manager.createBranchedSession(c)).toBeUndefined();
    expect(manager.getBranch()).toHaveLength(5);
    expect(() => manager.createBranchedSession("nope")).toThrow("Entry nope not found");
  });
});

describe("what moves the leaf and edits the context", () => {
  it("branchWithSummary names the leaf that was left", () => {
    const manager = SessionManager.inMemory("/tmp");
    const a = manager.appendMessage(user("a"));
    const b = manager.appendMessage(user("b"));
    const summary = manager.branchWithSummary(a, "about b", { readFiles: [] }, false);
    expect(manager.getEntry(summary)).toMatchObject({ parentId: a, fromId: b, summary: "about b", fromHook: false });
    manager.resetLeaf();
    expect(manager.getEntry(manager.branchWithSummary(null, "x"))).toMatchObject({ parentId: null, fromId: "root" });
    expect(() => manager.branchWithSummary("nope", "x")).toThrow("Entry nope not found");
  });

  it("appendCompaction stores the system prompt of the moment", () => {
    const manager = SessionManager.inMemory("/tmp");
    manager.appendMessage({ role: "system", content: "", sections: { preamble: "P", old: "O" }, timestamp: 1 });
    manager.appendMessage({ role: "system", content: "", sections: { old: null }, timestamp: 2 });
    const kept = manager.appendMessage(user("kept"));
    const compaction = manager.appendCompaction("S", kept, 9);
    const entry = manager.getEntry(compaction);
    expect(entry).toMatchObject({
      firstKeptEntryId: kept,
      systemMessage: { role: "system", sections: { preamble: "P" }, timestamp: Date.parse(entry?.timestamp ?? "") },
    });
    expect(manager.buildSessionContext().messages.map(({ role }) => role)).toEqual([
      "system",
      "compactionSummary",
      "user",
    ]);
    const empty = manager.appendCompaction("T", null, 9);
    expect(manager.getEntry(empty)).toMatchObject({ firstKeptEntryId: empty });
    expect(manager.getContextMessageCount()).toBe(2);
  });

  it("appendContextEdit says what cannot be edited", () => {
    const manager = SessionManager.inMemory("/tmp");
    const model = manager.appendModelChange("m", "m1");
    const a = manager.appendMessage(user("a"));
    const b = manager.appendMessage(user("b"));
    expect(() => manager.appendContextEdit(a, {} as never)).toThrow(
      "Context edit replacement must be null or contain string/array content",
    );
    expect(() => manager.appendContextEdit("nope", null)).toThrow("Entry nope not found");
    expect(() => manager.appendContextEdit(model, null)).toThrow(
      `Entry ${model} does not contribute editable model content`,
    );
    manager.branch(a);
    expect(() => manager.appendContextEdit(b, null)).toThrow(`Entry ${b} is not on the active branch`);
    manager.appendContextEdit(a, { content: "edited" });
    expect(manager.buildSessionContext().messages).toMatchObject([{ role: "user", content: "edited" }]);
  });

  it("a session that is for reading only can be branched and left", () => {
    const source = SessionManager.create("/tmp", dir);
    const a = source.appendMessage(user("a"));
    const open = () => SessionManager.open(fileOf(source), undefined, undefined, { readOnly: true });
    const branched = open();
    expect(() => branched.appendMessage(user("x"))).toThrow(/for reading only \(as asked for\)/);
    branched.createBranchedSession(a);
    branched.appendMessage(user("x"));
    const left = open();
    left.newSession();
    left.appendMessage(user("y"));
    expect(source.getEntryCount()).toBe(1);
    expect(linesOf(fileOf(source))).toHaveLength(2);
  });

  it("newSession and setSessionFile begin anew and go on elsewhere", () => {
    const manager = SessionManager.create("/tmp", dir);
    manager.appendMessage(user("old"));
    const first = fileOf(manager);
    const second = manager.newSession({ id: "second", parentSession: first });
    expect(second).toMatch(/_second\.jsonl$/);
    expect(manager.getEntryCount()).toBe(0);
    expect(manager.getHeader()).toMatchObject({ id: "second", parentSession: first });
    expect(existsSync(`${first}.lock`)).toBe(false);
    manager.setSessionFile(first);
    expect(manager.getEntryCount()).toBe(1);
    expect(() => manager.setSessionFile(dir)).toThrow(/is a directory/);
    expect(manager.getSessionFile()).toBe(first);
  });
});

describe("export and import (sessions.md sections 4 and 8)", () => {
  it("exports the active branch as one chain with the same id", () => {
    const manager = SessionManager.create("/tmp", dir);
    const a = manager.appendMessage(user("a"));
    manager.appendMessage(user("left"));
    manager.branch(a);
    const c = manager.appendMessage(user("c"));
    const path = exportSessionJsonl(manager, join(dir, "out", "x.jsonl"));
    const exported = SessionManager.open(path);
    expect(exported.getSessionId()).toBe(manager.getSessionId());
    expect(exported.getEntries()).toEqual([manager.getEntry(a), manager.getEntry(c)]);
    expect(exported.getHeader()).not.toHaveProperty("parentSession");
  });

  it.each<[string, (file: string) => string]>([
    ["as it is", (file) => file],
    ["spelt otherwise", (file) => join(dir, ".").concat("/./", basename(file))],
    [
      "by a link",
      (file) => {
        symlinkSync(file, join(dir, "link.jsonl"));
        return join(dir, "link.jsonl");
      },
    ],
  ])("does not export over the session's own file, %s: its other branches would be lost", (_, target) => {
    const manager = SessionManager.create("/tmp", dir);
    const a = manager.appendMessage(user("a"));
    manager.appendMessage(user("left"));
    manager.branch(a);
    const before = readFileSync(fileOf(manager), "utf8");
    const path = target(fileOf(manager));
    expect(() => exportSessionJsonl(manager, path)).toThrow(`Cannot export a session over its own file: ${path}`);
    expect(readFileSync(fileOf(manager), "utf8")).toBe(before);
  });

  it("leaves nothing behind where a folder is in the way", () => {
    const manager = SessionManager.create("/tmp", dir);
    manager.appendMessage(user("a"));
    mkdirSync(join(dir, "folder"));
    const before = readdirSync(dir);
    const path = join(dir, "folder");
    expect(() => exportSessionJsonl(manager, path)).toThrow(`Cannot write ${path}: it is a directory. Name a file.`);
    expect(readdirSync(dir)).toEqual(before);
  });

  it.each<[string, string, RegExp]>([
    ["no session", "hello\n", /not a valid pi session/],
    ["an empty file", "", /not a valid pi session/],
    [
      "a session whose directory is gone",
      `${JSON.stringify({ type: "session", version: 1, id: "s", cwd: "/gone/away" })}\n`,
      /does not exist: \/gone\/away/,
    ],
  ])("%s is refused under the name it was given, and nothing is left of it", (_, text, reason) => {
    const sessions = join(dir, "sessions");
    mkdirSync(sessions);
    const path = join(dir, "bad.jsonl");
    writeFileSync(path, text);
    let error: Error | undefined;
    try {
      importedManager(path, sessions, undefined, dir);
    } catch (thrown) {
      error = thrown as Error;
    }
    expect(error?.message).toMatch(reason);
    expect(error?.message).toContain(path);
    expect(error?.message).not.toContain(sessions);
    expect(readdirSync(sessions)).toEqual([]);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("imports a copy under a free name, or what lies there already", () => {
    const sessions = join(dir, "sessions");
    const path = join(dir, "x.jsonl");
    expect(() => importSessionFile(path, sessions)).toThrow(SessionImportFileNotFoundError);
    expect(() => importSessionFile(path, sessions)).toThrow(`File not found: ${path}`);
    writeFileSync(path, "{}\n");
    expect(importSessionFile(path, sessions)).toEqual({ path: join(sessions, "x.jsonl"), isCopy: true });
    expect(importSessionFile(path, sessions)).toEqual({ path: join(sessions, "x-1.jsonl"), isCopy: true });
    // Nothing is waited for, and what is there is said.
    symlinkSync(join(dir, "loop"), join(dir, "loop"));
    expect(() => importSessionFile(join(dir, "loop"), sessions)).toThrow("it is a link that leads in circles");
    const there = join(sessions, "x.jsonl");
    expect(importSessionFile(there, sessions)).toEqual({ path: there, isCopy: false });
  });
});

describe("lists (sessions.md section 9)", () => {
  it("say what a session is about, the last used first", async () => {
    const header = { type: "session", version: 3, cwd: "/p", timestamp: "2026-11-30T08:00:00.000Z" };
    const lines: object[] = [
      { ...header, id: "one", parentSession: "/parent.jsonl" },
      { type: "session_info", id: "1", parentId: null, timestamp: header.timestamp, name: " Named " },
      { type: "message", id: "2", parentId: "1", timestamp: header.timestamp, message: { role: "user", content: "" } },
      {
        type: "message",
        id: "3",
        parentId: "2",
        timestamp: header.timestamp,
        message: {
          role: "user",
          content: [{ type: "text", text: "ask" }, { type: "image" }, { type: "text", text: "x" }],
          timestamp: 5e12,
        },
      },
      {
        type: "message",
        id: "4",
        parentId: "3",
        timestamp: header.timestamp,
        message: { role: "toolResult", toolCallId: "c", content: [{ type: "text", text: "unsaid" }], timestamp: 9e12 },
      },
      {
        type: "message",
        id: "5",
        parentId: "4",
        timestamp: header.timestamp,
        message: { role: "assistant", content: "said", timestamp: 4e12 },
      },
    ];
    writeFileSync(join(dir, "a.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    writeFileSync(join(dir, "b.jsonl"), `${JSON.stringify({ ...header, id: "two" })}\n`);
    writeFileSync(join(dir, "c.jsonl"), `${JSON.stringify({ ...header, id: "three", cwd: "/other" })}\n`);
    writeFileSync(join(dir, "d.jsonl"), "no session\n");
    // Without entries the time of the file counts.
    for (const [name, seconds] of Object.entries({ b: 2, c: 1 }))
      utimesSync(join(dir, `${name}.jsonl`), seconds, seconds);
    const partial: number[] = [];
    const found = await SessionManager.list("/p", dir, (loaded, total, sessions) => {
      expect(total).toBe(4);
      if (sessions) partial.push(loaded);
    });
    expect(partial).toEqual([1, 4]);
    expect(found).toEqual([
      {
        path: join(dir, "a.jsonl"),
        id: "one",
        cwd: "/p",
        name: "Named",
        parentSessionPath: "/parent.jsonl",
        created: new Date(header.timestamp),
        modified: new Date(5e12),
        messageCount: 4,
        firstMessage: "ask x",
        allMessagesText: "ask x said",
      },
      expect.objectContaining({ id: "two", messageCount: 0, firstMessage: "(no messages)", allMessagesText: "" }),
    ]);
    expect((await SessionManager.listAll(dir)).map(({ id }) => id)).toEqual(["one", "two", "three"]);
    expect(await SessionManager.list("/p", join(dir, "missing"))).toEqual([]);
    const reason = new Error("enough");
    await expect(SessionManager.list("/p", dir, undefined, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it("the last entry decides what is continued, not the time of the file", () => {
    const first = SessionManager.create("/p", dir, { id: "first" });
    first.appendMessage(user("x"));
    const second = SessionManager.create("/p", dir, { id: "second" });
    while (Date.now() <= Date.parse(first.getLeafEntry()?.timestamp ?? ""));
    second.appendMessage(user("y"));
    utimesSync(fileOf(second), 1, 1);
    expect(SessionManager.continueRecent("/p", dir).getSessionId()).toBe("second");
  });

  it("sessions of a directory whose folder has the same name are left out", async () => {
    const shared = join(dir, "agent", "sessions", "--a-b--");
    mkdirSync(shared, { recursive: true });
    for (const [name, cwd] of Object.entries({ own: "/a/b", collision: "/a-b", imported: "/elsewhere" })) {
      const header = { type: "session", version: 3, id: name, timestamp: "2026-11-30T08:00:00.000Z", cwd };
      writeFileSync(join(shared, `${name}.jsonl`), `${JSON.stringify(header)}\n`);
    }
    const before = process.env["PI_CODING_AGENT_DIR"];
    process.env["PI_CODING_AGENT_DIR"] = join(dir, "agent");
    try {
      expect((await SessionManager.list("/a/b")).map(({ id }) => id).sort()).toEqual(["imported", "own"]);
      expect(await SessionManager.listAll()).toHaveLength(3);
    } finally {
      if (before === undefined) delete process.env["PI_CODING_AGENT_DIR"];
      else process.env["PI_CODING_AGENT_DIR"] = before;
    }
  });
});

/** The examples of sessions.md section 10. */
const examples = {
  turns: `{"type":"session","version":3,"id":"01a22b90-ffcf-7780-9f56-f1907850fabd","timestamp":"2026-11-30T08:27:32.689Z","cwd":"/home/me/proj"}
{"type":"session_info","id":"4d123fcf","parentId":null,"timestamp":"2026-11-30T08:27:32.690Z","name":"Demo"}
{"type":"model_change","id":"aee6256e","parentId":"4d123fcf","timestamp":"2026-11-30T08:27:32.881Z","provider":"m","modelId":"m1"}
{"type":"thinking_level_change","id":"f36a1092","parentId":"aee6256e","timestamp":"2026-11-30T08:27:32.881Z","thinkingLevel":"off"}
{"type":"message","id":"04b5a238","parentId":"f36a1092","timestamp":"2026-11-30T08:27:32.911Z","message":{"role":"system","content":"","sections":{"preamble":"You are …"},"timestamp":1796027252907,"toolsAdded":[{"name":"read","description":"Read","parameters":{"type":"object"}}]}}
{"type":"message","id":"36cbe3ea","parentId":"04b5a238","timestamp":"2026-11-30T08:27:32.913Z","message":{"role":"user","content":[{"type":"text","text":"Read notes.txt"}],"timestamp":1796027252907}}
{"type":"message","id":"45b3f450","parentId":"36cbe3ea","timestamp":"2026-11-30T08:27:33.285Z","message":{"role":"assistant","content":[{"type":"text","text":"Reading it."},{"type":"toolCall","id":"call_1","name":"read","arguments":{"path":"notes.txt"}}],"api":"x","provider":"m","model":"m1","usage":{"input":1200,"output":15,"cacheRead":0,"cacheWrite":0,"totalTokens":1215,"cost":{"input":0.0012,"output":0.00003,"cacheRead":0,"cacheWrite":0,"total":0.00123,"totalFromProvider":false}},"stopReason":"toolUse","timestamp":1796027253156,"rawStopReason":"tool_calls","durationMs":126,"thinkingLevel":"off"}}
{"type":"message","id":"dfe7baab","parentId":"45b3f450","timestamp":"2026-11-30T08:27:33.298Z","message":{"role":"toolResult","toolCallId":"call_1","toolName":"read","content":[{"type":"text","text":"hello notes\\n"}],"isError":false,"durationMs":7,"timestamp":1796027253298}}
{"type":"message","id":"cef1c00b","parentId":"dfe7baab","timestamp":"2026-11-30T08:27:33.348Z","message":{"role":"assistant","content":[{"type":"text","text":"Answer 2."}],"api":"x","provider":"m","model":"m1","usage":{"input":9,"output":1,"cacheRead":0,"cacheWrite":0,"totalTokens":10,"cost":{"total":0}},"stopReason":"stop","timestamp":1796027253312}}
`,
  overflow: `{"type":"session","version":3,"id":"01a22b92-54db-75bd-875b-9d810a5a67ec","timestamp":"2026-11-30T08:28:59.996Z","cwd":"/home/me/proj"}
{"type":"message","id":"2f7f1065","parentId":null,"timestamp":"2026-11-30T08:29:00.395Z","message":{"role":"system","content":"","sections":{"preamble":"You are …"},"timestamp":1796027340364}}
{"type":"message","id":"37570988","parentId":"2f7f1065","timestamp":"2026-11-30T08:29:00.395Z","message":{"role":"user","content":[{"type":"text","text":"first"}],"timestamp":1796027340363}}
{"type":"message","id":"cdc9e03e","parentId":"37570988","timestamp":"2026-11-30T08:29:01.318Z","message":{"role":"assistant","content":[{"type":"text","text":"Answer 18."}],"api":"x","provider":"m","model":"m1","usage":{"input":9,"output":1,"cacheRead":0,"cacheWrite":0,"totalTokens":10,"cost":{"total":0}},"stopReason":"stop","timestamp":1796027341023}}
{"type":"message","id":"d724dd31","parentId":"cdc9e03e","timestamp":"2026-11-30T08:29:01.326Z","message":{"role":"user","content":[{"type":"text","text":"too much"}],"timestamp":1796027341324}}
{"type":"message","id":"4997392e","parentId":"d724dd31","timestamp":"2026-11-30T08:29:01.422Z","message":{"role":"assistant","content":[],"api":"x","provider":"m","model":"m1","usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"total":0}},"stopReason":"error","timestamp":1796027341328,"errorMessage":"prompt is too long: 213462 tokens > 200000 maximum"}}
{"type":"context_edit","id":"fc6317c1","parentId":"4997392e","timestamp":"2026-11-30T08:29:01.434Z","targetId":"4997392e","replacement":null}
{"type":"compaction","id":"245a638c","parentId":"fc6317c1","timestamp":"2026-11-30T08:29:01.569Z","summary":"…","firstKeptEntryId":"cdc9e03e","tokensBefore":1357,"details":{"readFiles":[],"modifiedFiles":[]},"fromHook":false,"systemMessage":{"role":"system","content":"","sections":{"preamble":"You are …"},"timestamp":1796027341569}}
{"type":"message","id":"df93ee6b","parentId":"245a638c","timestamp":"2026-11-30T08:29:01.677Z","message":{"role":"assistant","content":[{"type":"text","text":"Answer 21."}],"api":"x","provider":"m","model":"m1","usage":{"input":9,"output":1,"cacheRead":0,"cacheWrite":0,"totalTokens":10,"cost":{"total":0}},"stopReason":"stop","timestamp":1796027341587}}
`,
};

describe("the examples of the format (sessions.md section 10)", () => {
  it.each(Object.entries(examples))("%s: load field for field, and unknown ones stay byte for byte", (_name, text) => {
    const path = join(dir, "example.jsonl");
    const odd = '{ "type":"later", "x":[1 , 2],"id":"u1","parentId":"none","timestamp":"2026-11-30T08:30:00.000Z" }\n';
    writeFileSync(path, text + odd);
    const lines = (text + odd)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as FileEntry);
    const manager = SessionManager.open(path);
    expect(manager.getHeader()).toEqual(lines[0]);
    expect(manager.getEntries().slice(0, -1)).toEqual(lines.slice(1, -1));
    const fork = SessionManager.forkFrom(path, "/", dir);
    expect(readFileSync(fileOf(fork), "utf8").split("\n").slice(1).join("\n")).toBe(
      (text + odd).split("\n").slice(1).join("\n"),
    );
    manager.appendMessage(user("more"));
    expect(readFileSync(path, "utf8").startsWith(text + odd)).toBe(true);
    expect(readdirSync(dir).filter((name) => name.includes(".torn"))).toEqual([]);
  });

  it("figures, name and context of the turns", () => {
    const path = join(dir, "turns.jsonl");
    writeFileSync(path, examples.turns);
    const manager = SessionManager.open(path);
    expect(manager.getSessionName()).toBe("Demo");
    expect(manager.getStatistics()).toEqual({
      totalMessages: 5,
      userMessages: 1,
      assistantMessages: 2,
      toolResults: 1,
      toolCalls: 1,
      tokens: { input: 1209, output: 16, cacheRead: 0, cacheWrite: 0, total: 1225 },
      cost: 0.00123,
    });
    expect(manager.getContextModel()).toEqual({ provider: "m", modelId: "m1" });
  });

  it("context after overflow and compaction", () => {
    const path = join(dir, "overflow.jsonl");
    writeFileSync(path, examples.overflow);
    const manager = SessionManager.open(path);
    expect(manager.buildContextEntries().map(({ id }) => id)).toEqual([
      "245a638c",
      "cdc9e03e",
      "d724dd31",
      "4997392e",
      "fc6317c1",
      "df93ee6b",
    ]);
    const roles = manager.buildSessionContext().messages.map(({ role }) => role);
    expect(roles).toEqual(["system", "compactionSummary", "assistant", "user", "assistant"]);
  });

  it("what we write has their shape", () => {
    const manager = SessionManager.create("/tmp", dir);
    manager.appendSessionInfo("Demo");
    manager.appendModelChange("m", "m1");
    manager.appendThinkingLevelChange("off");
    manager.appendMessage(user("x"));
    const shapes = linesOf(fileOf(manager)).map((line) => Object.keys(JSON.parse(line)));
    expect(shapes).toEqual([
      ["type", "version", "id", "timestamp", "cwd"],
      ["type", "id", "parentId", "timestamp", "name"],
      ["type", "id", "parentId", "timestamp", "provider", "modelId"],
      ["type", "id", "parentId", "timestamp", "thinkingLevel"],
      ["type", "id", "parentId", "timestamp", "message"],
    ]);
  });
});

it("a link that leads in circles hides no session", async () => {
  const manager = SessionManager.create("/tmp", dir);
  manager.appendMessage(user("a"));
  symlinkSync("circle.jsonl", join(dir, "circle.jsonl"));
  const path = fileOf(manager);
  expect((await SessionManager.list("/tmp", dir)).map((info) => info.path)).toEqual([path]);
  expect(SessionManager.findById("/tmp", manager.getSessionId(), dir)).toBe(path);
  expect(fileOf(SessionManager.continueRecent("/tmp", dir))).toBe(path);
});
