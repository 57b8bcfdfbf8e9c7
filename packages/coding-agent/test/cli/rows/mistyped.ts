import type { Row, Section } from "../row.js";

const slip = (words: string[], stderr: string, rest: Partial<Row> = {}): Row => ({ words, code: 1, stderr, ...rest });
const command = (word: string, name: string) =>
  `Error: Unknown command "${word}".\nDid you mean "pi ${name}"? As a prompt: pi -- ${word}\n`;
const prompt = (words: string[]): Row => ({ words, stdout: `${words.at(-1)}\n` });
const unknownModle = "Error: Unknown option: --modle\nDid you mean --model?\n";
const seeUpdate =
  'Use "pi --help" or "pi update [source|self|pi] [--self|--extensions|--models|--all] [--extension <source>] [--approve|--no-approve] [--force]".';

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
    slip(
      ["--model", "m1:hgih", "-p", "x"],
      'Error: Model "m1:hgih" not found. Use --list-models to see available models.\nDid you mean scripted/m1:high?\n',
    ),
    slip(
      ["--model", "secnod-model:low", "-p", "x"],
      'Error: Model "secnod-model:low" not found. Use --list-models to see available models.\nDid you mean scripted/second-model:low?\n',
    ),
    {
      words: ["--provider", "scripted", "--model", "second-model:hgih", "-p", "x"],
      stdout: "x\n",
      stderr:
        'Warning: Model "second-model:hgih" not found for provider "scripted". Using custom model id.\nDid you mean scripted/second-model:high?\n',
    },
    {
      words: ["--models", "secnod-model,qqqqqqqq,m1:hgih,m1:wat", "-p", "x"],
      stdout: "x\n",
      stderr: [
        'Warning: No models match pattern "secnod-model"',
        "Did you mean scripted/second-model?",
        'Warning: No models match pattern "qqqqqqqq"',
        "Part of an id or a name is enough: pi --list-models <search>",
        'Warning: Invalid thinking level "hgih" in pattern "m1:hgih". Using default instead.',
        "Did you mean high?",
        'Warning: Invalid thinking level "wat" in pattern "m1:wat". Using default instead.',
        "Levels: off, minimal, low, medium, high, xhigh, max\n",
      ].join("\n"),
    },
    {
      words: ["-t", "raed", "-xt", "qqqqqq", "-p", "x"],
      stdout: "x\n",
      stderr:
        'Warning: No tool is named "raed".\nDid you mean read?\nWarning: No tool is named "qqqqqq".\nTools: read, bash, edit, write, grep, find, ls.\n',
    },
    ...["--skill", "--prompt-template", "--theme"].map((word) => ({
      words: [word, "notse.md", "-p", "x"],
      files: { "notes.md": "N" },
      stdout: "x\n",
      stderr: `Warning: $CWD/notse.md: ${word.slice(2).replace("-", " ")} path does not exist\nDid you mean $CWD/notes.md?\n`,
    })),
    slip(
      ["--fork", "sesion.jsonl", "-p", "x"],
      "Error: Cannot fork: source session file is empty or invalid: $CWD/sesion.jsonl\nDid you mean $CWD/session.jsonl?\n",
      { files: { "session.jsonl": "" } },
    ),
    { words: ["--version", "--modle"], stdout: "1.6.0\n", stderr: unknownModle },
    { words: ["--list-models", "--modle"], stdout: /^provider +model/, stderr: unknownModle },
    { words: ["--help", "--modle"], stdout: /^pi 1\.6\.0/, stderr: unknownModle },
    { words: ["--completion", "bash", "--modle"], stdout: /complete/, stderr: unknownModle },
    {
      words: ["--version", "--mine"],
      agent: { "extensions/x.ts": 'export default (pi) => pi.registerFlag("mine", { type: "boolean" });' },
      stdout: "1.6.0\n",
      about: "an option of an extension is none that nobody knows",
    },
    {
      words: ["--list-models", "scirpted"],
      stdout: 'No models matching "scirpted"\n',
      stderr: "Did you mean scripted?\n",
    },
    slip(["--completion", "bsh"], 'Error: Invalid shell "bsh". Valid values: bash, zsh, fish\nDid you mean bash?\n'),
    slip(["instal", "npm:x"], command("instal", "install")),
    slip(["isntall", "./x", "-l"], command("isntall", "install")),
    slip(["lsit"], command("lsit", "list")),
    slip(["updaet", "--all"], command("updaet", "update")),
    slip(["auht", "login"], command("auht", "auth")),
    slip(["mpc"], command("mpc", "mcp")),
    prompt(["map"]),
    slip(
      ["update", "--extension=npm:x"],
      `Unknown option --extension=npm:x for "update".\n${seeUpdate}\nThe value is a word of its own: --extension <source>\n`,
    ),
    slip(["update", "--all=x"], `Unknown option --all=x for "update".\n${seeUpdate}\n--all takes no value.\n`),
    slip(
      ["auth", "print-api-key", "--provider=x"],
      'Unknown option --provider=x for "auth print-api-key".\nThe value is a word of its own: --provider <provider>\n',
    ),
    slip(["doctor", "--jsno"], 'Unknown option --jsno for "doctor".\nDid you mean --json?\n'),
    {
      words: ["auth", "check", "--provider", "scirpted"],
      code: 2,
      stdout: "invalid\n",
      stderr:
        'Error: Unknown provider "scirpted". Use --list-models to see available providers.\nDid you mean scripted?\n',
    },
    {
      words: ["auth", "check", "--provider", "scirpted", "--json"],
      code: 2,
      stdout: '{"status":"invalid","provider":"scirpted","reason":"provider_not_found"}\n',
    },
    {
      words: ["auth", "check", "--model", "secnod-model"],
      code: 2,
      stdout: "invalid\n",
      stderr:
        'Error: Model "secnod-model" not found. Use --list-models to see available models.\nDid you mean scripted/second-model?\n',
    },
    slip(
      ["auth", "lgoin", "x"],
      'Error: Unknown auth command "lgoin". Use "pi auth login", "pi auth logout", "pi auth print-api-key", "pi auth print-bearer-token", or "pi auth check".\nDid you mean "pi auth login"?\n',
    ),
    slip(["update", "--modles"], `Unknown option --modles for "update".\n${seeUpdate}\nDid you mean --models?\n`),
    { ...prompt(["--", "lsit"]), about: "as a prompt after all" },
    prompt(["explain"]),
    prompt(["hello"]),
    prompt(["lsit the files"]),
    { words: ["lint", "src"], stdout: "src\n", about: "a prompt of several words" },
    prompt(["-p", "lsit"]),
  ],
};
