import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionInfo } from "../../../core/session-store/session-summary.js";
import { ageText, listedSessions, type SessionView } from "./session-order.js";

const now = new Date("2026-01-31T12:00:00Z");
const session = (path: string, minutesAgo: number, more: Partial<SessionInfo> = {}): SessionInfo => ({
  path,
  id: path,
  cwd: "/work",
  created: now,
  modified: new Date(now.getTime() - minutesAgo * 60_000),
  messageCount: 1,
  firstMessage: `about ${path}`,
  allMessagesText: `about ${path}, at length`,
  ...more,
});
const view: SessionView = { sort: "recent", namedOnly: false, query: "" };
const paths = (sessions: readonly SessionInfo[], more: Partial<SessionView>) =>
  listedSessions(sessions, { ...view, ...more }).map(({ info, depth }) => `${" ".repeat(depth)}${info.path}`);

describe("the list of sessions", () => {
  const sessions = [
    session("fork", 1, { parentSessionPath: "old" }),
    session("apples", 5, { name: "Fruit" }),
    session("old", 100),
  ];

  it("puts forks below what they were forked from, and the thread where its newest session is", () => {
    expect(paths(sessions, { sort: "threaded" })).toEqual(["old", " fork", "apples"]);
  });

  it("shows each session once, also those that are each other's parents", () => {
    const circle = [session("a", 1, { parentSessionPath: "b" }), session("b", 2, { parentSessionPath: "a" })];
    expect(paths(circle, { sort: "threaded" })).toEqual(["a", " b"]);
  });

  it.each<[Partial<SessionView>, string[]]>([
    [{}, ["fork", "apples", "old"]],
    [{ namedOnly: true }, ["apples"]],
    [{ query: "about length" }, ["fork", "apples", "old"]],
    [{ query: '"about old"' }, ["old"]],
    [{ query: '"about   old"' }, []],
    [{ query: "re:^(fork|old) " }, ["fork", "old"]],
    [{ query: "re:(" }, []],
    [{ query: "frt", sort: "fuzzy" }, ["apples"]],
  ])("%j", (more, expected) => {
    expect(paths(sessions, more)).toEqual(expected);
  });

  it("loses and doubles none, whatever their parents are", () => {
    const name = fc.constantFrom("a", "b", "c", "d", "e");
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.array(fc.option(name)), (names, parents) => {
        const all = names.map((path, at) => {
          const parent = parents[at];
          return session(path, at, parent ? { parentSessionPath: parent } : {});
        });
        const listed = listedSessions(all, { ...view, sort: "threaded" }).map(({ info }) => info.path);
        expect(listed.toSorted()).toEqual(names.toSorted());
      }),
    );
  });
});

it.each([
  [0.5, "now"],
  [59, "59m"],
  [60, "1h"],
  [60 * 47, "1d"],
  [60 * 24 * 20, "2w"],
  [60 * 24 * 90, "3mo"],
  [60 * 24 * 800, "2y"],
])("%d minutes ago is %s", (minutes, text) => {
  expect(ageText(new Date(now.getTime() - minutes * 60_000), now)).toBe(text);
});
