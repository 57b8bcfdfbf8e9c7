/** Words after `pi install`, `remove`, `update` and `list` to a command. Pure. Source: cli-and-config.md section 1.8. */

export type PackageCommandName = "install" | "remove" | "update" | "list";

export interface PackageCommand {
  name: PackageCommandName;
  source?: string;
  local: boolean;
  allowScripts: boolean;
  trustOverride?: boolean;
  /** What `update` is about. */
  target: "self" | "extensions" | "models" | "all" | "one";
}

/** What to do, or what to say. */
export type ParsedPackageCommand =
  | { command: PackageCommand }
  | { error: string; advice: string }
  | { usage: PackageCommandName };

export const packageUsage: Readonly<Record<PackageCommandName, string>> = {
  install: "pi install <source> [-l] [--approve|--no-approve]",
  remove: "pi remove <source> [-l] [--approve|--no-approve]",
  update:
    "pi update [source|self|pi] [--self|--extensions|--models|--all] [--extension <source>] [--approve|--no-approve] [--force]",
  list: "pi list [--approve|--no-approve]",
};

export const packageHelp: Readonly<Record<PackageCommandName, string>> = {
  install: `Usage: ${packageUsage.install}

Install a package and add it to your settings, or with -l to the project's.
Sources: npm:name[@version], git:host/user/repo[@ref], an https:// or ssh:// address, a folder.

  -l, --local         For this project
  --allow-scripts     Let the package run its own code while npm installs it
  -a, --approve       Trust the project, this time
  -na, --no-approve   Do not trust the project, this time`,
  remove: `Usage: ${packageUsage.remove}

Remove a package and its entry in your settings, or with -l in the project's.`,
  update: `Usage: ${packageUsage.update}

  --extensions           All packages but those with a fixed version
  --extension <source>   One package; so does <source>
  --models               The catalogues of models
  --self                 The program
  --all                  All of these`,
  list: `Usage: ${packageUsage.list}

List the packages in your settings and in the project's.`,
};

interface Parsed {
  words: string[];
  flags: Set<string>;
  extension?: string;
  trustOverride?: boolean;
}

const aliases: Readonly<Record<string, string>> = {
  "-l": "--local",
  "-a": "--approve",
  "--trust": "--approve",
  "-na": "--no-approve",
  "--no-trust": "--no-approve",
  "-h": "--help",
};
const common = ["--approve", "--no-approve", "--help"];
const options: Readonly<Record<PackageCommandName, readonly string[]>> = {
  install: [...common, "--local", "--allow-scripts"],
  remove: [...common, "--local"],
  update: [...common, "--self", "--extensions", "--models", "--all", "--extension", "--force"],
  list: common,
};

export function packageCommandName(word: string | undefined): PackageCommandName | undefined {
  if (word === "uninstall") return "remove";
  return word === "install" || word === "remove" || word === "update" || word === "list" ? word : undefined;
}

export function parsePackageCommand(name: PackageCommandName, words: readonly string[]): ParsedPackageCommand {
  const usage = `Usage: ${packageUsage[name]}`;
  const parsed: Parsed = { words: [], flags: new Set() };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (!word.startsWith("-")) {
      parsed.words.push(word);
      continue;
    }
    const option = aliases[word] ?? word;
    if (!options[name].includes(option)) {
      return { error: `Unknown option ${word} for "${name}".`, advice: `Use "pi --help" or "${packageUsage[name]}".` };
    }
    if (option === "--help") return { usage: name };
    if (option === "--approve" || option === "--no-approve") parsed.trustOverride = option === "--approve";
    else if (option === "--extension") {
      const value = words[++at];
      if (value === undefined) return { error: "Missing value for --extension.", advice: usage };
      if (parsed.extension !== undefined) return { error: "--extension can only be provided once", advice: usage };
      parsed.extension = value;
    } else parsed.flags.add(option);
  }
  const error = name === "update" ? updateConflict(parsed) : wordsProblem(name, parsed.words);
  return error === undefined ? { command: commandOf(name, parsed) } : { error, advice: usage };
}

function wordsProblem(name: PackageCommandName, words: readonly string[]): string | undefined {
  const wanted = name === "list" ? 0 : 1;
  if (words.length > wanted) return `Unexpected argument ${words[wanted]}.`;
  return words.length < wanted ? `Missing ${name} source.` : undefined;
}

function updateConflict({ words, flags, extension }: Parsed): string | undefined {
  const has = (...names: string[]) => names.some((name) => flags.has(name));
  const isOne = extension !== undefined;
  if (words.length > 1) return `Unexpected argument ${words[1]}.`;
  if (has("--all") && (has("--self", "--extensions", "--models") || isOne)) {
    return "--all cannot be combined with --self, --extensions, --models, or --extension";
  }
  if (has("--models") && (has("--self", "--extensions") || isOne)) {
    return "--models cannot be combined with --self, --extensions, --all, or --extension";
  }
  if (isOne && has("--self", "--extensions")) {
    return "--extension cannot be combined with --self, --extensions, or --all";
  }
  if (words.length === 0) return undefined;
  const flag = ["--all", "--models"].find((name) => has(name)) ?? (isOne ? "--extension" : undefined);
  if (flag) return `${flag} cannot be combined with a positional source`;
  return has("--self", "--extensions")
    ? "positional update targets cannot be combined with --self, --extensions, or --all"
    : undefined;
}

function commandOf(name: PackageCommandName, { words, flags, extension, trustOverride }: Parsed): PackageCommand {
  const source = extension ?? words[0];
  const isSelf = source === undefined || (extension === undefined && (source === "self" || source === "pi"));
  const named = (["models", "all", "extensions"] as const).find((target) => flags.has(`--${target}`));
  return {
    name,
    ...(source !== undefined && { source }),
    local: flags.has("--local"),
    allowScripts: flags.has("--allow-scripts"),
    ...(trustOverride !== undefined && { trustOverride }),
    target: named ?? (isSelf ? "self" : "one"),
  };
}
