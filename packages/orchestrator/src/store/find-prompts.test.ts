import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findPrompts } from "./find-prompts.js";
import type { JournalledPrompt } from "./prompt-journal.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "find-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const forwardedAt = "2026-01-01T00:00:10.000Z";
const before = "2026-01-01T00:00:05.000Z";
const after = "2026-01-01T00:00:15.000Z";

function session(name: string, ...messages: [id: string, text: string, timestamp: string][]): string {
  const path = join(folder, name);
  const lines = messages.map(([id, text, timestamp]) =>
    JSON.stringify({ type: "message", id, timestamp, message: { role: "user", content: [{ type: "text", text }] } }),
  );
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  return path;
}

function given(message: string, more: Partial<JournalledPrompt>): JournalledPrompt {
  const command = { type: "prompt", message };
  return { promptId: "p", state: "forwarded", at: forwardedAt, forwardedAt, command, offset: 0, ...more };
}

async function find(prompt: JournalledPrompt, sessionFile: string | undefined, isComplete = true) {
  const taken = new Set(["taken"]);
  return (await findPrompts([prompt], { sessionFile, taken, isComplete })).get(prompt.promptId);
}

describe("prompts looked for after a crash", () => {
  it.each<[string, Partial<JournalledPrompt>, boolean, string | undefined]>([
    ["answered, and nothing more heard", { state: "started" }, true, "e"],
    ["queued under a text that was not heard", { state: "queued" }, true, "e"],
    ["under the text that the agent took", { state: "queued", taken: { text: "[a]" } }, true, "e"],
    ["not as another text than it took", { state: "queued", taken: { text: "[b]" } }, true, undefined],
    ["not as another text than its own, if it took that", { state: "started", taken: {} }, true, undefined],
    ["not answered by an agent of which all is known", {}, true, undefined],
    ["not answered by an agent of which not all is known", {}, false, "e"],
  ])("changed by an extension: %s", async (_name, more, isComplete, entryId) => {
    const file = session("a", ["taken", "x", after], ["e", "[a]", after]);
    expect(await find(given("a", { file, ...more }), file, isComplete)).toBe(entryId);
  });

  it("in the session it was given to, and not before that", async () => {
    const file = session("a", ["old", "a", before]);
    const offset = statSync(file).size;
    expect(await find(given("a", { file, offset }), file)).toBeUndefined();
    const longer = session("a", ["old", "a", before], ["new", "a", after]);
    expect(await find(given("a", { file: longer, offset }), session("b"))).toBe("new");
  });

  it("in the session that the agent was in last, if it came there after it was given", async () => {
    const file = session("a");
    const last = session("b", ["old", "a", before], ["new", "a", after]);
    expect(await find(given("a", { file }), last)).toBe("new");
    expect(await find(given("b", { file }), last)).toBeUndefined();
    expect(await find(given("a", { file }), undefined)).toBeUndefined();
  });
});
