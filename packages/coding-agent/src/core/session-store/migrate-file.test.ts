import { spawn } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SessionManager } from "../session-manager.js";
import { SessionInUseError, SessionUnsavedError } from "./session-errors.js";

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "pi-migrate-"));
  file = join(dir, "s.jsonl");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const time = "2026-11-30T08:27:32.913Z";
const header = (version: unknown) =>
  `{"type":"session","version":${JSON.stringify(version)},"id":"s1","timestamp":"${time}","cwd":"/tmp"}`;
const user = (text: string) => `{"role":"user","content":"${text}","timestamp":1}`;
const v1 = (text: string) => `{"type":"message","timestamp":"${time}","message":${user(text)}}`;
const v2 = (id: string, parentId: string | null, text: string) =>
  `{"type":"message","id":"${id}","parentId":${JSON.stringify(parentId)},"timestamp":"${time}","message":${user(text)}}`;
const unknown = (id: string, parentId: string) =>
  `{ "type":"later", "id":"${id}", "parentId":"${parentId}", "big":12345678901234567890, "x":1.0, "a":"\\u00e9" }`;
const lines = (path = file) => readFileSync(path, "utf8").split("\n");
const said = (manager: SessionManager) => manager.drainDiagnostics().map(({ message }) => message);
const textsOf = (manager: SessionManager) =>
  manager
    .getEntries()
    .map((entry) => (entry.type === "message" && entry.message.role === "user" ? entry.message.content : entry.type));

describe.each([
  [1, (text: string) => v1(text)],
  [2, (text: string) => v2(text, null, text)],
])("a session file of version %i that cannot be brought to the current format", (version, line) => {
  const user_ = (text: string) => ({ role: "user", content: text, timestamp: 1 }) as const;
  /** Of the entry that the next one follows. */
  const opened = () => {
    writeFileSync(file, `${header(version)}\n${line("1")}\nno json\n${line("2")}\n`);
    // No lock can be made: as on a full disk or in a folder that may only be read.
    mkdirSync(`${file}.lock`);
    writeFileSync(join(`${file}.lock`, "something"), "");
    utimesSync(`${file}.lock`, 1, 1);
    return SessionManager.open(file);
  };
  const makeRoom = () => rmSync(`${file}.lock`, { recursive: true });

  it("says so, keeps what is added, and goes on once that is possible", () => {
    const manager = opened();
    const before = readFileSync(file);
    expect(said(manager)).toEqual([expect.stringContaining("keeps its old format for now")]);
    expect(manager.isReadOnly()).toBe(false);
    const ids = manager.getEntries().map(({ id }) => id);
    expect(() => manager.appendMessage(user_("3"))).toThrow(SessionUnsavedError);
    expect(() => manager.appendMessage(user_("4"))).toThrow(/2 entries are kept in memory/);
    expect(manager.getUnsavedEntries()).toHaveLength(2);
    expect(readFileSync(file)).toEqual(before);
    makeRoom();
    manager.appendMessage(user_("5"));
    expect(manager.getUnsavedEntries()).toEqual([]);
    expect(textsOf(manager)).toEqual(["1", "2", "3", "4", "5"]);
    expect(
      manager
        .getEntries()
        .slice(0, 2)
        .map(({ id }) => id),
    ).toEqual(ids);
    expect(manager.getBranch()).toHaveLength(version === 1 ? 5 : 4);
    manager.close();
    expect(readFileSync(`${file}.bak`)).toEqual(before);
    expect(statSync(`${file}.bak`).mode & 0o777).toBe(0o600);
    const again = SessionManager.open(file);
    expect(textsOf(again)).toEqual(["1", "2", "3", "4", "5"]);
    expect(said(again)).toEqual([]);
    expect(lines()[2]).toBe("no json");
  });

  it("is written anew when it is deleted meanwhile", () => {
    const manager = opened();
    rmSync(file);
    makeRoom();
    manager.appendMessage(user_("3"));
    manager.close();
    expect(textsOf(SessionManager.open(file))).toEqual(["1", "2", "3"]);
    expect(said(manager).join("\n")).toContain("was deleted while it was open");
  });

  it.each<[string, () => void]>([
    ["cut", () => truncateSync(file, 0)],
    ["cut behind its first entry", () => truncateSync(file, `${header(version)}\n${line("1")}\n`.length)],
    ["overwritten", () => writeFileSync(file, "something else entirely\n".repeat(30))],
    [
      "replaced",
      () => {
        writeFileSync(`${file}.new`, `${header(3)}\n`.replace("s1", "other"));
        renameSync(`${file}.new`, file);
      },
    ],
  ])("goes on beside it, whole, when it is %s meanwhile", (_how, harm) => {
    const manager = opened();
    expect(() => manager.appendMessage(user_("3"))).toThrow(SessionUnsavedError);
    harm();
    const harmed = readFileSync(file);
    makeRoom();
    manager.appendMessage(user_("4"));
    const beside = manager.getSessionFile() as string;
    expect(beside).toBe(join(dir, "s-1.jsonl"));
    expect(textsOf(SessionManager.open(beside))).toEqual(["1", "2", "3", "4"]);
    expect(readFileSync(file)).toEqual(harmed);
    expect(said(manager).join("\n")).toMatch(/goes on in .*s-1\.jsonl[\s\S]*entries: 1\)/);
  });

  it("may be brought there by another process", () => {
    const manager = opened();
    expect(() => manager.appendMessage(user_("3"))).toThrow(SessionUnsavedError);
    makeRoom();
    const other = SessionManager.open(file);
    other.appendMessage(user_("theirs"));
    manager.appendMessage(user_("4"));
    expect(textsOf(manager)).toEqual(["1", "2", "theirs", "3", "4"]);
    expect(readdirSync(dir).filter((name) => name.includes(".bak"))).toEqual(["s.jsonl.bak"]);
  });
});

