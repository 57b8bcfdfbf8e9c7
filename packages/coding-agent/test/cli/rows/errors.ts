import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Row, Section } from "../row.js";

/** One error line, exact, and one that helps. */
const error = (words: string[], first: string, second: string | RegExp, rest: Partial<Row> = {}): Row => ({
  words,
  code: 1,
  stderr:
    typeof second === "string"
      ? `${first}\n${second}\n`
      : new RegExp(`^${first.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\n${second.source}\\n$`),
  ...rest,
});
const idShape =
  "Error: Session id must be non-empty, contain only alphanumeric characters, '-', '_', and '.', and start and end with an alphanumeric character";
const oneSession = "Each of them says which session to start with: keep one.";
const header = { type: "session", version: 3, id: "aaaa-1", timestamp: "2026-01-01T00:00:00.000Z" };

export const errors: Section = {
  title: "1.4 errors and exit codes",
  rows: [
    error(["--mode"], "Error: --mode requires text, json, or rpc", "Write: --mode <text|json|rpc>"),
    error(["--mode", "-p"], "Error: --mode requires text, json, or rpc", "Write: --mode <text|json|rpc>"),
    error(["--mode", "foo"], 'Error: Invalid mode "foo". Valid values: text, json, rpc', "For example: --mode text"),
    error(["--name"], "Error: --name requires a value", "Write: --name <text>"),
    error(["-n"], "Error: --name requires a value", "Write: --name <text>"),
    error(["--name", " ", "-p", "x"], "Error: --name requires a non-empty value", "Write: --name <text>"),
    error(["--tui-mode"], "Error: --tui-mode requires regular or fullscreen", "Write: --tui-mode <fullscreen|regular>"),
    error(
      ["--tui-mode", "wat"],
      'Error: Invalid TUI mode "wat". Valid values: regular, fullscreen',
      "For example: --tui-mode regular",
    ),
    error(
      ["--tui-mode", "-p"],
      "Error: --tui-mode requires regular or fullscreen",
      "Write: --tui-mode <fullscreen|regular>",
    ),
    error(["--use-theme", "-p"], "Error: --use-theme requires a theme name", "Write: --use-theme <name>"),
    error(["--use-theme"], "Error: --use-theme requires a theme name", "Write: --use-theme <name>"),
    {
      words: ["--thinking", "wat", "-p", "x"],
      stdout: "x\n",
      stderr:
        'Warning: Invalid thinking level "wat". Valid values: off, minimal, low, medium, high, xhigh, max\nThe option is ignored.\n',
    },
    ...["--tools", "-t"].flatMap((word) => [
      error(
        [word, "read,+bash", "-p", "x"],
        `Error: ${word}: tool names cannot be mixed with +name or -name entries`,
        `Write either the tools there shall be, or changes of the usual ones: ${word} read,grep or ${word} +grep,-bash`,
      ),
      error(
        [word, "+b*", "-p", "x"],
        `Error: ${word}: +name and -name entries take exact tool names, not patterns: +b*`,
        /Write either .*/,
      ),
    ]),
    error(
      ["--provider", "scripted", "-p", "x"],
      "Error: --provider requires --model (for example: --provider openai --model <pattern>)",
      "What there is: pi --list-models",
    ),
    error(
      ["--model", "qqqqqqqqqq", "-p", "x"],
      'Error: Model "qqqqqqqqqq" not found. Use --list-models to see available models.',
      "Part of an id or a name is enough: pi --list-models <search>",
    ),
    error(
      ["--api-key", "k", "-p", "x"],
      "Error: --api-key requires a model to be specified via --model, --provider/--model, or --models",
      "For example: --model anthropic/<id> --api-key <key>",
    ),
    error(
      ["--no-session", "-r", "-c", "--session", "b", "--fork", "a", "-p", "x"],
      "Error: --fork cannot be combined with --session, --continue, --resume, --no-session",
      oneSession,
    ),
    error(["--fork", "a", "-r", "-p", "x"], "Error: --fork cannot be combined with --resume", oneSession),
    error(
      ["--session-id", "a", "-c", "--session", "b", "-r", "-p", "x"],
      "Error: --session-id cannot be combined with --session, --continue, --resume",
      oneSession,
    ),
    ...["", "-a", "a-", "a b", "ä"].map((id) => error(["--session-id", id, "-p", "x"], idShape, /For example: .*/)),
    error(
      ["--fork", "aaaa-1", "--session-id", "aaaa-1", "-p", "x"],
      "Session already exists with id 'aaaa-1'",
      "Go on with it: pi --session-id aaaa-1. Or choose another id.",
      {
        files: { "s/x_aaaa-1.jsonl": `${JSON.stringify({ ...header, cwd: "$CWD" })}\n` },
        env: { PI_CODING_AGENT_SESSION_DIR: "$CWD/s" },
      },
    ),
    ...["--session", "--fork"].map((word) =>
      error(
        [word, "nope", "-p", "x"],
        "No session found matching 'nope'",
        "Pick one: pi --resume. A path has a slash in it or ends in .jsonl.",
      ),
    ),
    {
      words: ["--session", "./no.jsonl", "-p", "x"],
      files: { "no.jsonl": "not a session\n" },
      code: 1,
      stderr:
        "Error: Session file is not a valid pi session: $CWD/no.jsonl\nIt is left as it is. Pick a session: pi --resume\n",
    },
    error(
      ["--mode", "rpc", "@a"],
      "Error: @file arguments are not supported in RPC mode",
      'Send what is in the file with the "prompt" command.',
    ),
    error(["@nope", "-p", "x"], "Error: File not found: $CWD/nope", "There is no file of that name in $CWD."),
    error(["@no/pe", "-p", "x"], "Error: File not found: $CWD/no/pe", "There is no folder $CWD/no."),
    {
      words: ["@folder", "-p", "x"],
      code: 1,
      prepare: ({ cwd }) => mkdirSync(join(cwd, "folder")),
      stderr: /^Error: Could not read file \$CWD\/folder: [^\n]+\nIt is a folder: name a file in it\.\n$/,
    },
    error(["--export", "no.jsonl"], "Error: File not found: $CWD/no.jsonl", "There is no file of that name in $CWD."),
    {
      words: ["--session", "./s.jsonl", "-p", "x"],
      files: { "s.jsonl": `${JSON.stringify({ ...header, cwd: "/nowhere/at/all" })}\n` },
      code: 1,
      stderr:
        "Stored session working directory does not exist: /nowhere/at/all\nSession file: $CWD/s.jsonl\nCurrent working directory: $CWD\nGo on with a copy of it in the current directory: pi --fork $CWD/s.jsonl\n",
    },
    {
      words: ["-e", "nope.ts", "-p", "x"],
      code: 1,
      stderr:
        /^Error: Failed to load extension "\$CWD\/nope\.ts": [^\n]+\nHint: Start without extensions using "pi -ne"\.\n$/,
    },
    {
      words: ["-e", "bad.ts", "-p", "x"],
      files: { "bad.ts": 'throw new Error("so it is");' },
      code: 1,
      stderr:
        /^Error: Failed to load extension "\$CWD\/bad\.ts": [^\n]*so it is[^\n]*\nHint: Start without extensions using "pi -ne"\.\n$/,
    },
    { words: ["-p", "x"], bare: true, code: 1, stderr: /^No models available\. [^\n]+\n$/, about: "no model" },
    {
      words: ["--mode", "json", "x"],
      bare: true,
      code: 1,
      stdout: /^$|^\{"type":"session"[^\n]+\n$/,
      stderr: /^No models available\. [^\n]+\n$/,
    },
    {
      words: ["--mode", "rpc"],
      bare: true,
      stdin: '{"type":"get_state"}\n',
      stdout: /"model":\{"id":"unknown"|"success":true/,
      stderr: /^Warning: No models available\. [^\n]+\n$/,
    },
    {
      words: ["--model", "anthropic/claude-opus-5-5", "-p", "x"],
      code: 1,
      stderr: /^No API key found for anthropic\.\n\nSet [^\n]*ANTHROPIC_API_KEY/,
    },
  ],
};
