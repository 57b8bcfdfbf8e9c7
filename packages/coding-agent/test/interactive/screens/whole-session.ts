import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PiFixture } from "../../pi.js";

const usage = {
  ...{ input: 1200, output: 560, cacheRead: 3100, cacheWrite: 0, totalTokens: 4860 },
  cost: { input: 0.01, output: 0.002, cacheRead: 0.001, cacheWrite: 0, total: 0.013 },
};
const from = { api: "anthropic-messages", provider: "scripted", model: "m1", usage };
const text = (words: string) => ({ type: "text", text: words });
const skill = [
  '<skill name="frogs" location="/skills/frogs/SKILL.md">',
  "References are relative to /skills/frogs.",
  "",
  "Everything about frogs.",
  "</skill>",
  "",
  "Tell me about frogs.",
].join("\n");

const call = (id: string, name: string, args: object) => ({ type: "toolCall", id, name, arguments: args });
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join("\n");

interface Called {
  name: string;
  args: object;
  output: string;
  details?: object;
  isError?: boolean;
}

const calls: readonly Called[] = [
  { name: "read", args: { path: "a.txt", offset: 1, limit: 2 }, output: "one\ntwo" },
  { name: "bash", args: { command: "seq 1 40", timeout: 9 }, output: lines(40) },
  {
    name: "edit",
    args: { path: "a.txt", edits: [{ oldText: "two words", newText: "two letters" }] },
    output: "Edited.",
    details: { diff: "  1 one\n- 2 two words\n+ 2 two letters\n  3 three", firstChangedLine: 2 },
  },
  { name: "write", args: { path: "b.txt", content: lines(12) }, output: "Written." },
  { name: "grep", args: { pattern: "o", path: ".", glob: "*.txt", limit: 5 }, output: "a.txt:1: one" },
  { name: "find", args: { pattern: "*.txt", path: "." }, output: "a.txt\nb.txt" },
  { name: "ls", args: { path: "." }, output: "a.txt\nb.txt" },
  { name: "mystery", args: { who: "nobody", many: 3 }, output: "It has been done." },
  { name: "read", args: { path: "gone.txt" }, output: "ENOENT: no such file: gone.txt", isError: true },
];

/** Messages of each kind that the terminal draws. */
const messages: readonly object[] = [
  { role: "user", content: "A question of mine, with **stars**." },
  { role: "user", content: skill },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Frogs are green." },
      text(
        "# Frogs\n\nSome are *small*.\n\n- one\n- two\n\n```js\nconst frog = 1;\n```\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |",
      ),
    ],
    ...{ ...from, stopReason: "stop" },
  },
  ...calls.flatMap(({ name, args, output, details, isError = false }, at) => [
    { role: "assistant", content: [call(`c${at}`, name, args)], ...from, stopReason: "toolUse" },
    {
      ...{ role: "toolResult", toolCallId: `c${at}`, toolName: name, content: [text(output)], isError },
      ...(details && { details }),
    },
  ]),
  { role: "bashExecution", command: "echo out", output: "out\n", exitCode: 3, cancelled: false, truncated: false },
  { role: "assistant", content: [text("Half of an")], ...from, stopReason: "length" },
  { role: "assistant", content: [], ...from, stopReason: "error", errorMessage: "The model fell over." },
  { role: "assistant", content: [text("The last answer.")], ...from, stopReason: "stop" },
];

/** Entries of kinds of their own, with where they stand: behind so many messages. */
const others: readonly (readonly [after: number, entry: object])[] = [
  [1, { type: "custom_message", customType: "note", content: "Said by an *extension*.", display: true }],
  [2, { type: "branch_summary", fromId: "e1", summary: "What was tried before." }],
  [3, { type: "compaction", firstKeptEntryId: "e0", tokensBefore: 12_345, summary: "What was said before." }],
];

/** Writes a session that has something of every kind, and returns its path. */
export function writeWholeSession(pi: PiFixture): string {
  const folder = join(pi.agentDir, "sessions", `--${pi.cwd.slice(1).replaceAll("/", "-")}--`);
  mkdirSync(folder, { recursive: true });
  // A little ahead, so that its age stays the same however long the test takes.
  const now = Date.now() + 60_000;
  const time = (at: number) => new Date(now + at).toISOString();
  const entries: object[] = messages.map((message) => ({ type: "message", message: { ...message, timestamp: now } }));
  for (const [after, entry] of others.toReversed()) entries.splice(after, 0, entry);
  const header = { type: "session", version: 3, id: "whole-session", timestamp: time(0), cwd: pi.cwd };
  const rows = entries.map((entry, at) => ({
    ...entry,
    ...{ id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}`, timestamp: time(at) },
  }));
  const file = join(folder, "whole.jsonl");
  writeFileSync(file, [header, ...rows].map((row) => `${JSON.stringify(row)}\n`).join(""));
  return file;
}
