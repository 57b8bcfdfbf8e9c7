import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { clonedManager, forkedManager } from "./fork-session.js";
import { SessionManager } from "./session-manager.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "pi-fork-session-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const user = (text: string): AgentMessage => ({ role: "user", content: text, timestamp: 1 });
const said = (manager: SessionManager) => manager.drainDiagnostics().map(({ message }) => message);
const textsOf = (manager: SessionManager) =>
  manager.buildSessionContext().messages.map((message) => "content" in message && message.content);

/** A session, and a manager that has only read it. */
function session() {
  const writer = SessionManager.create("/tmp", dir);
  for (const text of ["one", "two"]) writer.appendMessage(user(text));
  const path = writer.getSessionFile() as string;
  return { writer, path, looker: SessionManager.open(path) };
}

it("a clone has what others added since the session was read, and says so", () => {
  const { writer, path, looker } = session();
  for (const text of ["three", "four"]) writer.appendMessage(user(text));
  const clone = clonedManager(looker);
  expect(textsOf(clone)).toEqual(["one", "two", "three", "four"]);
  expect(said(clone)).toEqual([`Another process added to the session, which the copy has too (entries: 2): ${path}`]);
  // The session itself is as it was: its next prompt goes on behind that.
  expect(textsOf(looker)).toEqual(["one", "two"]);
  expect(looker.followOthers()).toBe(true);
});

it("but not of a session that stands elsewhere, and nothing is said when nothing was added", () => {
  const { writer, looker } = session();
  expect(said(clonedManager(looker))).toEqual([]);
  looker.branch(looker.getEntries()[0]?.id as string);
  writer.appendMessage(user("three"));
  const clone = clonedManager(looker);
  expect(textsOf(clone)).toEqual(["one"]);
  expect(said(clone)).toEqual([]);
});

it("a fork at an entry is what was asked for", () => {
  const { writer, looker } = session();
  writer.appendMessage(user("three"));
  const { manager } = forkedManager(looker, looker.getLeafId() as string, "at");
  expect(textsOf(manager)).toEqual(["one", "two"]);
  expect(said(manager)).toEqual([]);
});

it("a clone of a session that was deleted brings that back, whole, and says so: it has one branch only", () => {
  const { writer, path, looker } = session();
  writer.branch(writer.getEntries()[0]?.id as string);
  writer.appendMessage(user("aside"));
  rmSync(path);
  const clone = clonedManager(looker);
  expect(existsSync(path)).toBe(true);
  expect(said(looker).join("\n")).toContain(`it was written again: ${path}`);
  expect(SessionManager.open(path).getEntryCount()).toBe(3);
  expect(clone.getHeader()?.parentSession).toBe(path);
});
