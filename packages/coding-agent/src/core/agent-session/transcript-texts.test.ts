import { describe, expect, it } from "vitest";
import type { SessionEntry } from "../session-store/entries.js";
import { forkablePrompts } from "./transcript-texts.js";

describe("prompts to fork from", () => {
  it.each<[unknown, string | undefined]>([
    ["text", "text"],
    [[{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }], "ab"],
    [null, undefined],
    [{}, undefined],
    [5, undefined],
    [[null], undefined],
    [[null, "x", 5, { type: "text" }, { type: "text", text: 7 }, { type: "text", text: "rest" }], "rest"],
  ])("content %j has the text %j", (content, text) => {
    const entry = { type: "message", id: "e", parentId: null, timestamp: "", message: { role: "user", content } };
    const prompts = forkablePrompts([entry as unknown as SessionEntry]);
    expect(prompts).toEqual(text === undefined ? [] : [{ entryId: "e", text }]);
  });
});
