import { describe, expect, it } from "vitest";
import { matchPrompts } from "./session-prompts.js";

const prompts = (...texts: string[]) => texts.map((text, at) => ({ promptId: `p${at}`, text, mayDiffer: false }));
const changed = (...texts: string[]) => prompts(...texts).map((prompt) => ({ ...prompt, mayDiffer: true }));
const entries = (...texts: string[]) => texts.map((text, at) => ({ entryId: `e${at}`, text }));

describe("prompts found in a session", () => {
  it.each([
    ["each its own", prompts("a", "b"), entries("b", "a"), { p0: "e1", p1: "e0" }],
    ["the same text twice, once there", prompts("a", "a"), entries("a"), { p0: "e0" }],
    ["spaces around do not count", prompts(" a\n"), entries("a"), { p0: "e0" }],
    ["changed ones by what is left", changed("/do it", "b"), entries("b", "Do it well"), { p0: "e1", p1: "e0" }],
    ["changed ones in their order", changed("a", "b"), entries("x", "y"), { p0: "e0", p1: "e1" }],
    ["what is nobody's is nobody's", prompts("a"), entries("z"), {}],
    ["nothing", changed("a", "/b"), entries(), {}],
  ])("%s", (_name, sought, there, found) => {
    expect(Object.fromEntries(matchPrompts(sought, there))).toEqual(found);
  });
});
