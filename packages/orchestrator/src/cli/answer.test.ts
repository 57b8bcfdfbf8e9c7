import { describe, expect, it } from "vitest";
import { type Answer, answerIn, type SessionEntry } from "./answer.js";

const message = (role: string, text: string, stopReason?: string): SessionEntry => ({
  type: "message",
  message: { role, content: [{ type: "text", text }], ...(stopReason && { stopReason }) },
});
const user = message("user", "more");
const said = (text: string, stopReason = "stop") => message("assistant", text, stopReason);

describe("the answer to a prompt", () => {
  it.each<[string, SessionEntry[], boolean, Answer]>([
    ["is the last that is said", [said("a", "toolUse"), message("toolResult", "x"), said("b")], true, { text: "b" }],
    ["ends where the user says something else", [said("a"), user, said("b")], true, { text: "a" }],
    ["is that of prompts that waited together", [user, said("a")], true, { text: "a" }],
    ["goes over what steers it", [said("a", "toolUse"), user, said("b")], true, { text: "b" }],
    ["is not that of a prompt before", [], false, {}],
    ["is none when the agent ended in the middle", [said("a", "toolUse")], false, {}],
    ["may end with a tool", [said("a", "toolUse")], true, { text: "a" }],
    ["is none when it failed", [said("", "error")], true, { why: "The answer: error." }],
    ["comes after what failed", [said("", "error"), said("a")], true, { text: "a" }],
  ])("%s", (_name, entries, isSettled, answer) => {
    expect(answerIn(entries, isSettled)).toEqual(answer);
  });
});