describe("a session file of version 2", () => {
  it("keeps the bytes of every line that the format need not change", () => {
    const hook = `{"type":"message","id":"d","parentId":"c","timestamp":"${time}","message":{"role":"hookMessage","customType":"x","content":"c","display":true,"timestamp":1}}`;
    const odd = ["no json at all", '{"type":"torn', "", "5", '"text"', '{"type":"custom","id":7,"x":1.50}'];
    const kept = [v2("a", null, "1"), unknown("b", "a"), ...odd, v2("c", "b", "2")];
    writeFileSync(file, [header(2), ...kept, hook, ""].join("\n"));
    const manager = SessionManager.open(file);
    expect(lines().slice(1, -2)).toEqual(kept);
    expect(JSON.parse(lines()[0] ?? "")).toMatchObject({ version: 3, id: "s1" });
    expect(JSON.parse(lines().at(-2) ?? "")).toMatchObject({ id: "d", message: { role: "custom", content: "c" } });
    expect(manager.getBranch().map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
    expect(said(manager)).toEqual([expect.stringMatching(/Entries without an id, or with one that is no text: 1\. /)]);
  });

  it("changes nothing but the values it must", () => {
    const odd =
      '{"type":"session","version":2, "id":"s1","timestamp":"t","cwd":"/tmp", "later": 1.0, "big":12345678901234567890}';
    const hook =
      '{"type":"message","id":"d","parentId":null,"timestamp":"t","message":{"role":"hookMessage","details":1234567890123456789}}';
    writeFileSync(file, `${odd}\n${hook}\n`);
    SessionManager.open(file);
    expect(lines()).toEqual([odd.replace('"version":2', '"version":3'), hook.replace("hookMessage", "custom"), ""]);
  });

  it("bytes that are no UTF-8 stay what they are", () => {
    const bad = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x0a]);
    writeFileSync(file, Buffer.concat([Buffer.from(`${header(2)}\n${v2("a", null, "1")}\n`), bad]));
    SessionManager.open(file);
    expect(readFileSync(file).subarray(-bad.length)).toEqual(bad);
  });
});

