import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RecordedRequest } from "@pi/testkit";
import type { Section } from "../row.js";

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

export const messages: Section = {
  title: "1.5, 1.11 and 2: modes, the first message, print mode",
  rows: [
    { words: ["x"], stdout: "x\n", about: "no terminal: print mode without -p" },
    { words: ["-p"], about: "nothing to say" },
    ...[
      ["-p", ""],
      ["-p", "", ""],
      ["-p", " ", "\n"],
    ].map((words) => ({ words, about: `nothing in ${JSON.stringify(words)}` })),
    {
      words: ["-p", "", "one", "", " ", "two", ""],
      stdout: "two\n",
      request: ({ conversation }: RecordedRequest) =>
        conversation.turns.map((turn) => turn.role === "user" && turn.text),
      requested: ["one", false, "two"],
      about: "messages that say nothing are not sent",
    },
    { words: ["--mode", "json", "", ""], stdout: /^\{"type":"session"[^\n]*\n$/ },
    {
      words: ["-p", "hello"],
      stdin: " from stdin\n\n",
      stdout: "from stdinhello\n",
      about: "stdin and message, joined as they are",
    },
    { words: [], stdin: "only stdin", stdout: "only stdin\n" },
    {
      words: ["-p", "@a", "@b", "x"],
      files: { a: "A", b: "\uFEFFB\n" },
      stdin: "S",
      stdout: 'S<file name="$CWD/a">\nA\n</file>\n<file name="$CWD/b">\nB\n\n</file>\nx\n',
    },
    { words: ["-p", "@empty", "x"], files: { empty: "" }, stdout: "x\n", about: "an empty file is skipped" },
    { words: ["-p", "@~/n", "x"], files: { "../n": "N" }, stdout: '<file name="$HOME/n">\nN\n</file>\nx\n' },
    {
      words: ["-p", "@$HOME/dot", "x"],
      prepare: ({ home }) => mkdirSync(join(home, "d")),
      files: { "../dot": Buffer.from(dot, "base64").toString("latin1") },
      stdout: /<file name="\$HOME\/dot">/,
      about: "what only looks like an image is text",
    },
    { words: ["-p", "one", "two", "three"], stdout: "three\n", about: "several messages: the last answer" },
    {
      words: ["-e", "x.ts", "-p", "hi"],
      files: { "x.ts": 'export default () => { console.log("to stderr"); };' },
      stdout: "hi\n",
      stderr: "to stderr\n",
      about: "console.log of extensions goes to stderr",
    },
    {
      words: ["-e", "x.ts", "-p", "hi"],
      files: { "x.ts": 'export default (pi) => pi.on("agent_start", () => { throw new Error("oops"); });' },
      stdout: "hi\n",
      stderr: "Extension error ($CWD/x.ts): oops\n",
    },
    {
      words: ["-e", "cut.ts", "-p", "x"],
      files: {
        "cut.ts": `export default (pi) => pi.on("message_end", ({ message }) => {
          if (message.role === "assistant") return { message: { ...message, stopReason: "length" } };
        });`,
      },
      code: 1,
      request: () => true,
      requested: true,
      stdout: "x\n",
      stderr: "Response was truncated: the model reached its output token limit.\n",
      about: "an answer that was cut",
    },
    { words: ["--mode", "json", "x"], stdout: /\n\{"type":"agent_settled"[^\n]*\n/ },
    { words: ["--mode", "json", "-p"], stdout: /^\{"type":"session"[^\n]*\n$/ },
  ],
};
