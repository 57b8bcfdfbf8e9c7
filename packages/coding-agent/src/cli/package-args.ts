/** Words after `pi install`, `remove`, `update` and `list` to a command. Pure. Source: cli-and-config.md section 1.8. */
import { subcommandOptionAdvice } from "./subcommand-advice.js";
import { findSubcommand, findSubcommandOption, type Subcommand, subcommandHelp } from "./subcommands.js";

export type PackageCommandName = "install" | "remove" | "update" | "list";

export interface PackageCommand {
  name: PackageCommandName;
  source?: string;
  local: boolean;
  allowScripts: boolean;
  trustOverride?: boolean;
  /** `update`: also what is up to date. */
  force: boolean;
  /** What `update` is about. */
  target: "self" | "extensions" | "models" | "all" | "one";
}

const names: readonly PackageCommandName[] = ["install", "remove", "update", "list"];

/** What to do, or what to say. */
export type ParsedPackageCommand =
  | { command: PackageCommand }
  | { error: string; advice: string }
  | { usage: PackageCommandName };

/** How a command is written: `pi install <source> ...`. */
export function packageUsage(name: PackageCommandName): string {
  return `pi ${commandSpec(name).usage}`;
}

export function packageHelp(name: PackageCommandName): string {
  return subcommandHelp(commandSpec(name));
}

function commandSpec(name: PackageCommandName): Subcommand {
  const spec = findSubcommand(name);
  if (!spec) throw new Error(`No command is called ${name}.`);
  return spec;
}

interface Parsed {
  words: string[];
  flags: Set<string>;
  extension?: string;
  trustOverride?: boolean;
}

export function packageCommandName(word: string | undefined): PackageCommandName | undefined {
  const name = findSubcommand(word)?.name;
  return names.find((candidate) => candidate === name);
}

export function parsePackageCommand(name: PackageCommandName, words: readonly string[]): ParsedPackageCommand {
  const spec = commandSpec(name);
  const usage = `Usage: ${packageUsage(name)}`;
  const parsed: Parsed = { words: [], flags: new Set() };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    // As of a variable that is not set: the current folder is not what was meant.
    if (word.trim() === "" && name !== "list") return { error: `Missing ${name} source.`, advice: usage };
    if (!word.startsWith("-")) {
      parsed.words.push(word);
      continue;
    }
    const option = findSubcommandOption(word, spec)?.long;
    if (option === undefined) {
      const near = subcommandOptionAdvice(word, spec);
      const advice = `Use "pi --help" or "${packageUsage(name)}".`;
      return { error: `Unknown option ${word} for "${name}".`, advice: near ? `${advice}\n${near}` : advice };
    }
    if (option === "--help") return { usage: name };
    if (option === "--approve" || option === "--no-approve") parsed.trustOverride = option === "--approve";
    else if (option === "--extension") {
      const value = words[++at];
      if (value === undefined || value.trim() === "") return { error: "Missing value for --extension.", advice: usage };
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
    force: flags.has("--force"),
    ...(trustOverride !== undefined && { trustOverride }),
    target: named ?? (isSelf ? "self" : "one"),
  };
}
