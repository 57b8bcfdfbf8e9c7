import { execFileSync } from "node:child_process";
import fs, { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SessionManager } from "../session-manager.js";
import { SessionUnsavedError } from "./session-errors.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "pi-unsaved-"));
});
afterEach(() => {
  makeRoom();
  rmSync(dir, { recursive: true, force: true });
});

const { writeSync } = fs;
/** From now on nothing can be written. */
function fillDisk(): void {
  fs.writeSync = (() => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  }) as typeof writeSync;
  syncBuiltinESMExports();
}
function makeRoom(): void {
  fs.writeSync = writeSync;
  syncBuiltinESMExports();
}

const user = (text: string): AgentMessage => ({ role: "user", content: [{ type: "text", text }], timestamp: 1 });
const idsOf = (manager: SessionManager) => manager.getEntries().map(({ id }) => id);
const idsIn = (manager: SessionManager) =>
  idsOf(SessionManager.open(manager.getSessionFile() as string, undefined, undefined, { readOnly: true }));
const said = (manager: SessionManager) => manager.drainDiagnostics().map(({ message }) => message);
const textsOf = (manager: SessionManager) =>
  manager.buildSessionContext().messages.map((message) => (message.role === "user" ? message.content : undefined));

describe("entries that cannot be written", () => {
  it("are kept in order, said once, and written before the next one", () => {
    const manager = SessionManager.create("/tmp", dir);
    manager.appendMessage(user("one"));
    fillDisk();
    expect(() => manager.appendMessage(user("two"))).toThrow(SessionUnsavedError);
    expect(() => manager.appendMessage(user("three"))).toThrow(/ENOSPC.*2 entries are kept in memory/);
    expect(manager.getUnsavedEntries()).toHaveLength(2);
    expect(manager.getLeafEntry()).toMatchObject({ message: user("three") });
    expect(textsOf(manager)).toEqual(
      ["one", "two", "three"].map((text) => user(text)).map((m) => m.role === "user" && m.content),
    );
    expect(JSON.parse(Buffer.concat([...manager.entriesJson()]).toString())).toEqual(manager.getEntries());
    expect(said(manager)).toEqual([expect.stringMatching(/^Session file could not be written: .*ENOSPC/)]);
    makeRoom();
    manager.appendMessage(user("four"));
    expect(idsIn(manager)).toEqual(idsOf(manager));
    expect(manager.getUnsavedEntries()).toEqual([]);
    expect(manager.getStatistics().userMessages).toBe(4);
    expect(said(manager)).toEqual([expect.stringContaining("(entries: 2) is in the session file now")]);
    manager.close();
  });

  it("of a session that has no file yet: as well", () => {
    const manager = SessionManager.create("/tmp", dir);
    manager.appendModelChange("m", "m1");
    fillDisk();
    expect(() => manager.appendMessage(user("one"))).toThrow(SessionUnsavedError);
    expect(() => manager.appendThinkingLevelChange("low")).toThrow(SessionUnsavedError);
    expect(manager.getUnsavedEntries()).toHaveLength(3);
    makeRoom();
    manager.appendThinkingLevelChange("high");
    expect(idsIn(manager)).toEqual(idsOf(manager));
    expect(idsOf(manager)).toHaveLength(4);
    manager.close();
  });

  it.each(["sync", "close"] as const)("are written by %s", (method) => {
    const manager = SessionManager.create("/tmp", dir);
    manager.appendMessage(user("one"));
    fillDisk();
    expect(() => manager.appendMessage(user("two"))).toThrow();
    manager[method]();
    expect(manager.getUnsavedEntries()).toHaveLength(1);
    makeRoom();
    manager[method]();
    expect(idsIn(manager)).toEqual(idsOf(manager));
    manager.close();
  });

  it.each<[string, (path: string) => void]>([
    ["deleted", (path) => rmSync(path)],
    ["cut", (path) => truncateSync(path, 200)],
    ["cut to nothing", (path) => truncateSync(path, 0)],
    ["overwritten", (path) => writeFileSync(path, "x".repeat(readFileSync(path).length))],
    [
      "longer",
      (path) => writeFileSync(path, `${readFileSync(path)}{"type":"custom","id":"foreign","parentId":null}\n`),
    ],
  ])("are written also when the file is %s meanwhile", (_, meet) => {
    const manager = SessionManager.create("/tmp", dir);
    manager.appendMessage(user("one"));
    manager.appendMessage(user("two"));
    fillDisk();
    expect(() => manager.appendMessage(user("three"))).toThrow(SessionUnsavedError);
    makeRoom();
    meet(manager.getSessionFile() as string);
    fillDisk();
    expect(() => manager.appendMessage(user("four"))).toThrow(SessionUnsavedError);
    makeRoom();
    manager.appendMessage(user("five"));
    const spoken = idsIn(manager).filter((id) => id !== "foreign");
    expect(spoken).toEqual(idsOf(manager).filter((id) => id !== "foreign"));
    expect(spoken).toHaveLength(5);
    expect(textsOf(SessionManager.open(manager.getSessionFile() as string))).toHaveLength(5);
    manager.close();
  });

  it("are told when the manager goes on with another session", () => {
    const manager = SessionManager.create("/tmp", dir);
    manager.appendMessage(user("one"));
    const path = manager.getSessionFile();
    fillDisk();
    expect(() => manager.appendMessage(user("two"))).toThrow(SessionUnsavedError);
    manager.newSession();
    expect(said(manager)).toEqual([
      expect.stringMatching(/^Session file could not be written/),
      `Entries that could not be written to the session file are lost with it: 1. File: ${path}`,
    ]);
    expect(manager.getUnsavedEntries()).toEqual([]);
  });

  it.each<[string, (manager: SessionManager) => unknown]>([
    ["a branch", (manager) => manager.createBranchedSession(manager.getLeafId() as string)],
    ["a fork", (manager) => SessionManager.forkFrom(manager.getSessionFile() as string, "/tmp", dir)],
  ])("%s is not made, and the error names the file and what to do", (_, make) => {
    const manager = SessionManager.create("/tmp", dir);
    manager.appendMessage(user("one"));
    const path = manager.getSessionFile();
    const files = readdirSync(dir);
    fillDisk();
    expect(() => make(manager)).toThrow(
      /^Session file could not be written: \/.*\.jsonl: ENOSPC.*write\. Make room or allow writing there, then try again\.$/,
    );
    expect(readdirSync(dir)).toEqual(files);
    expect(manager.getSessionFile()).toBe(path);
    makeRoom();
    make(manager);
    manager.close();
  });

  it("say one sentence after the other", () => {
    const reason = new Error("Cannot read /a: it is a directory. Name a file.");
    expect(new SessionUnsavedError("/a", 1, reason).message).toBe(
      "Session file could not be written: /a: Cannot read /a: it is a directory. Name a file. " +
        "1 entry is kept in memory and written as soon as that works.",
    );
  });

  it("a summary of a branch stays where it was made", () => {
    const manager = SessionManager.create("/tmp", dir);
    const first = manager.appendMessage(user("one"));
    manager.appendMessage(user("two"));
    fillDisk();
    expect(() => manager.branchWithSummary(first, "summary")).toThrow(SessionUnsavedError);
    expect(manager.getLeafEntry()).toMatchObject({ type: "branch_summary", parentId: first });
    makeRoom();
    manager.close();
    expect(idsIn(manager)).toEqual(idsOf(manager));
  });

  it("whatever is said while the disk fills and empties, memory and file agree in the end", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("say", "mark", "fill", "room", "sync", "close"), { maxLength: 25 }),
        (steps) => {
          makeRoom();
          const manager = SessionManager.create("/tmp", dir);
          let spoken = 0;
          for (const step of [...steps, "room", "say", "close"]) {
            if (step === "fill") fillDisk();
            else if (step === "room") makeRoom();
            else if (step === "sync" || step === "close") manager[step]();
            else {
              spoken++;
              try {
                if (step === "say") manager.appendMessage(user(`${spoken}`));
                else manager.appendCustomEntry("mark");
              } catch (error) {
                if (!(error instanceof SessionUnsavedError)) throw error;
              }
            }
          }
          expect(idsOf(manager)).toHaveLength(spoken);
          expect(idsIn(manager)).toEqual(idsOf(manager));
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** A file system of 64 KB; undefined where this process may not mount one. */
function smallDisk(): string | undefined {
  const path = join(dir, "disk");
  mkdirSync(path);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", path], { stdio: "ignore" });
    return path;
  } catch {
    return undefined;
  }
}

describe("a disk that is really full", () => {
  it("nothing is lost or half there, and the session goes on when there is room", (context) => {
    const disk = smallDisk();
    if (!disk) return context.skip("mounting a file system needs more rights");
    try {
      const manager = SessionManager.create("/tmp", disk);
      manager.appendMessage(user("first"));
      writeFileSync(join(disk, "ballast"), Buffer.alloc(20_000));
      for (let round = 0; manager.getUnsavedEntries().length < 2 && round < 100; round++) {
        try {
          manager.appendMessage(user("x".repeat(3000)));
        } catch (error) {
          expect(String(error)).toContain("ENOSPC");
        }
      }
      const path = manager.getSessionFile() as string;
      expect(readFileSync(path, "utf8").endsWith("}\n")).toBe(true);
      expect(idsOf(manager).length).toBe(idsIn(manager).length + 2);
      // Another process finds no lock that it could not take.
      manager.close();
      rmSync(join(disk, "ballast"));
      manager.appendMessage(user("y".repeat(3000)));
      expect(idsIn(manager)).toEqual(idsOf(manager));
      manager.close();
    } finally {
      execFileSync("umount", ["-l", disk]);
    }
  });
});

describe("a session whose file comes with the first message", () => {
  it("goes on beside a file that somebody made there meanwhile", () => {
    const path = join(dir, "late.jsonl");
    const manager = SessionManager.open(path);
    writeFileSync(path, "somebody else's\n");
    manager.appendMessage(user("one"));
    const beside = join(dir, "late-1.jsonl");
    expect(manager.getSessionFile()).toBe(beside);
    expect(readFileSync(path, "utf8")).toBe("somebody else's\n");
    expect(said(manager)).toEqual([
      `Another file took the place of the session file ${path}; the session goes on in ${beside}`,
    ]);
    expect(idsIn(manager)).toEqual(idsOf(manager));
    manager.close();
  });
});