describe("a session file of version 1", () => {
  it("gets ids in front of what its lines say", () => {
    const later = '{ "type":"later", "big":12345678901234567890, "x":1.0 }';
    writeFileSync(file, [header(1), v1("1"), later, "torn {", v1("2"), ""].join("\n"));
    const manager = SessionManager.open(file);
    const [first, second, third] = manager.getEntries();
    expect(lines()[2]).toBe(`{"id":"${second?.id}","parentId":"${first?.id}",${later.slice(1)}`);
    expect(lines()[3]).toBe("torn {");
    expect(third?.parentId).toBe(second?.id);
    expect(said(manager)).toEqual([]);
  });

  it("ids that somebody gave before are replaced, not doubled", () => {
    writeFileSync(
      file,
      [header(1), '{"type":"later","id":"own","x":1}', '{"id":"own","type":"later"}', "{}", ""].join("\n"),
    );
    const manager = SessionManager.open(file);
    expect(new Set(manager.getEntries().map(({ id }) => id)).size).toBe(3);
    expect(manager.getBranch()).toHaveLength(3);
  });
});

describe.each([1, 2])("version %i", (version) => {
  const line = (text: string) => (version === 1 ? v1(text) : v2(text, null, text));

  it("a compaction names the entry that it kept, and keeps all its other bytes", () => {
    const compaction = (index: number) =>
      `{ "type":"compaction", "timestamp":"${time}", "firstKeptEntryIndex":${index}, "summary":"s", "tokensBefore":1e2, "n":12345678901234567890}`;
    writeFileSync(file, `${header(1)}\n${v1("1")}\n${compaction(1)}\n${compaction(9)}\n`);
    const [kept, , ...none] = SessionManager.open(file).getEntries();
    const rest = `"type":"compaction", "timestamp":"${time}", "summary":"s", "tokensBefore":1e2, "n":12345678901234567890}`;
    const [, , one = "", other = ""] = lines();
    expect(one).toMatch(new RegExp(`^\\{"id":"\\w+","parentId":"${kept?.id}","firstKeptEntryId":"${kept?.id}", `));
    expect(one.endsWith(rest)).toBe(true);
    expect(other.endsWith(rest)).toBe(true);
    expect(none).toMatchObject([{ type: "compaction", tokensBefore: 100 }]);
  });

  it.each([1, 2])(
    "version %i: of two messages in one line the last one counts, and a fork has the line too",
    (version) => {
      const hook = '{"role":"hookMessage","customType":"h","content":"hook","display":true,"timestamp":1e3}';
      const twice = (earlier: string, last: string) => {
        const ids = version === 1 ? "" : `"id":"${last.length}-${earlier.length}","parentId":null,`;
        // Names may be written with escapes.
        const name = earlier === hook ? "m\\u0065ssage" : "message";
        return `{"type":"message",${ids}"timestamp":"${time}","message":${earlier},"${name}":${last}}`;
      };
      const cases: [string, string, string][] = [
        ["null", hook, "custom"],
        ['"text"', hook, "custom"],
        ["{}", hook, "custom"],
        [hook, hook, "custom"],
        [hook, user("last"), "user"],
        [hook, "null", "none"],
        [user("first"), hook, "custom"],
      ];
      const text = `${header(version)}\n${cases.map(([earlier, last]) => `${twice(earlier, last)}\n`).join("")}`;
      writeFileSync(file, text);
      const manager = SessionManager.open(file);
      const roles = (entries: readonly unknown[]) =>
        entries.map((entry) => (entry as { message: { role: string } | null }).message?.role ?? "none");
      expect(roles(manager.getEntries())).toEqual(cases.map(([, , role]) => role));
      for (const [index, [earlier, last, role]] of cases.entries()) {
        const expected = role === "custom" ? last.replace("hookMessage", "custom") : last;
        expect(lines()[index + 1]).toContain(`"message":${earlier},`);
        expect(lines()[index + 1]?.endsWith(`:${expected}}`)).toBe(true);
      }
      writeFileSync(file, text);
      const fork = SessionManager.forkFrom(file, "/tmp", dir);
      expect(roles(fork.getEntries())).toEqual(cases.map(([, , role]) => role));
      expect(fork.buildSessionContext().messages.length).toBeGreaterThan(0);
      expect(JSON.parse(Buffer.concat([...fork.contextMessagesJson()]).toString())).toEqual(
        fork.buildSessionContext().messages,
      );
    },
  );

  it("a torn last line is kept aside, said once and glued to nothing", () => {
    const torn = '{"type":"message","message":{"role":"user","content":"never ended';
    writeFileSync(file, `${header(version)}\n${line("1")}\n${torn}`);
    const manager = SessionManager.open(file);
    expect(said(manager)).toEqual([expect.stringMatching(/last line of the session file was cut off.*\.torn-\d+$/)]);
    const [copy] = readdirSync(dir).filter((name) => name.includes(".torn-"));
    expect(readFileSync(join(dir, copy ?? ""), "utf8")).toBe(torn);
    manager.appendMessage({ role: "user", content: "next", timestamp: 1 });
    manager.close();
    const again = SessionManager.open(file);
    expect(textsOf(again)).toEqual(["1", "next"]);
    expect(said(again)).toEqual([]);
  });

  it("a whole last line without line feed is an entry", () => {
    writeFileSync(file, `${header(version)}\n${line("1")}`);
    const manager = SessionManager.open(file);
    manager.appendMessage({ role: "user", content: "next", timestamp: 1 });
    manager.close();
    expect(textsOf(SessionManager.open(file))).toEqual(["1", "next"]);
  });

  it("a link to it goes on leading to it", () => {
    const real = join(dir, "real");
    mkdirSync(real);
    writeFileSync(join(real, "t.jsonl"), `${header(version)}\n${line("1")}\n`);
    symlinkSync(join(real, "t.jsonl"), file);
    SessionManager.open(file);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(lines(join(real, "t.jsonl"))[0] ?? "").version).toBe(3);
    expect(readdirSync(real).sort()).toEqual(["t.jsonl", "t.jsonl.bak"]);
  });

  it("who comes second while another process migrates it is told of that process, and follows it", () => {
    writeFileSync(file, `${header(version)}\n${line("1")}\n`);
    // Process 1 never ends.
    writeFileSync(`${file}.lock`, JSON.stringify({ host: "elsewhere", pid: 1, start: "", since: time }));
    const manager = SessionManager.open(file);
    expect(textsOf(manager)).toEqual(["1"]);
    expect(() => manager.acquireWriter()).toThrow(SessionInUseError);
    expect(() => manager.acquireWriter()).toThrow(`Session is in use by pid 1 since ${time}: ${file}. Use --fork.`);
    expect(() => manager.appendMessage({ role: "user", content: "x", timestamp: 1 })).toThrow(SessionInUseError);
    expect(said(manager)).toEqual([]);
    // It has done it, and added something.
    writeFileSync(file, `${header(3)}\n${v2("a", null, "1")}\n${v2("b", "a", "theirs")}\n`);
    rmSync(`${file}.lock`);
    manager.appendMessage({ role: "user", content: "mine", timestamp: 1 });
    expect(textsOf(manager)).toEqual(["1", "theirs", "mine"]);
    expect(manager.getBranch()).toHaveLength(3);
    manager.close();
    expect(textsOf(SessionManager.open(file))).toEqual(["1", "theirs", "mine"]);
  });

  it("who comes second while another process only migrates it waits, and is free to go on", () => {
    writeFileSync(file, `${header(version)}\n${line("1")}\n`);
    const current = `${header(3)}\n${v2("a", null, "1")}\n`;
    const lock = { host: "elsewhere", pid: 1, start: "", since: time, isBrief: true };
    writeFileSync(`${file}.lock`, JSON.stringify(lock));
    const migrate = "setTimeout(() => { fs.writeFileSync(file, text); fs.rmSync(file + '.lock'); }, 100)";
    const program = `const [file, text] = process.argv.slice(1); ${migrate}`;
    spawn(process.execPath, ["-e", program, file, current], { stdio: "ignore" });
    const manager = SessionManager.open(file);
    expect(() => manager.assertFree()).not.toThrow();
    expect(manager.getEntries().map(({ id }) => id)).toEqual(["a"]);
    expect(said(manager)).toEqual([]);
    manager.appendMessage({ role: "user", content: "mine", timestamp: 1 });
    manager.close();
    expect(textsOf(SessionManager.open(file))).toEqual(["1", "mine"]);
  });

  it("or does it itself when that process did not", () => {
    writeFileSync(file, `${header(version)}\n${line("1")}\n`);
    writeFileSync(`${file}.lock`, JSON.stringify({ host: "elsewhere", pid: 1, start: "", since: time }));
    const manager = SessionManager.open(file);
    rmSync(`${file}.lock`);
    manager.acquireWriter();
    manager.appendMessage({ role: "user", content: "mine", timestamp: 1 });
    manager.close();
    expect(JSON.parse(lines()[0] ?? "").version).toBe(3);
    expect(textsOf(SessionManager.open(file))).toEqual(["1", "mine"]);
  });

  it("a fork of it has all its entries", () => {
    writeFileSync(file, `${header(version)}\n${line("1")}\nno json\n${line("2")}\n`);
    const fork = SessionManager.forkFrom(file, "/tmp", dir);
    expect(textsOf(fork)).toEqual(["1", "2"]);
    expect(lines(fork.getSessionFile())[2]).toBe("no json");
  });
});

