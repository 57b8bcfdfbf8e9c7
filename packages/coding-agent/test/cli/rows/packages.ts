import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Row, Section } from "../row.js";

const usage = {
  install: "pi install <source> [-l] [--approve|--no-approve]",
  remove: "pi remove <source> [-l] [--approve|--no-approve]",
  update:
    "pi update [source|self|pi] [--self|--extensions|--models|--all] [--extension <source>] [--approve|--no-approve] [--force]",
  list: "pi list [--approve|--no-approve]",
};
type Name = keyof typeof usage;
const refused = (words: string[], first: string): Row => {
  const name = words[0] === "uninstall" ? "remove" : (words[0] as Name);
  return { words, code: 1, stderr: `${first}\nUsage: ${usage[name]}\n` };
};
const unknown = (name: Name, option: string): Row => ({
  words: [name, option],
  code: 1,
  stderr: `Unknown option ${option} for "${name}".\nUse "pi --help" or "${usage[name]}".\n`,
});
const pack = { "pack/package.json": '{"name":"pack","pi":{}}', "pack/extensions/x.ts": "export default () => {};" };

export const packages: Section = {
  title: "1.8 packages",
  rows: [
    ...(["install", "remove", "update", "list"] as const).flatMap((name): Row[] => [
      unknown(name, "-z"),
      { words: [name, "--help"], stdout: new RegExp(`^Usage: ${usage[name].replace(/[[\]|().]/g, "\\$&")}\n`) },
      { words: [name, "-h"], stdout: /^Usage: / },
    ]),
    refused(["update", "--extension"], "Missing value for --extension."),
    refused(["install", "x", "y"], "Unexpected argument y."),
    refused(["remove", "x", "y"], "Unexpected argument y."),
    refused(["list", "y"], "Unexpected argument y."),
    refused(["update", "x", "y"], "Unexpected argument y."),
    refused(["install"], "Missing install source."),
    refused(["remove"], "Missing remove source."),
    refused(["uninstall"], "Missing remove source."),
    ...["--self", "--extensions", "--models"].map((other) =>
      refused(
        ["update", "--all", other],
        "--all cannot be combined with --self, --extensions, --models, or --extension",
      ),
    ),
    refused(
      ["update", "--all", "--extension", "x"],
      "--all cannot be combined with --self, --extensions, --models, or --extension",
    ),
    ...["--self", "--extensions"].map((other) =>
      refused(
        ["update", "--models", other],
        "--models cannot be combined with --self, --extensions, --all, or --extension",
      ),
    ),
    ...["--self", "--extensions"].map((other) =>
      refused(
        ["update", "--extension", "x", other],
        "--extension cannot be combined with --self, --extensions, or --all",
      ),
    ),
    refused(["update", "--all", "x"], "--all cannot be combined with a positional source"),
    refused(["update", "--models", "x"], "--models cannot be combined with a positional source"),
    refused(["update", "--extension", "y", "x"], "--extension cannot be combined with a positional source"),
    ...["--self", "--extensions"].map((other) =>
      refused(
        ["update", "x", other],
        "positional update targets cannot be combined with --self, --extensions, or --all",
      ),
    ),
    refused(["update", "--extension", "x", "--extension", "y"], "--extension can only be provided once"),
    ...[
      ["install", "./pack", "-l"],
      ["remove", "./pack", "--local"],
    ].map((words) => ({
      words: [...words, "-na"],
      files: pack,
      code: 1,
      stderr: "Project is not trusted. Use --approve to modify local package config.\n",
    })),
    {
      words: ["install", "./nope"],
      code: 1,
      stdout: "Installing ./nope...\n",
      stderr: "Error: Path does not exist: $CWD/nope\n",
    },
    { words: ["install", "./pack"], files: pack, stdout: "Installing ./pack...\nInstalled ./pack\n" },
    {
      words: ["install", "./pack", "-l"],
      files: pack,
      stdout: "Installing ./pack...\nInstalled ./pack\n",
      stderr: /^This project is not trusted yet: .*\n.* --approve, also with pi list\.\n$/,
    },
    { words: ["install", "./pack", "-l", "-a"], files: pack, stdout: "Installing ./pack...\nInstalled ./pack\n" },
    {
      words: ["remove", "./pack"],
      code: 1,
      stdout: "Removing ./pack...\n",
      stderr: "No matching package found for ./pack\n",
    },
    {
      words: ["config", "-z"],
      code: 1,
      stderr: 'Unknown option -z for "config".\nUse "pi --help" or "pi config [-l] [--approve|--no-approve]".\n',
    },
    { words: ["config", "--help"], stdout: /^Usage: pi config \[-l\]/ },
    {
      words: ["config", "-l"],
      files: { ".pi/settings.json": "{}" },
      code: 1,
      stderr: "Project is not trusted. Use --approve to modify local resource config.\n",
    },
    ...[["mcp"], ["mcp", "--help"], ["mcp", "help"]].map((words) => ({ words, stdout: /^Usage: pi mcp <command>\n/ })),
    {
      words: ["mcp", "list"],
      code: 1,
      stderr: 'Error: "pi mcp" is not available in this release.\nAll commands: pi --help\n',
    },
    { words: ["list"], stdout: "No packages installed.\n" },
    ...[["list"], ["install", "./pack"], ["remove", "./pack"], ["update", "--extensions"], ["config"]].map(
      (words): Row => ({
        words,
        about: `pi ${words.join(" ")} with broken settings`,
        files: pack,
        agent: { "settings.json": "{oops" },
        code: 1,
        stderr: /^Error: Invalid settings file \$AGENT\/settings\.json: [^\n]* at line 1, column 2\. [^\n]*\n$/,
        after: ({ agentDir }) => readFileSync(join(agentDir, "settings.json"), "utf8"),
        left: "{oops",
      }),
    ),
    {
      words: ["list"],
      about: "pi list with a value that cannot be used",
      agent: { "settings.json": '{"outputPad":7}' },
      stdout: "No packages installed.\n",
      stderr: /^Warning: Invalid settings file \$AGENT\/settings\.json: "outputPad": [^\n]*\n$/,
    },
    {
      words: ["list", "-a"],
      files: { ...pack, ".pi/settings.json": '{"packages":[{"source":"../pack","skills":[]}]}' },
      agent: { "settings.json": '{"packages":["$CWD/pack"]}' },
      stdout: "User packages:\n  $CWD/pack\n    $CWD/pack\nProject packages:\n  ../pack (filtered)\n    $CWD/pack\n",
    },
    {
      words: ["remove", "$CWD/pack"],
      files: pack,
      agent: { "settings.json": '{"packages":["$CWD/pack"]}' },
      stdout: "Removing $CWD/pack...\nRemoved $CWD/pack\n",
    },
    { words: ["config"], code: 1, stderr: /^"pi config" requires an interactive terminal\. [^\n]+\n$/ },
    { words: ["update", "npm:other"], code: 1, stderr: "No matching package found for npm:other\n" },
    { words: ["update", "--extension", "npm:other"], code: 1, stderr: "No matching package found for npm:other\n" },
    { words: ["update", "--extensions", "--force"], stdout: "Packages are already up to date\n" },
    { words: ["update", "--extensions"], stdout: "Packages are already up to date\n" },
    { words: ["update", "--offline", "--extensions"], stdout: "Skipped package updates (offline mode)\n" },
    { words: ["update", "--extensions"], env: { PI_OFFLINE: "1" }, stdout: "Skipped package updates (offline mode)\n" },
    ...[["update"], ["update", "self"], ["update", "pi"], ["update", "--self"]].map((words) => ({
      words,
      code: 1,
      stderr: /^Error: pi does not replace itself\. Update it the way it was installed, .*\n$/,
    })),
  ],
};
