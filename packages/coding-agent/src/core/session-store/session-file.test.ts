import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SessionManager } from "../session-manager.js";
import { AppendLog } from "../storage/append-log.js";
import { SessionReadOnlyError } from "./session-errors.js";

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "pi-session-file-"));
  file = join(dir, "s.jsonl");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const header = { type: "session", version: 3, id: "s1", timestamp: "2026-11-30T08:27:32.689Z", cwd: "/tmp" };
const user = (text: string): AgentMessage => ({ role: "user", content: [{ type: "text", text }], timestamp: 1 });
const entry = (id: string, parentId: string | null) => ({
  type: "message",
  id,
  parentId,
  timestamp: "2026-11-30T08:27:32.913Z",
  message: user(id),
});
const jsonl = (...lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");
const idsIn = (path: string) =>
  SessionManager.open(path, undefined, undefined, { readOnly: true })
    .getEntries()
    .map(({ id }) => id);
const said = (manager: SessionManager) => manager.drainDiagnostics().map(({ message }) => message);

describe("a torn last line", () => {
  const fragment =
    '{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":[{"type":"text","text":"x"}';

  it("is kept aside, said once, and takes no other line with it", () => {
    const whole = jsonl(header, entry("a", null));
    writeFileSync(file, whole + fragment);
    expect(said(SessionManager.open(file))).toEqual([
      expect.stringMatching(
        /last line of the session file was cut off.*s\.jsonl\. What there is of it is kept in .*\.torn-\d+$/,
      ),
    ]);
    const manager = SessionManager.open(file);
    expect(said(manager)).toEqual([]);
    const copies = readdirSync(dir).filter((name) => name.includes(".torn-"));
    expect(copies).toHaveLength(1);
    expect(readFileSync(join(dir, copies[0] ?? ""), "utf8")).toBe(fragment);
    // Reading alone changes nothing.
    expect(readFileSync(file, "utf8")).toBe(whole + fragment);
    const id = manager.appendMessage(user("next"));
    expect(readFileSync(file, "utf8").startsWith(`${whole}${fragment}\n`)).toBe(true);
    expect(idsIn(file)).toEqual(["a", id]);
    expect(said(SessionManager.open(file))).toEqual([]);
  });

  it("of another file that was torn at the same place is kept beside the first", () => {
    const other = `${fragment.slice(0, -1)}!`;
    for (const text of [fragment, other, fragment]) {
      writeFileSync(file, jsonl(header, entry("a", null)) + text);
      SessionManager.open(file);
    }
    const copies = readdirSync(dir).filter((name) => name.includes(".torn-"));
    expect(copies.map((name) => readFileSync(join(dir, name), "utf8")).sort()).toEqual([other, fragment].sort());
  });

  it("a whole one without line feed is an entry", () => {
    writeFileSync(file, jsonl(header, entry("a", null)).slice(0, -1));
    const manager = SessionManager.open(file);
    expect(said(manager)).toEqual([]);
    const id = manager.appendMessage(user("next"));
    expect(idsIn(file)).toEqual(["a", id]);
  });
});

describe("the file while it is open", () => {
  const start = () => {
    const manager = SessionManager.create("/tmp", dir);
    manager.appendMessage(user("one"));
    manager.appendMessage(user("two"));
    return { manager, path: manager.getSessionFile() as string, ids: manager.getEntries().map(({ id }) => id) };
  };

  it("deleted: it is written again, whole", () => {
    const { manager, path, ids } = start();
    const before = readFileSync(path, "utf8");
    rmSync(path);
    const id = manager.appendMessage(user("three"));
    expect(readFileSync(path, "utf8").startsWith(before)).toBe(true);
    expect(idsIn(path)).toEqual([...ids, id]);
    expect(said(manager)).toEqual([`Session file was deleted while it was open; it was written again: ${path}`]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each<[string, (path: string) => void, string]>([
    ["deleted", (path) => rmSync(path), "was deleted while it was open"],
    ["cut", (path) => truncateSync(path, 20), "was cut to 20 bytes while it was open"],
  ])("%s, and nothing is added: it is whole again at the end", (_how, harm, text) => {
    const { manager, path, ids } = start();
    harm(path);
    manager.close();
    expect(said(manager).join("\n")).toContain(text);
    expect(idsIn(path)).toEqual(ids);
  });

  it("deleted: at the end of a run as well", () => {
    const { manager, path, ids } = start();
    rmSync(path);
    manager.sync();
    expect(idsIn(path)).toEqual(ids);
    expect(said(manager).join("\n")).toContain("was deleted while it was open");
  });

  it("deleted with its folder: as well", () => {
    const { manager, path, ids } = start();
    rmSync(dir, { recursive: true });
    const id = manager.appendMessage(user("three"));
    expect(idsIn(path)).toEqual([...ids, id]);
  });

  it("replaced by another: the session goes on beside it", () => {
    const { manager, path, ids } = start();
    const other = jsonl({ ...header, id: "other" });
    writeFileSync(`${path}.new`, other);
    renameSync(`${path}.new`, path);
    const id = manager.appendMessage(user("three"));
    expect(readFileSync(path, "utf8")).toBe(other);
    const moved = manager.getSessionFile() as string;
    expect(moved).toBe(path.replace(".jsonl", "-1.jsonl"));
    expect(idsIn(moved)).toEqual([...ids, id]);
    expect(said(manager)).toEqual([expect.stringContaining(`the session goes on in ${moved}`)]);
  });

  it.each([0, 50, 400])("cut to %i bytes: what was said in this process is written again", (size) => {
    const { manager, path, ids } = start();
    truncateSync(path, size);
    const id = manager.appendMessage(user("three"));
    expect(idsIn(path)).toEqual([...ids, id]);
    expect(manager.getEntries().map((e) => e.id)).toEqual([...ids, id]);
    expect(said(manager)).toContainEqual(expect.stringContaining(`was cut to ${size} bytes while it was open`));
    const again = SessionManager.open(path);
    expect(again.getBranch().map((e) => e.id)).toEqual([...ids, id]);
  });

  it("longer by lines of another program: they are there before the next one", () => {
    const { manager, path, ids } = start();
    appendFileSync(path, jsonl(entry("foreign", ids[1] ?? null)));
    const id = manager.appendMessage(user("three"));
    expect(manager.getEntries().map((e) => e.id)).toEqual([...ids, "foreign", id]);
    expect(manager.getBranch().map((e) => e.id)).toEqual([...ids, id]);
    expect(idsIn(path)).toEqual([...ids, "foreign", id]);
  });

  it("two managers of one process see each other's lines", () => {
    const { manager, path, ids } = start();
    const second = SessionManager.open(path);
    const a = manager.appendMessage(user("a"));
    const b = second.appendMessage(user("b"));
    const c = manager.appendMessage(user("c"));
    expect(manager.getEntries().map((e) => e.id)).toEqual([...ids, a, b, c]);
    expect(second.getEntries().map((e) => e.id)).toEqual([...ids, a, b]);
    expect(idsIn(path)).toEqual([...ids, a, b, c]);
    manager.close();
    expect(existsSync(`${path}.lock`)).toBe(true);
    second.close();
    expect(existsSync(`${path}.lock`)).toBe(false);
    manager.appendMessage(user("again"));
    expect(existsSync(`${path}.lock`)).toBe(true);
  });
});

describe("a file that this process has just made", () => {
  const made: [string, (source: SessionManager) => SessionManager][] = [
    [
      "by a branch",
      (source) => {
        const copy = SessionManager.open(source.getSessionFile() as string);
        copy.createBranchedSession(source.getLeafId() as string);
        return copy;
      },
    ],
    ["by a fork", (source) => SessionManager.forkFrom(source.getSessionFile() as string, "/tmp", join(dir, "forks"))],
  ];
  const harms: [string, (path: string) => void, string][] = [
    ["deleted", (path) => rmSync(path), "was deleted while it was open; it was written again"],
    ["cut", (path) => truncateSync(path, statSync(path).size - 30), "was cut to"],
    ["cut to nothing", (path) => truncateSync(path, 0), "was cut to 0 bytes while it was open"],
    ["overwritten", (path) => writeFileSync(path, "notes\n"), "was overwritten while it was open"],
    [
      "replaced",
      (path) => {
        writeFileSync(`${path}.new`, "notes\n");
        renameSync(`${path}.new`, path);
      },
      "Another file took the place of",
    ],
  ];
  const leave: [string, (manager: SessionManager) => void][] = [
    ["closed", (manager) => manager.close()],
    ["left", (manager) => manager.newSession()],
  ];
  const cases = made.flatMap(([how, make]) =>
    harms.flatMap(([what, harm, text]) =>
      leave.map(([end, close]) => ({ name: `${how}, ${what}, then ${end}`, make, harm, text, close })),
    ),
  );

  it.each(cases)(
    "$name: what became of it is said, and what can be is written again",
    ({ make, harm, text, close }) => {
      const source = SessionManager.create("/tmp", dir);
      for (const word of ["one", "two"]) source.appendMessage(user(word));
      source.close();
      const manager = make(source);
      const path = manager.getSessionFile() as string;
      const before = readFileSync(path, "utf8");
      harm(path);
      close(manager);
      const told = said(manager).join("\n");
      expect(told).toContain(text);
      const beside = path.replace(".jsonl", "-1.jsonl");
      const now = existsSync(beside) ? beside : path;
      // What is not there again is told.
      const lost = Number(/(\d+) entr(?:y is|ies are) lost/.exec(told)?.[1] ?? 0);
      expect(idsIn(now).length + lost).toBe(2);
      if (text.includes("written again")) expect(readFileSync(path, "utf8")).toBe(before);
      expect(readdirSync(join(path, "..")).filter((name) => name.endsWith(".lock"))).toEqual([]);
    },
  );

  it("and that nobody touched takes no lock, nor is one that others went on with touched", () => {
    const source = SessionManager.create("/tmp", dir);
    source.appendMessage(user("one"));
    const manager = SessionManager.forkFrom(source.getSessionFile() as string, "/tmp", join(dir, "forks"));
    const path = manager.getSessionFile() as string;
    appendFileSync(path, jsonl(entry("b", null)));
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: 1, started: "", host: "elsewhere", since: "now" }));
    const before = readFileSync(path, "utf8");
    manager.close();
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(said(manager)).toEqual([]);
  });

  it("has what others added to it before it was deleted", () => {
    const source = SessionManager.create("/tmp", dir);
    source.appendMessage(user("one"));
    const manager = SessionManager.forkFrom(source.getSessionFile() as string, "/tmp", join(dir, "forks"));
    const path = manager.getSessionFile() as string;
    appendFileSync(path, jsonl(entry("b", null)));
    rmSync(path);
    manager.close();
    expect(idsIn(path)).toContain("b");
  });
});

describe("what cannot be written", () => {
  it("a newer format is for reading only", () => {
    writeFileSync(file, jsonl({ ...header, version: 4 }, entry("a", null)));
    const manager = SessionManager.open(file);
    expect(manager.isReadOnly()).toBe(true);
    expect(said(manager)).toEqual([
      `Session file has a newer format (version 4) and is opened for reading only: ${file}`,
    ]);
    expect(manager.getEntryCount()).toBe(1);
    expect(() => manager.appendMessage(user("x"))).toThrow(SessionReadOnlyError);
    expect(manager.getEntryCount()).toBe(1);
  });

  it("a folder that cannot be: said, and written once it can", () => {
    writeFileSync(join(dir, "sessions"), "");
    const manager = SessionManager.create("/tmp", join(dir, "sessions", "x"), { lazyFolder: true });
    manager.appendModelChange("m", "m1");
    expect(() => manager.appendMessage(user("x"))).toThrow(/ENOTDIR|EEXIST/);
    rmSync(join(dir, "sessions"));
    manager.appendMessage(user("y"));
    expect(idsIn(manager.getSessionFile() as string)).toHaveLength(3);
  });
});

describe("older formats", () => {
  const old = [
    { ...header, version: 1 },
    { type: "message", timestamp: "2026-11-30T08:27:32.913Z", message: user("1") },
    { type: "message", timestamp: "2026-11-30T08:27:32.914Z", message: user("2") },
  ];

  it("are replaced in one step, and kept", () => {
    const text = jsonl(...old);
    writeFileSync(file, text);
    const manager = SessionManager.open(file);
    expect(readdirSync(dir).sort()).toEqual(["s.jsonl", "s.jsonl.bak"]);
    expect(readFileSync(`${file}.bak`, "utf8")).toBe(text);
    expect(manager.getBranch().map((e) => e.type === "message" && e.message)).toEqual([user("1"), user("2")]);
    expect(idsIn(file)).toEqual(manager.getEntries().map(({ id }) => id));
  });

  it("are read without being touched when they are for reading only", () => {
    const text = jsonl(...old);
    writeFileSync(file, text);
    const manager = SessionManager.open(file, undefined, undefined, { readOnly: true });
    expect(manager.getBranch()).toHaveLength(2);
    expect(readdirSync(dir)).toEqual(["s.jsonl"]);
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});

describe("what a killed run left open", () => {
  it("is answered when the conversation goes on", () => {
    const call = { type: "toolCall", id: "c1", name: "bash", arguments: {} };
    const answer = { role: "assistant", content: [call, { ...call, id: "c2" }], timestamp: 1 };
    const result = {
      role: "toolResult",
      toolCallId: "c1",
      toolName: "bash",
      content: [],
      isError: false,
      timestamp: 1,
    };
    const at = (id: string, parentId: string, message: object) => ({ ...entry(id, parentId), message });
    writeFileSync(file, jsonl(header, entry("a", null), at("b", "a", answer), at("c", "b", result)));
    const manager = SessionManager.open(file);
    manager.appendThinkingLevelChange("low");
    expect(manager.getEntryCount()).toBe(4);
    SessionManager.open(file).appendMessage(user("go on"));
    const messages = SessionManager.open(file).buildSessionContext().messages;
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult", "toolResult", "user"]);
    expect(messages[3]).toMatchObject({ toolCallId: "c2", toolName: "bash", isError: true });
  });
});

it("times never go back, whatever the clock says", () => {
  const later = "2126-11-30T08:27:32.913Z";
  writeFileSync(file, jsonl(header, { ...entry("a", null), timestamp: later }));
  const manager = SessionManager.open(file);
  manager.appendMessage(user("x"));
  expect(manager.getLeafEntry()?.timestamp).toBe(later);
});

describe("a file that another program writes over in place", () => {
  it.each<[string, (text: string) => string]>([
    ["by as much", (text) => "x".repeat(text.length)],
    ["by more", (text) => "y\n".repeat(text.length)],
    ["by less", () => jsonl({ ...header, id: "s2" })],
    ["by another session", (text) => jsonl({ ...header, id: "s2" }, entry("z", null)).padEnd(text.length, "\n")],
    ["but its first line", (text) => `${text.split("\n")[0]}\n`.padEnd(text.length + 1, "\n")],
  ])("%s: what it wrote stays, the session goes on beside it", (_, over) => {
    writeFileSync(file, jsonl(header, entry("a", null), entry("b", "a"), entry("c", "b")));
    const manager = SessionManager.open(file);
    manager.getEntries();
    manager.appendMessage(user("d"));
    const foreign = over(readFileSync(file, "utf8"));
    writeFileSync(file, foreign);
    expect(() => manager.entriesJson()).toThrow(/s\.jsonl (?:was overwritten|has become shorter)/);
    expect(() => manager.treeJson()).toThrow();
    expect(() => [...manager.entryLines()]).toThrow();
    const id = manager.appendMessage(user("e"));
    const beside = join(dir, "s-1.jsonl");
    expect(said(manager)).toEqual([
      `Session file ${file} was overwritten while it was open; the session goes on in ${beside}.`,
    ]);
    expect(manager.getSessionFile()).toBe(beside);
    expect(readFileSync(file, "utf8")).toBe(foreign);
    expect(idsIn(beside).length).toBe(5);
    expect(idsIn(beside).at(-1)).toBe(id);
    expect(manager.getBranch().map((one) => one.id)).toEqual(idsIn(beside));
    manager.close();
  });

  /** Until the time of the file tells it: clocks of file systems tick slowly. */
  const writeOver = (text: string) => {
    const before = statSync(file).ctimeMs;
    do writeFileSync(file, text);
    while (statSync(file).ctimeMs === before);
  };
  const filler = (id: string, parentId: string | null, text: string) => ({
    ...entry(id, parentId),
    message: user(text.repeat(600)),
  });
  const long = [header, filler("a", null, "a"), filler("b", "a", "b"), filler("c", "b", "c"), filler("d", "c", "d")];

  it.each<[string, (text: string) => string]>([
    ["garbage", (text) => text.slice(0, 900) + "x".repeat(400) + text.slice(1300)],
    ["another id", (text) => text.replace('"id":"b"', '"id":"z"')],
    ["line feeds", (text) => text.replace(/b{100}/, "\n".repeat(100))],
  ])("in its middle, by %s: nothing of it is handed on, and what is whole goes on beside it", (_, over) => {
    writeFileSync(file, jsonl(...long));
    const manager = SessionManager.open(file);
    const foreign = over(readFileSync(file, "utf8"));
    writeOver(foreign);
    expect(() => manager.entriesJson()).toThrow(`${file} was overwritten by another program.`);
    expect(() => manager.treeJson()).toThrow();
    const id = manager.appendMessage(user("e"));
    const beside = join(dir, "s-1.jsonl");
    expect(said(manager).join()).toContain(`was overwritten while it was open; the session goes on in ${beside}`);
    expect(readFileSync(file, "utf8")).toBe(foreign);
    expect(idsIn(beside)).toEqual(expect.arrayContaining(["c", "d", id]));
    expect(idsIn(beside).length).toBeGreaterThanOrEqual(4);
    manager.close();
  });

  it("a text that is as long as the one before is no harm", () => {
    writeFileSync(file, jsonl(...long));
    const manager = SessionManager.open(file);
    writeOver(readFileSync(file, "utf8").replace(/b{100}/, "B".repeat(100)));
    expect(JSON.parse(Buffer.concat([...manager.entriesJson()]).toString())).toHaveLength(4);
    manager.appendMessage(user("e"));
    expect(said(manager)).toEqual([]);
    expect(idsIn(file)).toHaveLength(5);
    manager.close();
  });

  it("a file system whose times move by themselves is not read again and again", () => {
    writeFileSync(file, jsonl(...long));
    const manager = SessionManager.open(file);
    const touch = () => {
      const before = statSync(file).ctimeMs;
      do chmodSync(file, 0o600);
      while (statSync(file).ctimeMs === before);
    };
    const reads = vi.spyOn(AppendLog.prototype, "readInto");
    for (let round = 0; round < 6; round++) {
      touch();
      manager.appendCustomEntry("mark");
    }
    expect(reads.mock.calls.filter(([buffer]) => buffer.length > 2000)).toHaveLength(3);
    reads.mockRestore();
    expect(said(manager)).toEqual([]);
    expect(idsIn(file)).toHaveLength(10);
    manager.close();
  });

  it("touched only, it stays the file", () => {
    writeFileSync(file, jsonl(header, entry("a", null)));
    const manager = SessionManager.open(file);
    writeFileSync(file, readFileSync(file));
    manager.appendMessage(user("b"));
    expect(said(manager)).toEqual([]);
    expect(idsIn(file)).toHaveLength(2);
    manager.close();
  });
});
