/**
 * Every command that is a word of its own, once: help, completion, documentation, the reading of its options and the
 * search for near misses derive from this table. Source: cli-and-config.md sections 1.8-1.10.
 */

export interface SubcommandOption {
  /** Long name with dashes. */
  long: string;
  /** Further spellings. */
  aliases?: readonly string[];
  /** Name of its value; without it there is none. */
  placeholder?: string;
  description: string;
}

export interface Subcommand {
  name: string;
  /** Further spellings. */
  aliases?: readonly string[];
  /** What follows `pi `. */
  usage: string;
  /** One line. */
  summary: string;
  /** More for its own help. */
  details?: string;
  options: readonly SubcommandOption[];
  /** How many plain words may follow. */
  words: number;
  /** What they name, for completion. Default: a file, as sources of packages may be. */
  names?: "provider";
  /** Second words, one of which must follow. */
  verbs?: readonly Subcommand[];
  /** Known, and refused until its part of the program is there. */
  isPlanned?: true;
}

const approve: SubcommandOption = {
  long: "--approve",
  aliases: ["-a", "--trust"],
  description: "Trust the project, this time",
};
const noApprove: SubcommandOption = {
  long: "--no-approve",
  aliases: ["-na", "--no-trust"],
  description: "Do not trust the project, this time",
};
const help: SubcommandOption = { long: "--help", aliases: ["-h"], description: "Show the help of this command" };
const local: SubcommandOption = { long: "--local", aliases: ["-l"], description: "For this project" };
const common = [approve, noApprove, help];
const provider: SubcommandOption = { long: "--provider", placeholder: "provider", description: "Of this provider" };
const model: SubcommandOption = { long: "--model", placeholder: "model", description: "Of this model's provider" };