it.each([
  [null, 1],
  ["1", 1],
  ["2", 2],
  [" 2 ", 2],
])("a header of version %j is of version %i", (version, format) => {
  writeFileSync(file, [header(version), format === 1 ? v1("1") : v2("a", null, "1"), ""].join("\n"));
  const manager = SessionManager.open(file);
  expect(textsOf(manager)).toEqual(["1"]);
  if (format === 2) expect(manager.getLeafId()).toBe("a");
  expect(JSON.parse(lines()[0] ?? "").version).toBe(3);
});

it.each<[unknown, boolean]>([
  ["3", false],
  ["three", false],
  [{}, false],
  ["4", true],
  [4, true],
])("a header of version %j is not migrated", (version, isReadOnly) => {
  const text = `${header(version)}\n${v2("a", null, "1")}\n`;
  writeFileSync(file, text);
  const manager = SessionManager.open(file);
  expect(manager.isReadOnly()).toBe(isReadOnly);
  expect(textsOf(manager)).toEqual(["1"]);
  expect(readFileSync(file, "utf8")).toBe(text);
});

describe("entries without an id that can be one", () => {
  const nameless = [
    '{"type":"custom","id":5,"parentId":"a","x":1.0}',
    '{"type":"custom","parentId":null}',
    '{"id":null}',
  ];

  it("keep their lines and are said, once for each time the file is opened", () => {
    const text = [header(3), v2("a", null, "1"), ...nameless, v2("b", "a", "2"), ""].join("\n");
    writeFileSync(file, text);
    const manager = SessionManager.open(file);
    expect(said(manager)).toEqual([
      `Session file ${file}: Entries without an id, or with one that is no text: 3. They are left out; their lines stay as they are.`,
    ]);
    manager.appendMessage({ role: "user", content: "3", timestamp: 1 });
    expect(said(manager)).toEqual([]);
    expect(readFileSync(file, "utf8").startsWith(text)).toBe(true);
    expect(manager.getBranch()).toHaveLength(3);
    manager.close();
  });

  it("are copied by a fork, as what cannot be read is", () => {
    const kept = [v2("a", null, "1"), ...nameless, "no json", v2("b", "a", "2")];
    writeFileSync(file, [header(3), ...kept, '{"torn'].join("\n"));
    const fork = SessionManager.forkFrom(file, "/tmp", dir);
    expect(lines(fork.getSessionFile()).slice(1)).toEqual([...kept, ""]);
    expect(said(fork)).toEqual([expect.stringContaining("no text: 3.")]);
    expect(fork.getBranch()).toHaveLength(2);
  });
});
