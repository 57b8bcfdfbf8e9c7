import type { Row, Section } from "../row.js";

const slip = (words: string[], stderr: string, rest: Partial<Row> = {}): Row => ({ words, code: 1, stderr, ...rest });
const command = (word: string, name: string) =>
  `Error: Unknown command "${word}".\nDid you mean "pi ${name}"? As a prompt: pi -- ${word}\n`;
const prompt = (words: string[]): Row => ({ words, stdout: `${words.at(-1)}\n` });

export const mistyped: Section = {
  title: "what is mistyped",
  rows: [
    slip(["--modle", "m1", "-p", "x"], "Error: Unknown option: --modle\nDid you mean --model?\n"),
    slip(["-p", "x", "--sesion", "y"], "Error: Unknown option: --sesion\nDid you mean --session?\n"),
    slip(["--modle", "--prnt"], "Error: Unknown options: --modle, --prnt\nDid you mean --model, --print?\n"),
    slip(["-model", "m1"], "Error: Unknown option: -model\nDid you mean --model?\n"),
    slip(["--mode", "jsno"], 'Error: Invalid mode "jsno". Valid values: text, json, rpc\nDid you mean json?\n'),
    {
      words: ["--thinking", "hgih", "-p", "x"],
      stdout: "x\n",
      stderr:
        'Warning: Invalid thinking level "hgih". Valid values: off, minimal, low, medium, high, xhigh, max\nDid you mean high? The option is ignored.\n',
    },
    slip(["@notse.md", "-p", "x"], "Error: File not found: $CWD/notse.md\nDid you mean $CWD/notes.md?\n", {
      files: { "notes.md": "N" },
    }),
    slip(["--export", "sesion.jsonl"], "Error: File not found: $CWD/sesion.jsonl\nDid you mean $CWD/session.jsonl?\n", {
      files: { "session.jsonl": "" },
    }),
    slip(
      ["--model", "secnod-model", "-p", "x"],
      'Error: Model "secnod-model" not found. Use --list-models to see available models.\nDid you mean scripted/second-model?\n',
    ),
    slip(
      ["--model", "scirpted/second-model", "-p", "x"],
      'Error: Model "scirpted/second-model" not found. Use --list-models to see available models.\nDid you mean scripted/second-model?\n',
    ),
    slip(
      ["--provider", "antropic", "--model", "opus", "-p", "x"],
      'Error: Unknown provider "antropic". Use --list-models to see available providers/models.\nDid you mean anthropic/opus?\n',
    ),
    {
      words: ["--model", "scripted/secnod-model", "-p", "x"],
      stdout: "x\n",
      stderr:
        'Warning: Model "secnod-model" not found for provider "scripted". Using custom model id.\nDid you mean scripted/second-model?\n',
    },
    slip(["instal", "npm:x"], command("instal", "install")),
    slip(["isntall", "./x", "-l"], command("isntall", "install")),
    slip(["lsit"], command("lsit", "list")),
    slip(["updaet", "--all"], command("updaet", "update")),
    slip(["auht", "login"], command("auht", "auth")),
    slip(
      ["auth", "lgoin", "x"],
      'Error: Unknown auth command "lgoin". Use "pi auth login", "pi auth logout", "pi auth print-api-key", "pi auth print-bearer-token", or "pi auth check".\nDid you mean "pi auth login"?\n',
    ),
    slip(
      ["update", "--modles"],
      'Unknown option --modles for "update".\nUse "pi --help" or "pi update [source|self|pi] [--self|--extensions|--models|--all] [--extension <source>] [--approve|--no-approve] [--force]".\nDid you mean --models?\n',
    ),
    { ...prompt(["--", "lsit"]), about: "as a prompt after all" },
    prompt(["explain"]),
    prompt(["hello"]),
    prompt(["lsit the files"]),
    { words: ["lint", "src"], stdout: "src\n", about: "a prompt of several words" },
    prompt(["-p", "lsit"]),
  ],
};
