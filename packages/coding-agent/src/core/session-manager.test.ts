import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SessionManager } from "./session-manager.js";
import type { SessionEntry } from "./session-store/entries.js";
import { encodeCwd } from "./session-store/paths.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "pi-session-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const user = (text: string): AgentMessage => ({ role: "user", content: [{ type: "text", text }], timestamp: 1 });
const assistant = (text: string): AgentMessage => ({
  role: "assistant",
  content: [{ type: "text", text }],
  api: "x",
  provider: "m",
  model: "m1",
  usage: {
    input: 1,
    output: 1,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 2,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "stop",
  timestamp: 1,
});
/** A disk that is full after so many bytes. Returns a function that makes room again. */
function failWrites(bytes: number): () => void {
  const { writeSync } = fs;
  let isFull = false;
  fs.writeSync = ((descriptor: number, buffer: Uint8Array, offset: number) => {
    if (isFull || bytes === 0)
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    isFull = true;
    return writeSync(descriptor, buffer, offset, bytes);
  }) as typeof writeSync;
  syncBuiltinESMExports();
  return () => {
    fs.writeSync = writeSync;
    syncBuiltinESMExports();
  };
}

const linesOf = (path: string) => readFileSync(path, "utf8").split("\n").slice(0, -1);
const fileOf = (manager: SessionManager) => manager.getSessionFile() as string;

describe("folder names (sessions.md section 1)", () => {
  it.each([
    ["/home/me/proj", "--home-me-proj--"],
    ["/a/b:c", "--a-b-c--"],
  ])("%s", (cwd, name) => {
    expect(encodeCwd(cwd)).toBe(name);
  });
});

describe("when the file is written (sessions.md section 1)", () => {
  it("comes with the first user or assistant message, with all entries so far", () => {
    const manager = SessionManager.create("/tmp", dir);
    manager.appendModelChange("m", "m1");
    manager.appendMessage({ role: "system", content: "", timestamp: 1 });
    expect(readdirSync(dir)).toEqual([]);
    manager.appendMessage(user("hi"));
    const file = fileOf(manager);
    expect(linesOf(file).map((line) => JSON.parse(line).type)).toEqual([
      "session",
      "model_change",
      "message",
      "message",
    ]);
    manager.appendMessage(assistant("yo"));
    expect(linesOf(file)).toHaveLength(5);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(file).toMatch(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_[0-9a-f-]{36}\.jsonl$/);
  });

  it("entries link to the one before and load field for field", () => {
    const manager = SessionManager.create("/tmp", dir);
    manager.appendMessage(user("one"));
    manager.appendMessage(assistant("two"));
    manager.appendCustomEntry("note", { a: 1 });
    const loaded = SessionManager.open(fileOf(manager));
    expect(loaded.getEntries()).toEqual(manager.getEntries());
    expect(loaded.getHeader()).toEqual(manager.getHeader());
    expect(loaded.getLeafId()).toBe(manager.getLeafId());
    const [first, second] = manager.getEntries();
    expect(first?.parentId).toBeNull();
    expect(second?.parentId).toBe(first?.id);
    expect(first?.id).toMatch(/^[0-9a-f]{8}$/);
  });

  it.each([0, 40])("a write that fails after %s bytes leaves no bytes, and the entry in memory", (written) => {
    const manager = SessionManager.create("/tmp", dir);
    manager.appendMessage(user("one"));
    const file = fileOf(manager);
    const before = readFileSync(file, "utf8");
    const restore = failWrites(written);
    try {
      expect(() => manager.appendMessage(assistant("two"))).toThrow(/ENOSPC/);
    } finally {
      restore();
    }
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(manager.getLeafEntry()).toMatchObject({ type: "message", message: assistant("two") });
    manager.appendMessage(assistant("space again"));
    expect(manager.getEntryCount()).toBe(3);
    expect(SessionManager.open(file).getEntries()).toEqual(manager.getEntries());
  });

  it("sessions in memory have no file", () => {
    const manager = SessionManager.inMemory("/tmp");
    manager.appendMessage(user("one"));
    expect(manager.getSessionFile()).toBeUndefined();
    expect(manager.buildSessionContext().messages).toHaveLength(1);
  });
});

describe("loading", () => {
  const header = { type: "session", version: 3, id: "s1", timestamp: "2026-11-30T08:27:32.689Z", cwd: "/tmp" };
  const entry = (id: string, parentId: string | null, text: string) => ({
    type: "message",
    id,
    parentId,
    timestamp: "2026-11-30T08:27:32.913Z",
    message: user(text),
  });
  const write = (text: string) => {
    const path = join(dir, "s.jsonl");
    writeFileSync(path, text);
    return path;
  };
  const jsonl = (...lines: object[]) => `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;

  it("skips lines it cannot parse and keeps unknown entries", () => {
    const text = `${jsonl(header, entry("a", null, "1"))}{"torn\n\n${jsonl({ type: "future", id: "b", parentId: "a", timestamp: "2026-11-30T08:27:33.000Z", x: [1] }, entry("c", "b", "2"))}`;
    const manager = SessionManager.open(write(text));
    expect(manager.getEntries().map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(manager.getEntry("b")).toMatchObject({ type: "future", x: [1] });
    expect(manager.buildSessionContext().messages).toHaveLength(2);
  });

  it("a torn last line cannot swallow the next entry", () => {
    const path = write(`${jsonl(header, entry("a", null, "1"))}{"type":"message","id":"b","par`);
    const manager = SessionManager.open(path);
    manager.appendMessage(assistant("next"));
    const again = SessionManager.open(path);
    expect(again.getEntries()).toHaveLength(2);
    expect(again.getLeafEntry()?.parentId).toBe("a");
  });

  it("refuses what is no session and does not touch it", () => {
    const path = write('{"hello":1}\n');
    expect(() => SessionManager.open(path)).toThrow(`Session file is not a valid pi session: ${path}`);
    expect(readFileSync(path, "utf8")).toBe('{"hello":1}\n');
  });

  it("migrates version 1 into a tree with one branch", () => {
    const old = [
      { ...header, version: undefined },
      { type: "message", timestamp: "2026-11-30T08:27:32.913Z", message: user("1") },
      {
        type: "message",
        timestamp: "2026-11-30T08:27:32.914Z",
        message: { role: "hookMessage", customType: "x", content: "c", display: true, timestamp: 1 },
      },
      {
        type: "compaction",
        timestamp: "2026-11-30T08:27:32.915Z",
        summary: "s",
        firstKeptEntryIndex: 2,
        tokensBefore: 1,
      },
    ];
    const path = write(jsonl(...old));
    const manager = SessionManager.open(path);
    const entries = manager.getEntries();
    expect(entries[1]?.parentId).toBe(entries[0]?.id);
    expect(entries[2]).toMatchObject({ firstKeptEntryId: entries[1]?.id });
    expect(manager.buildSessionContext().messages.map(({ role }) => role)).toEqual(["compactionSummary", "custom"]);
    // The file itself is in the current version before anything is appended to it.
    expect(JSON.parse(linesOf(path)[0] ?? "").version).toBe(3);
    expect(SessionManager.open(path).getEntries()).toEqual(entries);
  });
});

describe("context (sessions.md section 2)", () => {
  it("leaves out what a compaction summarised and applies edits", () => {
    const manager = SessionManager.inMemory("/tmp");
    manager.appendMessage(user("old"));
    const kept = manager.appendMessage(user("kept"));
    const header = manager.getHeader();
    const entries = [
      header,
      ...manager.getEntries(),
      {
        type: "compaction",
        id: "c",
        parentId: kept,
        timestamp: new Date().toISOString(),
        summary: "S",
        firstKeptEntryId: kept,
        tokensBefore: 9,
      },
      { type: "message", id: "n", parentId: "c", timestamp: new Date().toISOString(), message: assistant("bad") },
      {
        type: "context_edit",
        id: "e",
        parentId: "n",
        timestamp: new Date().toISOString(),
        targetId: "n",
        replacement: null,
      },
    ] as SessionEntry[];
    const loaded = SessionManager.inMemory("/tmp", {}, entries);
    expect(loaded.buildSessionContext()).toMatchObject({
      messages: [
        { role: "compactionSummary", summary: "S" },
        { role: "user", content: [{ text: "kept" }] },
      ],
      model: { provider: "m", modelId: "m1" },
      thinkingLevel: "off",
    });
  });

  it("follows the branch, ends at cycles, and never loses an entry of it (generated trees)", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), (choices) => {
        const manager = SessionManager.inMemory("/tmp");
        const parents = new Map<string, string | null>();
        for (const choice of choices) {
          const ids = manager.getEntries().map(({ id }) => id);
          if (ids.length > 0 && choice % 3 === 0) manager.branch(ids[choice % ids.length] as string);
          const parent = manager.getLeafId();
          parents.set(manager.appendMessage(user(String(choice))), parent);
        }
        const expected: string[] = [];
        for (let id = manager.getLeafId(); id; id = parents.get(id) ?? null) expected.unshift(id);
        expect(manager.getBranch().map(({ id }) => id)).toEqual(expected);
        let nodes = 0;
        const queue = manager.getTree();
        for (let node = queue.pop(); node; node = queue.pop()) {
          nodes++;
          queue.push(...node.children);
        }
        expect(nodes).toBe(choices.length);
      }),
    );
  });
});

describe("forks and look-ups", () => {
  it("copies the whole tree verbatim into a new file", () => {
    const source = SessionManager.create("/tmp", dir);
    source.appendMessage(user("one"));
    source.appendMessage(assistant("two"));
    const fork = SessionManager.forkFrom(fileOf(source), "/", dir);
    expect(linesOf(fileOf(fork)).slice(1)).toEqual(linesOf(fileOf(source)).slice(1));
    expect(fork.getHeader()).toMatchObject({ cwd: "/", parentSession: fileOf(source) });
    expect(fork.getSessionId()).not.toBe(source.getSessionId());
  });

  it("continues the newest session of the folder", async () => {
    const first = SessionManager.create("/tmp", dir);
    first.appendMessage(user("one"));
    await new Promise((resolve) => setTimeout(resolve, 10));
    const second = SessionManager.create("/tmp", dir);
    second.appendMessage(user("two"));
    SessionManager.create("/", dir).appendMessage(user("elsewhere"));
    expect(SessionManager.continueRecent("/tmp", dir).getSessionId()).toBe(second.getSessionId());
    expect(SessionManager.findById("/tmp", first.getSessionId(), dir)).toBe(fileOf(first));
  });
});