export const subcommands: readonly Subcommand[] = [
  {
    name: "install",
    usage: "install <source> [-l] [--approve|--no-approve]",
    summary: "Install a package of extensions, skills, prompts or themes",
    details: `Install a package and add it to your settings, or with -l to the project's.
Sources: npm:name[@version], git:host/user/repo[@ref], an https:// or ssh:// address, a folder.`,
    options: [
      local,
      { long: "--allow-scripts", description: "Let the package run its own code while npm installs it" },
      ...common,
    ],
    words: 1,
  },
  {
    name: "remove",
    aliases: ["uninstall"],
    usage: "remove <source> [-l] [--approve|--no-approve]",
    summary: "Remove a package",
    details: "Remove a package and its entry in your settings, or with -l in the project's.",
    options: [local, ...common],
    words: 1,
  },
  {
    name: "update",
    usage:
      "update [source|self|pi] [--self|--extensions|--models|--all] [--extension <source>] [--approve|--no-approve] [--force]",
    summary: "Update packages, the catalogues of models, or the program",
    options: [
      { long: "--extensions", description: "All packages but those with a fixed version" },
      { long: "--extension", placeholder: "source", description: "One package; so does <source>" },
      { long: "--models", description: "The catalogues of models" },
      { long: "--self", description: "The program" },
      { long: "--all", description: "All of these" },
      { long: "--force", description: "Also what is up to date" },
      ...common,
    ],
    words: 1,
  },
  {
    name: "list",
    usage: "list [--approve|--no-approve]",
    summary: "List the installed packages",
    details: "List the packages in your settings and in the project's.",
    options: common,
    words: 0,
  },
  {
    name: "config",
    usage: "config [-l] [--approve|--no-approve]",
    summary: "Switch extensions, skills, prompts and themes on and off",
    options: [local, ...common],
    words: 0,
  },
  {
    name: "auth",
    usage: "auth <command>",
    summary: "Sign in and out; tell other programs about credentials",
    options: [help],
    words: 0,
    verbs: [
      {
        name: "login",
        usage: "auth login <provider> [--api-key] [--no-browser]",
        summary: "Sign in, or store a key",
        options: [
          { long: "--api-key", description: "Store a key instead of signing in" },
          { long: "--no-browser", description: "Show the address instead of opening it" },
          help,
        ],
        words: 1,
        names: "provider",
      },
      {
        name: "logout",
        usage: "auth logout <provider>",
        summary: "Forget what is stored",
        options: [help],
        words: 1,
        names: "provider",
      },
      {
        name: "check",
        usage: "auth check --provider <provider> | --model <model> [--json] [--credentials] [--no-refresh]",
        summary: "Say whether requests could be made: ready (exit code 0), not_ready (1), invalid (2)",
        options: [
          provider,
          model,
          { long: "--json", description: "Answer as JSON" },
          { long: "--credentials", description: "Print the key or token too" },
          { long: "--no-refresh", description: "Ask nobody for a new token" },
          help,
        ],
        words: 0,
      },
      {
        name: "print-api-key",
        usage: "auth print-api-key [--provider <provider> | --model <model>]",
        summary: "Print a key",
        options: [provider, model, help],
        words: 0,
      },
      {
        name: "print-bearer-token",
        usage: "auth print-bearer-token [--provider <provider> | --model <model>] [--min-expiry 30m]",
        summary: "Print a token, renewed where it must be",
        options: [
          provider,
          model,
          { long: "--min-expiry", placeholder: "duration", description: "How long it must hold: 30s, 30m, 1h" },
          help,
        ],
        words: 0,
      },
    ],
  },
  {
    name: "doctor",
    usage: "doctor [--json]",
    summary: "Check what pi runs on and what it keeps, and say what to fix",
    details: `Look at Node.js, the terminal, ripgrep, settings, credentials, sessions, disk space and proxies; one line for
each, ok, warn or fail, with what to do. Nobody is asked anything over a network, and no key is printed.
Exit code: 1 when something failed, else 0.`,
    options: [{ long: "--json", description: "Answer as JSON" }, help],
    words: 0,
  },
  {
    name: "mcp",
    usage: "mcp <command>",
    summary: "Servers of tools",
    details: "Servers of tools are not available in this release.",
    options: [help],
    words: 0,
    isPlanned: true,
  },
];

/** The command of this name or spelling. */
export function findSubcommand(
  word: string | undefined,
  among: readonly Subcommand[] = subcommands,
): Subcommand | undefined {
  return among.find(({ name, aliases }) => name === word || (word !== undefined && aliases?.includes(word)));
}

/** The option of a command that a word names. */
export function findSubcommandOption(
  word: string,
  { options }: Pick<Subcommand, "options">,
): SubcommandOption | undefined {
  return options.find(({ long, aliases }) => long === word || aliases?.includes(word));
}

/** Every spelling of a command's options. */
export function optionWords({ options }: Pick<Subcommand, "options">): string[] {
  return options.flatMap(({ long, aliases = [] }) => [long, ...aliases]);
}

/** The help of one command. */
export function subcommandHelp({ usage, summary, details, options, verbs }: Subcommand): string {
  const list = verbs
    ? verbs.map((verb) => [`pi ${verb.usage}`, verb.summary] as const)
    : options.map((option) => [optionNames(option), option.description] as const);
  const width = Math.min(Math.max(...list.map(([left]) => left.length)), 40);
  const rows = list.map(([left, right]) =>
    left.length > width ? `  ${left}\n${" ".repeat(width + 5)}${right}` : `  ${left.padEnd(width)}   ${right}`,
  );
  return `Usage: pi ${usage}\n\n${details ?? `${summary}.`}\n\n${rows.join("\n")}`;
}

/** `-l, --local`, `--extension <source>`: as help shows it. */
export function optionNames({ long, aliases = [], placeholder }: SubcommandOption): string {
  const names = [...aliases.filter((alias) => !alias.startsWith("--")), long].join(", ");
  return placeholder ? `${names} <${placeholder}>` : names;
}
