import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf, placeOf } from "./address.js";
import { Session } from "./session.js";
import { totalsOf } from "./totals.js";

interface Link {
  id: string;
  parentId: string | null;
}

function sessionOf(links: readonly Link[], more: object = {}): Session {
  return new Session({ entries: links.map((link) => ({ type: "custom", ...link })), ...more });
}

const ids = (session: Session, at: number) => session.path(at).map(({ id }) => id);

/** Entries in any order, with parents that may be missing, later, themselves or part of a circle. */
const anyLinks = fc
  .array(fc.option(fc.nat({ max: 12 }), { nil: null }), { minLength: 1, maxLength: 12 })
  .map((parents) => parents.map((parent, at) => ({ id: `e${at}`, parentId: parent === null ? null : `e${parent}` })));

describe("the session in the page", () => {
  it("goes from the root to an entry, and ends in circles", () => {
    fc.assert(
      fc.property(anyLinks, (links) => {
        const session = sessionOf(links);
        for (const at of links.keys()) {
          const path = session.path(at);
          expect(path.at(-1)?.at).toBe(at);
          expect(new Set(path).size).toBe(path.length);
          for (const [index, entry] of path.entries()) if (index > 0) expect(entry.parent).toBe(path[index - 1]?.at);
        }
      }),
    );
  });

  it("knows the last entry of the file below each entry", () => {
    fc.assert(
      fc.property(anyLinks, (links) => {
        const session = sessionOf(links);
        for (const at of links.keys()) {
          const below = [...links.keys()].filter((other) => session.path(other).some((entry) => entry.at === at));
          // In a circle every entry is below every other, and none is below from a root.
          const isInCircle = session.path(at)[0]?.parent !== -1;
          if (!isInCircle) expect(session.newestLeaf(at)).toBe(Math.max(...below));
        }
      }),
    );
  });

  it("follows a chain of 100,000 entries", () => {
    const links = Array.from({ length: 100_000 }, (_, at) => ({
      id: `e${at}`,
      parentId: at === 0 ? null : `e${at - 1}`,
    }));
    const session = sessionOf(links);
    expect(session.path(99_999)).toHaveLength(100_000);
    expect(session.newestLeaf(0)).toBe(99_999);
  });

  it.each<[string, object, number]>([
    ["the named leaf", { leafId: "b" }, 1],
    ["the end of the file without one", {}, 2],
    ["the end of the file for one that is not there", { leafId: "constructor" }, 2],
  ])("begins at %s", (_, more, leaf) => {
    const links = ["a", "b", "c"].map((id) => ({ id, parentId: null }));
    expect(sessionOf(links, more).leaf).toBe(leaf);
  });

  it("takes the last label and the last name", () => {
    const entry = (fields: object) => ({ parentId: null, ...fields });
    const session = new Session({
      entries: [
        entry({ id: "1", type: "label", targetId: "x", label: "old" }),
        entry({ id: "2", type: "label", targetId: "x", label: "new" }),
        entry({ id: "3", type: "label", targetId: "y", label: "gone" }),
        entry({ id: "4", type: "label", targetId: "y" }),
        entry({ id: "5", type: "session_info", name: "first" }),
        entry({ id: "6", type: "session_info", name: " last " }),
      ],
    });
    expect([...session.labels]).toEqual([["x", "new"]]);
    expect(session.name).toBe("last");
  });

  it("takes any JSON for a session without falling over", () => {
    const entry = fc.record(
      {
        type: fc.constantFrom("message", "label", "compaction", "session_info", "custom_message", 7),
        id: fc.jsonValue(),
        parentId: fc.jsonValue(),
        message: fc.oneof(
          fc.jsonValue(),
          fc.record({ role: fc.constantFrom("assistant", "user"), content: fc.jsonValue() }),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.record({ entries: fc.oneof(fc.array(entry), fc.jsonValue()), header: fc.jsonValue() }), (data) => {
        const session = new Session(data);
        for (const { at } of session.entries) expect(ids(session, at).length).toBeGreaterThan(0);
        totalsOf(session.entries);
      }),
    );
  });
});

describe("links to places", () => {
  const links = [
    { id: "root", parentId: null },
    { id: "left", parentId: "root" },
    { id: "left end", parentId: "left" },
    { id: "right & more", parentId: "root" },
  ];
  const session = sessionOf(links);

  it.each<[string, string | undefined, string | undefined]>([
    ["", "right & more", undefined],
    ["?targetId=root", "right & more", "root"],
    ["?targetId=left", "left end", "left"],
    ["?leafId=left&targetId=root", "left", "root"],
    ["?leafId=nobody&targetId=__proto__", "right & more", undefined],
  ])("%j leads to the branch of %j and the entry %j", (query, leaf, target) => {
    const place = placeOf(query, session);
    expect([session.entries[place.leaf]?.id, session.entries[place.target]?.id]).toEqual([leaf, target]);
  });

  it("lead where they were made, whatever the ids", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, unit: "grapheme" }), { minLength: 1 }), (names) => {
        const own = sessionOf(names.map((id, at) => ({ id, parentId: at === 0 ? null : String(names[at - 1]) })));
        const place = { leaf: names.length - 1, target: 0 };
        const address = addressOf("file:///a/b.html?old=1#x", own, place);
        expect(address.startsWith("file:///a/b.html?leafId=")).toBe(true);
        expect(placeOf(new URL(address).search, own)).toEqual(place);
      }),
    );
  });
});
