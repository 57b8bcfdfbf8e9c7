import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Place, Section } from "../row.js";

/** A conversation of a project, as a file of a session folder used flat. */
const conversation = (id: string, cwd: string, said: string) => {
  const time = { timestamp: "2026-01-01T00:00:00.000Z" };
  const message = { role: "user", content: said, timestamp: 1 };
  return [
    { type: "session", version: 3, id, ...time, cwd },
    { type: "message", id: "m1", parentId: null, ...time, message },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
};
const own = { "s/1_aaaa-1.jsonl": conversation("aaaa-1", "$CWD", "of this project") };
const other = { "s/2_bbbb-2.jsonl": conversation("bbbb-2", "$HOME", "of another") };
const env = { PI_CODING_AGENT_SESSION_DIR: "$CWD/s" };
const said = (request: { conversation: { turns: { role: string; text?: string }[] } }) =>
  request.conversation.turns.map(({ text }) => text).join("|");
const files = ({ cwd }: Place) => readdirSync(join(cwd, "s")).length;

export const sessions: Section = {
  title: "1.7 which session",
  rows: [
    {
      words: ["-c", "-p", "x"],
      files: own,
      env,
      stdout: /x\n$/,
      request: said,
      requested: "of this project|x",
      about: "--continue",
    },
    ...["aaaa-1", "aa", "./s/1_aaaa-1.jsonl"].map((name) => ({
      words: ["--session", name, "-p", "x"],
      files: own,
      env,
      stdout: /x\n$/,
      request: said,
      requested: "of this project|x",
      after: files,
      left: 1,
    })),
    {
      words: ["--session", "./new/s.jsonl", "-p", "x"],
      stdout: "x\n",
      after: ({ cwd }) => readFileSync(join(cwd, "new/s.jsonl"), "utf8").includes('"type":"session"'),
      left: true,
      about: "--session with a path that does not exist creates it",
    },
    {
      words: ["--session-id", "aaaa-1", "-p", "x"],
      files: own,
      env,
      stdout: /x\n$/,
      request: said,
      requested: "of this project|x",
    },
    {
      words: ["--session-id", "fresh", "-p", "x"],
      env: { PI_CODING_AGENT_SESSION_DIR: "$CWD" },
      stdout: "x\n",
      stderr: "Warning: No project session found with id 'fresh'; creating a new session with that id.\n",
      after: ({ cwd }) => readdirSync(cwd).map((name) => name.replace(/.*_/, "")),
      left: ["fresh.jsonl"],
    },
    {
      words: ["--session", "bbbb", "-p", "x"],
      files: other,
      env,
      stderr: "Session found in different project: $HOME\nFork this session into current directory? [y/N]\nAborted.\n",
      after: files,
      left: 1,
      about: "--session of another project; nobody answers",
    },
    {
      words: ["--session", "bbbb", "-p", "x"],
      files: other,
      env,
      stdin: "yes\n",
      stdout: /x\n$/,
      stderr: "Session found in different project: $HOME\nFork this session into current directory? [y/N]\n",
      request: said,
      requested: "of another|x",
      after: files,
      left: 2,
      about: "--session of another project; yes",
    },
    {
      words: ["--fork", "bbbb", "-p", "x"],
      files: other,
      env,
      stdout: /x\n$/,
      request: said,
      requested: "of another|x",
      after: files,
      left: 2,
      about: "--fork never asks",
    },
    {
      words: ["--fork", "aaaa", "--session-id", "copy", "-p", "x"],
      files: own,
      env,
      stdout: /x\n$/,
      after: ({ cwd }) => readdirSync(join(cwd, "s")).some((name) => name.endsWith("_copy.jsonl")),
      left: true,
    },
    {
      words: ["-p", "x"],
      files: { ".pi/settings.json": '{"sessionDir":"$CWD/mine"}' },
      stdout: "x\n",
      after: ({ cwd }) => readdirSync(join(cwd, "mine")).length,
      left: 1,
      about: "sessionDir of the project, before trust",
    },
  ],
};
